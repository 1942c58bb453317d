/* UTF-8, one code point at a time, strictly: no overlong forms, no surrogates, nothing
 * above U+10FFFF. Strings come from files and from the machine, so any byte may occur. */
#ifndef SONDE_BASE_UTF8_H
#define SONDE_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define SONDE_NO_CODE_POINT UINT32_MAX

/* Decodes the code point at `bytes` (NUL-terminated) and answers how many bytes it takes:
 * 0 at the end, and 1 with SONDE_NO_CODE_POINT for a byte that begins none. */
size_t sonde_base_utf8_decode(const char *bytes, uint32_t *code);
/* Columns a terminal gives it: 0 for combining marks, 2 for the wide ranges of East Asian
 * scripts and emoji, else 1. What is no printable character (controls, marks that turn
 * the direction of text, zero-width signs, no code point at all) answers -1. */
int sonde_base_utf8_columns(uint32_t code);

#endif
