/* The shape of a memory mountain read from a file: throughput over size and stride. */
#ifndef SONDE_PASSPORT_MOUNTAIN_H
#define SONDE_PASSPORT_MOUNTAIN_H

#include "passport/foreign.h"

/* No mountain has more points; it bounds the work on hostile files. */
enum { SONDE_MOUNTAIN_MAX = 16384 };

/* Of the strides that files count in words. */
enum { SONDE_WORD_BYTES = 8 };

/* Adds the series that the probe `mountain` has too: bytes per second over sizes and
 * strides, both in bytes. NULL: out of memory. */
struct series *sonde_passport_mountain(struct passport *passport);
/* One cell, after its checks: -EINVAL with the line when that place is taken. */
int sonde_passport_mountain_point(struct foreign *foreign, struct series *series,
                                  double size, double stride_bytes, double rate);
/* A declared cache of the file, such as "L1d" or "L2": a fact where the name is one of a
 * level or of the line, and `bytes` is a size. 0 or -ENOMEM. */
int sonde_passport_mountain_cache(struct passport *passport, const char *name,
                                  double bytes);

#endif
