/* The scales, weighed before anything else: every clock, the core clock, lost time. */
#ifndef SONDE_MEASURE_SCALES_H
#define SONDE_MEASURE_SCALES_H

#include <stdbool.h>
#include <stddef.h>

enum { CLOCKS_MAX = 12 };

struct clock_scale {
    const char *name;    /* "CLOCK_MONOTONIC_RAW", "tsc", "clock()" */
    const char *purpose; /* what it is for, one clause */
    bool available;
    double announced_ns; /* clock_getres and the like; NaN: nothing announced */
    double step_ns;      /* the step actually seen (GCD of differences); NaN: none seen */
    double cost_ns;      /* median cost of a read */
    double smallest_ns;  /* the smallest interval it can tell apart */
    double backwards;    /* backward steps seen between reads and between CPUs */
    bool across_cpus;    /* it was handed from CPU to CPU (see warp_pairs) */
};

struct scales {
    struct clock_scale clocks[CLOCKS_MAX];
    size_t clock_count;
    const char *timer; /* name of the clock that times samples */
    double timer_step_ns, timer_cost_ns;
    double tick_hz;        /* calibrated; NaN: no tick counter */
    double tick_error_ppm; /* disagreement of the two anchors */
    double tick_drift_ppm; /* change from start to end; NaN until rechecked */
    double core_hz;        /* median from dependent adds; NaN: not measurable */
    double core_hz_low, core_hz_high; /* 10th and 90th percentile: the drift */
    double multiply_ratio;            /* multiply chain over add chain */
    double integral_share;   /* share of tries with that ratio within 1 % of an integer */
    bool core_clock_trusted; /* that above one half, or the low quartiles whole within 1 %
                              */
    double parallelism;      /* dependent over independent adds */
    double whole_share;      /* the same of a core had alone; NaN: hardly a try had it */
    double load_ratio;       /* dependent L1 load over add */
    bool emulator_suspected; /* no try in a hundred had undisturbed adds, a whole ratio
                                and independent adds that overlap */
    double lost_share;       /* of wall time in gaps above 2 µs while spinning */
    double gaps_long;        /* gaps above 100 µs in a second of spinning */
    double watched_s;        /* how long it spun */
    size_t warp_pairs;       /* pairs of CPUs between which clocks were compared */
};

#endif
