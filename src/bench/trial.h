/* What happens in the children: loading, trials and passes (see bench.h). */
#ifndef SONDE_BENCH_TRIAL_H
#define SONDE_BENCH_TRIAL_H

#include "bench/bench.h"
#include "bench/child.h"
#include "bench/subject.h"
#include "measure/plan.h"

enum {
    PASS_ROUNDS = 3,
    PASS_EMPTIES = 300, /* batches of empty calls at most, half of them pulses: 20 ms */
};

enum trial_phase {
    TRIAL_LOAD, /* the file is loaded and the function looked up */
    TRIAL_CALL, /* single calls, watched */
    TRIAL_TIME, /* batches */
    TRIAL_ENDED,
};

/* Shared with the child. */
struct trial {
    struct child_trace trace;
    const struct bench *bench;
    size_t point;
    volatile uint32_t phase;
    long distance;        /* where a guard was touched, see subject.h */
    uint64_t buffer_from; /* of the buffer in the child */
    char problem[200];    /* found by looking rather than by crashing */
    uint64_t steps;
    double call_ns, alone_ns, doubling;
};

/* The work of a child: tries one point; `argument` is a struct trial. */
void sonde_bench_trial(void *argument);

struct pass {
    struct child_trace trace;
    const struct bench *bench;
    uint64_t seed;
    uint32_t number;
    volatile uint32_t current; /* the point at work */
    char problem[200];
    struct pass_empties {
        unsigned count;
        struct sample samples[PASS_EMPTIES];
    } empties;
    /* Of each match, in the order of the bench's; behind the points: */
    struct pass_match {
        bool wanted, fought;
        struct bench_duel duel;
    } * matches;
    /* Of each point, likewise: */
    struct pass_point {
        unsigned wanted; /* samples; 0: it is left out */
        unsigned count;
        bool wrong;
        struct sample samples[PASS_ROUNDS];
        double events[COUNTERS_MAX]; /* of a call; NaN: not counted */
    } points[];
};

/* The work of a child: one pass; `argument` is a struct pass. */
void sonde_bench_pass(void *argument);

/* --- overhead.c --- Takes batches of the empty call until enough of them had the core
 * alone, or 20 ms are over. 0 or the meter's error. */
int sonde_bench_overhead_try(const struct bench *bench, const struct point *point,
                             struct pass_empties *empties, struct message *why);

/* --- load.c */

/* Looks the kernel of a point up (the empty one's where there is none) and readies its
 * subject. -ENOENT or -ENOEXEC: it is not there. */
int sonde_bench_load(const struct bench *bench, const struct bench_point *point,
                     struct bench_subject *subject);
/* A subject, which must live on, as a point: batches of `steps` calls. */
struct point sonde_bench_point(const struct bench_subject *subject, uint64_t steps);
/* A plan of one series; free it in any case. */
int sonde_bench_plan_open(struct plan *plan);
int sonde_bench_plan_add(struct plan *plan, const struct bench_subject *subject,
                         uint64_t steps, unsigned samples);
int sonde_bench_plan_run(const struct bench *bench, const struct plan *plan,
                         uint64_t seed, const struct counter_list *counters,
                         struct series_list *list, struct message *why);

#endif
