/* What happens in the children: trials and passes (see bench.h). */
#ifndef SONDE_BENCH_TRIAL_H
#define SONDE_BENCH_TRIAL_H

#include "bench/bench.h"
#include "bench/child.h"

enum { PASS_ROUNDS = 3 };

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
    /* Of each point, in the order of the bench's: */
    struct pass_point {
        unsigned wanted; /* samples; 0: it is left out */
        unsigned count;
        bool wrong;
        struct sample samples[PASS_ROUNDS];
    } points[];
};

/* The work of a child: one pass; `argument` is a struct pass. */
void sonde_bench_pass(void *argument);

#endif
