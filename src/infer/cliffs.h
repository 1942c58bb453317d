/* Slices of a mountain, and the cliffs in them. Pure.
 *
 * A mountain is throughput over size and stride; a slice is one stride. A cliff is a fall
 * of throughput with size that is bigger than the slice's noise and stays. */
#ifndef SONDE_INFER_CLIFFS_H
#define SONDE_INFER_CLIFFS_H

#include "measure/series.h"

#include <stdbool.h>
#include <stddef.h>

struct slice {
    double *size, *rate; /* bytes, and what the series holds; by size; owned */
    size_t count;
};
/* The points of `mountain` at `stride` that have figures. 0; -ENODATA: the series has no
 * axes `size` and `stride`; -ENOENT: no point of that stride; -ENOMEM. */
int sonde_infer_slice(const struct series *mountain, double stride, struct slice *slice);
void sonde_infer_slice_free(struct slice *slice);
/* The strides there are, ascending, as malloc'd numbers. 0, -ENODATA or -ENOMEM. */
int sonde_infer_strides(const struct series *mountain, double **strides, size_t *count);

struct cliff {
    double from, to;      /* the last size above it, the first size below it */
    double before, after; /* throughput there */
    bool at_end;          /* nothing behind it shows that it stays */
};
enum { CLIFFS_MAX = 16 };
struct cliffs {
    struct cliff rows[CLIFFS_MAX]; /* by size */
    size_t count;
    double noise; /* of one point, as a share of it */
};

/* `rate` above 0 over ascending `size`. Fewer than 3 points have no cliffs. 0, -EINVAL
 * for sizes out of order or a rate that is none, -ENOMEM. */
int sonde_infer_cliffs(const double *size, const double *rate, size_t count,
                       struct cliffs *cliffs);

#endif
