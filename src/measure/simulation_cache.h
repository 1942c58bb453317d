/* What a placement costs on the planted machine. */
#ifndef SONDE_MEASURE_SIMULATION_CACHE_H
#define SONDE_MEASURE_SIMULATION_CACHE_H

#include "measure/plan.h"
#include "measure/simulation_model.h"

#include <stdint.h>

/* Counters of lines by set, grown once and used again. Zeroed is empty. */
struct sim_sets {
    uint32_t *count[SIM_LEVELS_MAX]; /* each of model->levels[i].sets; owned */
};
int sonde_measure_simulation_sets_open(const struct sim_model *model,
                                       struct sim_sets *sets);
void sonde_measure_simulation_sets_close(struct sim_sets *sets);

/* Mean cost of one step of a chase in steady state. */
struct sim_cost {
    double cycles; /* goes with the core's clock */
    double ns;     /* does not: memory */
};

/* The ring of `layout` at the (virtual) address `base`, its page frames drawn from
 * `seed`. */
struct sim_cost sonde_measure_simulation_chase(const struct sim_model *model,
                                               struct sim_sets *sets,
                                               const struct layout *layout, uint64_t base,
                                               uint64_t seed);

/* Of the same ring: miss[i] is the share of steps that miss level i and all above. */
void sonde_measure_simulation_misses(const struct sim_model *model, struct sim_sets *sets,
                                     const struct layout *layout, uint64_t base,
                                     uint64_t seed, double *miss);

/* Share of misses when every one of `lines` lines of a set of a level with LRU and `room`
 * places is met `visits` times (1 or more) in a cycle. `near` is how many lines of the
 * set lie between visits that fall into the same window; NaN: no windows, the visits lie
 * anywhere in the cycle. */
double sonde_measure_simulation_lru_miss(double lines, double room, double visits,
                                         double near);
/* The same for random replacement, one visit: the fixed point of
 * m = 1 - (1 - 1/room)^(lines m). */
double sonde_measure_simulation_random_miss(double lines, double room);

#endif
