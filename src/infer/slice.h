/* One slice of a mountain: throughput over size at one stride. Pure. */
#ifndef SONDE_INFER_SLICE_H
#define SONDE_INFER_SLICE_H

#include "measure/series.h"

#include <stddef.h>

struct slice {
    double *size, *rate; /* bytes, and what the series holds; by size; owned */
    size_t count;
};
/* The points of `mountain` at `stride` (as on its axis) that have figures. 0; -ENODATA:
 * the series has no axes `size` and `stride`; -ENOENT: no point of that stride; -ENOMEM.
 */
int sonde_infer_slice(const struct series *mountain, double stride, struct slice *slice);
void sonde_infer_slice_free(struct slice *slice);
/* The strides there are, ascending, as malloc'd numbers. 0, -ENODATA or -ENOMEM. */
int sonde_infer_strides(const struct series *mountain, double **strides, size_t *count);

#endif
