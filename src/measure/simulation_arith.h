/* What arithmetic costs on a planted machine. */
#ifndef SONDE_MEASURE_SIMULATION_ARITH_H
#define SONDE_MEASURE_SIMULATION_ARITH_H

#include "measure/plan.h"
#include "measure/simulation_model.h"

/* Cycles a step of a kernel of arithmetic, by its name and argument; `slowdown` is what a
 * neighbour makes of throughput now. NaN: the kernel is none of arithmetic. */
double sonde_measure_simulation_arith(const struct sim_model *model,
                                      const struct point *point, double slowdown);

#endif
