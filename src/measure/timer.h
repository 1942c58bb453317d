/* The clock that times samples: the tick counter where it can be trusted, otherwise
 * CLOCK_MONOTONIC_RAW. Chosen when the scales are weighed. */
#ifndef SONDE_MEASURE_TIMER_H
#define SONDE_MEASURE_TIMER_H

#include <stdbool.h>
#include <stdint.h>

struct timer {
    bool ticks;         /* reads the tick counter rather than the system's clock */
    double ns_per_tick; /* 1 for the system's clock */
    double cost_ns;     /* of one read, taken off every interval */
};

/* Nanoseconds of CLOCK_MONOTONIC_RAW (CLOCK_MONOTONIC where there is no raw clock). */
uint64_t sonde_measure_raw_ns(void);
/* A reading in the timer's own ticks. */
uint64_t sonde_measure_timer_read(const struct timer *timer);
/* The time between two readings in ns, one read's cost taken off, never below 0. */
double sonde_measure_timer_between(const struct timer *timer, uint64_t from, uint64_t to);

/* Does the raw clock change at all? Looks for a tenth of a second at most. */
bool sonde_measure_clock_moves(void);
/* Rate of the tick counter against the raw clock: two anchors, each the narrowest of up
 * to 50 (tick, raw, tick) brackets in which the raw clock had just changed. */
struct tick_anchor {
    uint64_t raw_ns, ticks;
    uint64_t width_ticks; /* of the bracket: bounds the error of the anchor */
};
struct tick_anchor sonde_measure_tick_anchor(void);
double sonde_measure_tick_rate(const struct tick_anchor *from,
                               const struct tick_anchor *to);

#endif
