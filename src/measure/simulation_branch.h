/* What branches and calls cost on a planted machine. */
#ifndef SONDE_MEASURE_SIMULATION_BRANCH_H
#define SONDE_MEASURE_SIMULATION_BRANCH_H

#include "measure/plan.h"
#include "measure/simulation_model.h"

/* Cycles a step of a kernel of branches or calls, by its name, argument and content;
 * `slowdown` is what a neighbour makes of throughput now. NaN: the kernel is none. */
double sonde_measure_simulation_branch(const struct sim_model *model,
                                       const struct point *point, double slowdown);

#endif
