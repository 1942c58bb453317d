/* How many misses a core keeps in flight. */
#ifndef SONDE_INFER_MLP_H
#define SONDE_INFER_MLP_H

#include "infer/finding.h"
#include "measure/series.h"

/* Of the level `level` ("l2", "llc", "memory"): `chains` has one axis, how many chases
 * run at once, and the cost of one load. Adds
 *
 *   mlp.<level>         loads in flight: one chase's cost over the least of all; without
 * a value, only a lower bound, where more chases would gain more mlp.<level>.chains
 * chases from which 90 % of that is reached mlp.<level>.access  ns a load at best
 *
 * and the controls. `expected` is what the ladder said one load costs there, in ns; NaN:
 * nothing. 0 or -ENOMEM. */
int sonde_infer_mlp(const struct series *chains, const char *level, double expected,
                    struct findings *findings);

#endif
