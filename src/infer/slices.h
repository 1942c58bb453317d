/* A mountain as a grid of sizes and strides. Shared by the files of this room only. */
#ifndef SONDE_INFER_SLICES_H
#define SONDE_INFER_SLICES_H

#include "infer/finding.h"
#include "measure/series.h"

#include <stdbool.h>
#include <stddef.h>

struct slices {
    size_t sizes, strides;
    double *size, *stride; /* ascending, bytes; owned */
    /* point[i * strides + k] of size i and stride k; NULL where there is none; owned */
    const struct series_point **point;
    const struct series_point *peak, *bottom; /* NULL: no usable point */
};

/* Usable points only: with figures, a positive rate, and neither wrong nor unlawful. 0 or
 * -ENOMEM. Close it in both cases. */
int sonde_infer_slices_open(const struct series *mountain, struct slices *slices);
void sonde_infer_slices_close(struct slices *slices);
/* Whether a point's value makes it the top instead of `than` (NULL: there is none yet):
 * samples beside a neighbour make none while others are there. */
bool sonde_infer_slices_outdoes(const struct series_point *point, double value,
                                const struct series_point *than, double than_value);
/* NaN where there is none. */
double sonde_infer_slices_rate(const struct slices *slices, size_t size, size_t stride);
/* Adds mountain.line. False: out of memory. */
bool sonde_infer_slices_line(const struct slices *slices, struct findings *findings);

#endif
