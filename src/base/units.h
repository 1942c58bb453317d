/* Numbers for people: formatting with units, and strict parsing.
 *
 * Sizes are binary (KiB), rates decimal (GB/s), always with the unit. Output and input do
 * not depend on the locale: the program never sets LC_NUMERIC. A value that is not finite
 * formats as "unknown". */
#ifndef SONDE_BASE_UNITS_H
#define SONDE_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

enum { SONDE_NUMBER_TEXT = 32 };

struct number_text {
    char text[SONDE_NUMBER_TEXT];
};

/* "48 KiB", "1.25 MiB", "508 MiB": at most three significant digits, whole numbers bare.
 */
struct number_text sonde_base_format_bytes(double bytes);
/* "1.08 ns", "27.3 µs", "1.20 s": three significant digits. */
struct number_text sonde_base_format_time(double nanoseconds);
/* "45.2 GB/s" from bytes per second. */
struct number_text sonde_base_format_rate(double bytes_per_second);
/* "3.69 GHz" from hertz. */
struct number_text sonde_base_format_frequency(double hertz);
/* A plain number with the given significant digits; whole numbers bare ("12", "3.62"). */
struct number_text sonde_base_format_number(double value, int significant);
/* By unit name as findings and series carry it: "bytes", "ns", "cycles", "hz",
 * "bytes/s", "ratio", "percent", "count", "" ... with the unit behind the number. */
struct number_text sonde_base_format_unit(double value, const char *unit);

/* A size such as "48K", "48 KiB", "1M", "65536", "1.5 GiB" (K is 1024, any case).
 * -EINVAL: no size at all; -ENODATA: a form that says nothing is known ("unknown size",
 * "0", "-1", ""); -ERANGE: beyond 2^62. */
int sonde_base_parse_size(const char *text, uint64_t *bytes);
/* A finite decimal number that fills the whole string. -EINVAL otherwise (nan and inf
 * included). */
int sonde_base_parse_number(const char *text, double *value);
/* A whole number >= 0 that fills the whole string. -EINVAL or -ERANGE. */
int sonde_base_parse_count(const char *text, uint64_t *value);

/* The size nearest to `bytes` among {1, 1.25, 1.5, 1.75} x 2^k: for display only. */
double sonde_base_snap_bytes(double bytes);

#endif
