/* Cliffs of throughput, and what the mountain of sizes and strides says. Pure. */
#ifndef SONDE_INFER_MOUNTAIN_H
#define SONDE_INFER_MOUNTAIN_H

#include "infer/finding.h"
#include "measure/series.h"

#include <stddef.h>

enum { CLIFFS_MAX = 8 };

struct cliff {
    double at;            /* size at which half of the fall (in logarithms) is done */
    double low, high;     /* the measured sizes on both sides of it */
    double before, after; /* the rate above and below the cliff */
};

/* Falls of a rate over growing sizes (strictly ascending; rates finite and positive; a
 * rate that recovers later is a disturbance and no cliff). A cliff takes at least a fifth
 * of the rate, and more than noise does. Answers how many, from the smallest size on. */
size_t sonde_infer_cliffs(const double *sizes, const double *rates, size_t count,
                          struct cliff cliffs[CLIFFS_MAX]);

/* `mountain` has axes size and stride (bytes) and rates in bytes/s (bytes per cycle in
 * its cycles). `loads` has one point whose cycles are plain loads a cycle; NULL: not
 * known. Adds mountain.peak, .bottom, .ratio, .ridge, .words_per_cycle, .load_ports,
 * .line and for each stride mountain.cliffs.<stride>, whose text lists sizes; and the
 * controls. 0; -ENODATA when no point is usable; -ENOMEM. */
int sonde_infer_mountain(const struct series *mountain, const struct series *loads,
                         struct findings *findings);

#endif
