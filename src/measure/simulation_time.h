/* Time on a planted machine: it moves only when something is said to take some. */
#ifndef SONDE_MEASURE_SIMULATION_TIME_H
#define SONDE_MEASURE_SIMULATION_TIME_H

#include "base/random.h"
#include "measure/scales.h"
#include "measure/simulation_model.h"

#include <stdbool.h>

struct sim_time {
    const struct sim_model *model;
    struct random_source random; /* of all disturbances */
    double now_ns, spell_phase_s;
};

void sonde_measure_simulation_time_open(struct sim_time *time,
                                        const struct sim_model *model, uint64_t seed);
/* The core's clock now, its drift included. */
double sonde_measure_simulation_hz(const struct sim_time *time);
/* By how much a neighbour slows throughput now: 1 or more. */
double sonde_measure_simulation_slowdown(const struct sim_time *time);
/* Independent adds per cycle, as arithmetic shows it: the width, or an emulator's 1.2. */
double sonde_measure_simulation_width(const struct sim_model *model);
/* Lets work of `ns` pass undisturbed and says what the timer shows for it. */
double sonde_measure_simulation_time_quietly(struct sim_time *time, double ns);
/* The same with noise, spikes and interruptions; `switched` tells of the latter. */
double sonde_measure_simulation_time_work(struct sim_time *time, double ns,
                                          bool *switched);
/* The clocks and chains as weighing would find them; takes `seconds`. */
void sonde_measure_simulation_weigh(struct sim_time *time, double seconds,
                                    struct scales *scales);

#endif
