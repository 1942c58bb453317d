/* From a latency curve to levels of the memory hierarchy.
 *
 * Input is any curve cost(size): ours with rounds, or another tool's with one value per
 * size. Plateaus and ramps by dynamic programming on log cost over log size, capacity at
 * the half-rise, confidence by bootstrap over rounds. Method: docs/METHOD.md, "levels".
 */
#ifndef SONDE_INFER_LEVELS_H
#define SONDE_INFER_LEVELS_H

#include "base/error.h"
#include "infer/finding.h"
#include "measure/series.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A curve of four or more points an octave is fine: its plateaus must be three quarters
 * of an octave long. On a coarser grid a level is where the curve climbs least between
 * two places where it climbs most. More than 16 points an octave are thinned. */
struct curve {
    size_t count;       /* points, sizes strictly ascending */
    const double *size; /* bytes */
    const double *cost; /* per access, any unit; finite and positive */
    /* Optional rounds for the bootstrap, with room for `per_round` costs of a point in
     * each (0: one): round_cost[(r * per_round + k) * count + i], NaN where there is
     * none. NULL and 0: no rounds. */
    const double *round_cost;
    size_t rounds, per_round;
    /* Of the costs in its rounds, the one that `cost` is and that draws take; 0: 0.25. */
    double quantile;
    /* Optional, of each point: the share of its samples that were set aside because
     * others disturbed them. NULL: none were. */
    const double *set_aside;
};

enum { LEVELS_MAX = 8 };

struct level {
    double capacity, capacity_low, capacity_high; /* bytes; NaN for the last plateau */
    double cost, cost_low, cost_high;             /* of the plateau */
    double confidence;  /* share of bootstraps with the boundary within 1/8 octave (or
                           one grid step); without rounds from the height of the step
                           over the noise and the width of its edge, at most 0.9 */
    double misfit;      /* mean deviation from the law by which a level spills, as a share
                           of the rise; NaN where the half-rise was taken */
    size_t first, last; /* points of the plateau, inclusive */
    size_t flat_first, flat_last; /* its flattest third, which the cost is taken from */
    bool range_only; /* confidence below 0.7 (0.45 without rounds): give the range,
                        not the value */
};

struct levels {
    struct level level[LEVELS_MAX]; /* from the fastest; the last has no capacity */
    size_t count;
    bool rising_at_end; /* no plateau at the end: memory was not reached. The last level
                           then only stands in for what follows: its cost is NaN */
    double noise;       /* sigma of log cost that was used */
    double dip;         /* largest fall of the raw curve as size grows (ratio); above 1.1
                           a prefetcher may have learned the walk */
};

struct levels_options {
    unsigned bootstraps; /* 200; 0 when there are no rounds */
    double merge_ratio;  /* 1.2: the least ratio of two levels' costs */
    /* What memory is translated by, in bytes; NaN: not known. Levels beyond 16 of them
     * are then known to spill before they are full, since small pages fall into their
     * sets by chance, and the slow rise that follows is no sign of random replacement. */
    double granule_bytes;
    uint64_t seed; /* of the bootstraps: the same samples give the same levels */
};
struct levels_options sonde_infer_levels_defaults(void);

/* 0; -EINVAL for a malformed curve (with the reason); -ENODATA below 6 points. */
int sonde_infer_levels(const struct curve *curve, const struct levels_options *options,
                       struct levels *levels, struct message *why);

#endif
