/* What stores and the loads after them cost on a planted machine. */
#ifndef SONDE_MEASURE_SIMULATION_FORWARD_H
#define SONDE_MEASURE_SIMULATION_FORWARD_H

#include "measure/plan.h"
#include "measure/simulation_model.h"

/* Cycles a step of a kernel of stores and loads, by its name and argument; NaN: the
 * kernel is none. */
double sonde_measure_simulation_forward(const struct sim_model *model,
                                        const struct point *point);

#endif
