/* The harness: runs a plan on a meter under the discipline.
 *
 * Every round visits all unfinished points in a new random order, each on fresh memory;
 * per visit a warm-up, then a few samples between two readings of the core clock. Samples
 * over which the clock moved by more than 2 %, or the thread lost its CPU, are counted
 * and set aside. Points stop by the rule of METHODS ("Statistics defaults"), looked at
 * after 21, 41, 81, 161 and 201 samples. */
#ifndef SONDE_MEASURE_HARNESS_H
#define SONDE_MEASURE_HARNESS_H

#include "measure/meter.h"
#include "measure/plan.h"
#include "measure/series.h"

#include <signal.h>
#include <stdbool.h>

enum effort_level { EFFORT_QUICK, EFFORT_DEFAULT, EFFORT_FULL };

struct effort {
    enum effort_level level;
    double scale; /* 1, or what --budget makes of it: scales samples, not points */
};

struct run_control {
    uint64_t seed;
    struct effort effort;
    /* Wall clock for this plan, once its memory is there: mapping and touching it counts
     * for the session, not against the samples. */
    double budget_s;
    bool keep_samples;
    /* The best share of the core in the plans of a session, NaN at first; what counts as
     * a whole core for throughputs, and kept up to date. NULL: no session. */
    double *whole_share;
    const volatile sig_atomic_t *interrupted; /* may be NULL */
    const struct counter_list *counters;      /* that the meter counts; NULL: none */
    /* Called now and then: share of the plan done, and seconds left (NaN: not known yet).
     */
    void (*progress)(void *self, double done, double left_s);
    void *progress_self;
};

/* Runs `plan` and appends one series per series of the plan to `list`. 0; -EINTR after an
 * interrupt (what was measured is there, flagged); -EINVAL for a malformed plan. A point
 * that failed is in its series with n = 0 and flags, never missing. */
int sonde_measure_run(const struct plan *plan, struct meter *meter,
                      const struct scales *scales, const struct run_control *control,
                      struct series_list *list, struct message *why);

#endif
