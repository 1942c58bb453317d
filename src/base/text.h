/* Strings: a builder that grows, small files read whole, the nearest name. */
#ifndef SONDE_BASE_TEXT_H
#define SONDE_BASE_TEXT_H

#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* vsnprintf as in the C locale, whatever the program that uses the library has set. */
__attribute__((format(printf, 3, 0))) int
sonde_base_format(char *out, size_t size, const char *format, va_list arguments);

/* A growing string; zeroed is empty. After an allocation failure `failed` is set and
 * everything appended later is dropped, so the caller checks once, at the end. */
struct text {
    char *data; /* NUL-terminated once anything was appended; owned */
    size_t length, capacity;
    bool failed;
};

void sonde_base_text_free(struct text *text);
void sonde_base_text_append(struct text *text, const char *bytes, size_t count);
__attribute__((format(printf, 2, 3))) void sonde_base_text_print(struct text *text,
                                                                 const char *format, ...);

/* Reads a file whole, at most `limit` bytes (-EFBIG beyond), NUL appended. `*data` is
 * malloc'd. Works for /proc and /sys, whose size is announced as 0. */
int sonde_base_read_file(const char *path, size_t limit, char **data, size_t *length);
/* Reads one small line (at most `size` - 1 bytes) without its newline. */
int sonde_base_read_line(const char *path, char *line, size_t size);

/* Writes a file whole: to a temporary name beside it, flushed, then renamed, so that no
 * reader ever sees half of it; "-" is standard output, and a path that exists and is no
 * regular file (a device, a pipe) is written in place. Every write is checked. */
int sonde_base_write_file(const char *path, const char *data, size_t length,
                          struct message *why);

/* strdup that accepts NULL (gives NULL). */
char *sonde_base_copy(const char *text);
/* Cuts white space at both ends, in place; returns the start. */
char *sonde_base_trim(char *text);
/* Edit distance, for "did you mean". */
size_t sonde_base_distance(const char *a, const char *b);

#endif
