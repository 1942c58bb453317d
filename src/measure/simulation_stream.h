/* What streams through memory cost on a planted machine. */
#ifndef SONDE_MEASURE_SIMULATION_STREAM_H
#define SONDE_MEASURE_SIMULATION_STREAM_H

#include "measure/plan.h"
#include "measure/simulation_cache.h"
#include "measure/simulation_model.h"

#include <stdbool.h>

/* Is it one of the kernels of bandwidth? */
bool sonde_measure_simulation_is_stream(const struct kernel *kernel);
/* Cost of a step of one member, all of the team at work; `slowdown` is what a neighbour
 * makes of throughput now. */
struct sim_cost sonde_measure_simulation_stream(const struct sim_model *model,
                                                const struct point *point,
                                                double slowdown);

/* Bytes a second that the loads of a point move; NaN: it has none. */
double sonde_measure_simulation_load(const struct sim_model *model,
                                     const struct point *point);
/* What a step costs that costs `step` alone, while they do. */
struct sim_cost sonde_measure_simulation_loaded(const struct sim_model *model,
                                                const struct point *point,
                                                struct sim_cost step);

#endif
