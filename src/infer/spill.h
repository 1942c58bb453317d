/* How a level with sets fills up when pages fall into its sets by chance. Shared by the
 * files of this room only. */
#ifndef SONDE_INFER_SPILL_H
#define SONDE_INFER_SPILL_H

#include "infer/shape.h"

struct spill {
    double at;     /* log2 of the capacity */
    double misfit; /* mean deviation from the law, as a share of the rise */
};

/* Share of the lines of a ring of `bytes` that a level of `capacity` bytes with `ways`
 * ways does not keep, when each page of `granule` bytes falls into its sets by chance and
 * the least recently used line goes. */
double sonde_infer_spill_share(double bytes, double capacity, double ways,
                               double granule);

/* The capacity within an octave of 2^`near` that explains the curve best, from a cost of
 * `bottom` while everything fits. False where the curve has too little on either side. */
bool sonde_infer_spill_fit(const struct shape *shape, double near, double bottom,
                           double granule, struct spill *spill);

#endif
