/* The counters of a planted machine. */
#ifndef SONDE_MEASURE_SIMULATION_COUNT_H
#define SONDE_MEASURE_SIMULATION_COUNT_H

#include "machine/counters.h"
#include "measure/meter.h"
#include "measure/simulation_cache.h"
#include "measure/simulation_model.h"

/* Zeroed counts nothing. */
struct sim_count {
    const struct counter_list *list; /* NULL: nothing is counted */
    size_t at_once;                  /* events of a group */
    uint64_t phase;                  /* of the groups' turns */
    double miss[SIM_LEVELS_MAX];     /* per step of the latest ring, by level */
    bool ring;                       /* the latest placement was one */
};

/* As meter_ops.count: cycles, instructions, l1-misses and llc-misses are planted. */
int sonde_measure_simulation_count_open(struct sim_count *count,
                                        const struct sim_model *model,
                                        const struct counter_list *list,
                                        struct message *why);
/* What the sample of `steps` counted, which took `ns` at a clock of `hz`. */
void sonde_measure_simulation_count_sample(struct sim_count *count,
                                           const struct sim_model *model,
                                           const struct point *point, uint64_t steps,
                                           double ns, double hz, struct reading *reading);

#endif
