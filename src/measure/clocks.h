/* Every clock on the scales: step, cost, the smallest interval, backward steps. */
#ifndef SONDE_MEASURE_CLOCKS_H
#define SONDE_MEASURE_CLOCKS_H

#include "base/cpulist.h"
#include "measure/scales.h"
#include "measure/timer.h"

/* Weighs all clocks into scales->clocks and chooses the timer (scales->timer and the
 * calibration of the tick counter with it). `seconds` bounds the time. */
void sonde_measure_clocks(double seconds, struct scales *scales, struct timer *timer);

/* Hands readings of the tick counter from CPU to CPU and counts how often one was earlier
 * than the one before it; fills `backwards` of the tick counter and of the raw clock.
 * Needs two CPUs, otherwise they stay unknown. */
void sonde_measure_warp(const struct cpulist *cpus, struct scales *scales);

/* Spins for `seconds` and fills lost_share, gaps_long, watched_s: gaps above 2 µs are
 * time that was taken from this thread. NaN where the timer's own step is longer. */
void sonde_measure_lost_time(const struct timer *timer, double seconds,
                             struct scales *scales);

#endif
