/* Somebody else's function as a point of a plan: its buffer between guard pages, its
 * arguments, and the check of what it returns. */
#ifndef SONDE_BENCH_SUBJECT_H
#define SONDE_BENCH_SUBJECT_H

#include "arch/arch.h"
#include "kernels/kernel.h"
#include "measure/plan.h"

#include "sonde.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bench_call {
    arch_function *function;
    long arguments[4];
    long zero; /* 0, which no compiler and no core knows beforehand */
    long last; /* what the last call returned */
    bool alone;
    unsigned chain;  /* which of the loops: of each function another, see arch.h */
    unsigned passed; /* how many of the arguments at least, in a chain */
};

/* Kernel of the harness: `argument` is a struct bench_call; the sum of all values. */
kernel_function sonde_bench_calls_run;
/* The row that stands for it in plans. */
extern const struct kernel sonde_bench_calls;
arch_function sonde_bench_empty;

enum { SUBJECT_ARGUMENTS = 4 };

struct bench_subject {
    struct bench_call call;
    size_t bytes; /* of the buffer; 0: none, and the function gets NULL */
    bool at_end;  /* the buffer ends at the guard (otherwise it begins behind one) */
    sonde_setup_function *setup; /* NULL: random words */
    sonde_check_function *check; /* NULL: none */
    bool sum;                    /* must return the sum of its words */
    long sum_count, sum_stride;  /* so many words, so many bytes apart */
    long expected;               /* of one call, when `sum` */
    char *map, *buffer;
    size_t map_bytes;
    /* Told at the begin of a visit and after every batch; may be NULL. */
    void (*beat)(void *self, uint64_t steps);
    void *self;
    struct subject hooks; /* for a point of a plan */
};

/* Completes a subject whose fields above `map` and below it are set. */
void sonde_bench_subject_ready(struct bench_subject *subject);
/* Maps the buffer afresh and fills it. 0 or -ENOMEM. */
int sonde_bench_subject_prepare(struct bench_subject *subject, uint64_t seed);
/* One watched call. False: the answer is wrong. */
bool sonde_bench_subject_watch(struct bench_subject *subject, uint64_t *broken);
/* Bytes between the buffer and the guard that were overwritten. */
size_t sonde_bench_subject_spilt(const struct bench_subject *subject);
/* Where an address lies to the buffer: bytes past its end (positive), before its start
 * (negative); 0: elsewhere. */
long sonde_bench_subject_distance(const struct bench_subject *subject, uint64_t address);
void sonde_bench_subject_close(struct bench_subject *subject);

#endif
