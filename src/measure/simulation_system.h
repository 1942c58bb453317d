/* What the system of a planted machine takes. */
#ifndef SONDE_MEASURE_SIMULATION_SYSTEM_H
#define SONDE_MEASURE_SIMULATION_SYSTEM_H

#include "measure/plan.h"
#include "measure/simulation_model.h"

/* ns a step of a kernel that calls the system, by its name and argument; NaN: the kernel
 * is none. */
double sonde_measure_simulation_system(const struct sim_model *model,
                                       const struct point *point);

#endif
