/* What is left of a ring in the caches when others have passed through them. */
#ifndef SONDE_MEASURE_SIMULATION_STIR_H
#define SONDE_MEASURE_SIMULATION_STIR_H

#include "measure/plan.h"
#include "measure/simulation_cache.h"

/* Mean cost of a step of the point's ring, which costs `step` alone, in the one cycle
 * after its stir; `step` where there is none. */
struct sim_cost sonde_measure_simulation_stirred(const struct sim_model *model,
                                                 const struct point *point,
                                                 struct sim_cost step);
/* How long the stir itself takes, in ns; 0: there is none. */
double sonde_measure_simulation_stir_ns(const struct sim_model *model,
                                        const struct point *point);

#endif
