/* Short chains of register arithmetic around a sample: what the core's clock is right
 * now, and how much of the core this thread has. */
#ifndef SONDE_MEASURE_CHAINS_H
#define SONDE_MEASURE_CHAINS_H

#include "measure/scales.h"
#include "measure/timer.h"

struct pulse {
    double hz;    /* dependent adds per second: the core clock; NaN: no time passed */
    double share; /* independent adds per dependent-add time: the share of the core */
};

/* About 6 µs: 16000 dependent adds and 8000 independent ones. */
struct pulse sonde_measure_pulse(const struct timer *timer);

/* What the ratio of the low quartiles of multiply and add, how many adds overlap, and the
 * share of tries with a whole ratio say: fills parallelism, integral_share,
 * core_clock_trusted and emulator_suspected. NaN is no evidence of silicon. */
void sonde_measure_judge_chains(double quartile_ratio, double parallelism,
                                double integral_share, struct scales *scales);

/* Repeats adds against multiplies and loads for about `seconds` and fills core_hz and its
 * quantiles, multiply_ratio, integral_share, core_clock_trusted, parallelism, load_ratio
 * and emulator_suspected. 0 or -ENOMEM. */
int sonde_measure_core_clock(const struct timer *timer, double seconds,
                             struct scales *scales);

#endif
