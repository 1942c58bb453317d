/* What a team's kernel costs on a planted machine. */
#ifndef SONDE_MEASURE_SIMULATION_TEAM_H
#define SONDE_MEASURE_SIMULATION_TEAM_H

#include "base/random.h"
#include "measure/meter.h"
#include "measure/plan.h"
#include "measure/simulation_model.h"

#include <stdbool.h>

/* Does the kernel belong to the threads' probes? */
bool sonde_measure_simulation_is_team(const char *kernel);
/* Nanoseconds that one step of the team waits for others, to be added to its cycles. */
double sonde_measure_simulation_team_ns(const struct sim_model *model,
                                        const struct point *point);
/* By how much two threads on one core slow what fills it: 1, or 2 with siblings. */
double sonde_measure_simulation_team_crowd(const struct sim_model *model,
                                           const struct point *point);
/* What starting the threads of `team` takes, unless they are those of `crew`, the last
 * team, which becomes this one. Nanoseconds. */
double sonde_measure_simulation_team_start(const struct sim_model *model,
                                           const struct team *team, uint64_t *crew);
/* Where its members were, and how much of the time at once. */
void sonde_measure_simulation_team_place(const struct sim_model *model,
                                         const struct team *team,
                                         struct random_source *random,
                                         struct reading *reading);

#endif
