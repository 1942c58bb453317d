/* What striding over a block costs on a planted machine. */
#ifndef SONDE_MEASURE_SIMULATION_STRIDE_H
#define SONDE_MEASURE_SIMULATION_STRIDE_H

#include "measure/simulation_cache.h"

#include <stdbool.h>

/* Cost of one step apart: what loads and their lines take. The greater one counts. */
struct sim_stride {
    double issue_cycles; /* with the whole core */
    struct sim_cost lines;
};

bool sonde_measure_simulation_is_stride(const char *kernel);
/* Of a placement of `point` at `base`, its page frames drawn from `seed`. */
struct sim_stride sonde_measure_simulation_stride(const struct sim_model *model,
                                                  struct sim_sets *sets,
                                                  const struct point *point,
                                                  uint64_t base, uint64_t seed);
/* The cost of a step: `slowdown` is what a neighbour makes of the issue, `hz` the clock.
 */
struct sim_cost sonde_measure_simulation_stride_cost(const struct sim_stride *stride,
                                                     double slowdown, double hz);

#endif
