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

/* About 6 µs: 16000 dependent adds and as many independent ones. */
struct pulse sonde_measure_pulse(const struct timer *timer);

/* What the timer's step is of the shorter chain of a pulse: so far its share is off. NaN:
 * the scales do not tell. */
double sonde_measure_pulse_blur(const struct scales *scales);

/* Nanoseconds a step of dependent adds, multiplies, independent adds and loads, all
 * within some 25 µs. */
struct chain_try {
    double add, multiply, wide, load;
};

/* What `count` tries say: fills core_hz and its quantiles, multiply_ratio,
 * integral_share, core_clock_trusted, parallelism, whole_share, load_ratio and
 * emulator_suspected. Without tries figures are NaN and nothing is taken for silicon. 0
 * or -ENOMEM. */
int sonde_measure_judge_chains(const struct chain_try *tries, size_t count,
                               struct scales *scales);

/* Repeats tries for about `seconds`, up to five times as long while they do not show the
 * silicon, and judges them. 0 or -ENOMEM. */
int sonde_measure_core_clock(const struct timer *timer, double seconds,
                             struct scales *scales);

#endif
