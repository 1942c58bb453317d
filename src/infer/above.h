/* Levels from a curve that tells time above the first level only. Pure. */
#ifndef SONDE_INFER_ABOVE_H
#define SONDE_INFER_ABOVE_H

#include "infer/finding.h"
#include "infer/ladder.h"

/* The ladder of `above`, whose points are ns beyond what the first level takes; the rest
 * is taken from `ladder`. Sizes come out as ever; l1d.latency is given up, and every
 * other latency is one above the first level, which its reason says. 0 or -ENOMEM. */
int sonde_infer_above(const struct series *above, const struct ladder *ladder,
                      struct findings *findings);

#endif
