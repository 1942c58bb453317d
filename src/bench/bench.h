/* Kernels of one's own under the discipline of the probes.
 *
 *   files ─► sweep: points ─► a trial of each, alone in a child ─► passes ─► results
 *
 * The trial finds what is broken: a crash, a hang, a write past the buffer, a spoiled
 * register, a wrong value; it also sizes the batch. A pass is a child that loads the
 * files anew and visits all sound points in rounds of random order. Samples of one round
 * are neighbours in time, so that two kernels are compared pair by pair. */
#ifndef SONDE_BENCH_BENCH_H
#define SONDE_BENCH_BENCH_H

#include "bench/kernel_file.h"
#include "measure/meter.h"
#include "measure/series.h"

#include <signal.h>
#include <stdbool.h>

enum bench_mode { MODE_NONE, MODE_N, MODE_SPAN, MODE_COUNT };
/* "", "n", "span". */
const char *sonde_bench_mode_name(enum bench_mode mode);

enum { BENCH_POINTS_MAX = 4096, BENCH_LISTS_MAX = 32 };

struct bench_list {
    const char *name, *list; /* of --param NAME=LIST */
};

struct bench_options {
    struct bench_list lists[BENCH_LISTS_MAX];
    size_t list_count;
    bool modes[MODE_COUNT];
    bool check_sum; /* kernels without a check must return the sum of their words */
    bool alone;     /* wait for each call to end before the next */
    double timeout_s;
    size_t samples;
    uint64_t seed;
    const char *baseline, *control; /* names of kernels, or NULL */
    const volatile sig_atomic_t *interrupted;
    void (*progress)(void *self, const char *what, double done, double left_s);
    void *self;
};

enum bench_verdict {
    BENCH_NO_VERDICT, /* there is nothing to compare */
    BENCH_EQUAL,      /* the whole interval lies within 1 % */
    BENCH_FASTER,
    BENCH_SLOWER,
    BENCH_INCONCLUSIVE, /* the spread is larger than the difference */
};
/* "", "equal", "faster", "slower", "inconclusive". */
const char *sonde_bench_verdict_name(enum bench_verdict verdict);

struct bench_comparison {
    enum bench_verdict verdict;
    size_t pairs;
    double ratio, low, high; /* time over the baseline's; 99 % interval */
};

struct bench_point {
    const struct bench_kernel *kernel; /* NULL: the empty kernel, which is the overhead */
    enum bench_mode mode;
    long arguments[BENCH_PARAMETERS_MAX];
    char label[120]; /* "n=4096 stride=8" */
    uint64_t buffer_bytes;
    double elements, bytes, operations; /* of one call; 0: not declared */
    uint64_t steps;                     /* calls of a batch */
    bool checked, broken, few_tries;
    char problem[240]; /* why broken, in one clause */
    char doubts[240];  /* what makes the figures doubtful; "" none */
    double call_ns;    /* as the trial saw it */
    double alone_ns;   /* the same, each call waiting for the one before */
    double doubling;   /* time of twice the calls over twice the time; NaN unknown */
    struct sample *samples;
    size_t sample_count;
    struct series_point figures;     /* of a call, ns; NaN when broken */
    struct bench_comparison against; /* the baseline */
    struct bench_comparison control;
};

struct bench {
    struct bench_files *files;
    const struct bench_options *options;
    struct meter meter;
    const struct scales *scales;
    struct bench_point *points; /* the first is the empty kernel */
    size_t count;
    size_t passes;
    size_t target; /* samples of each point: more than asked for while undecided */
    bool interrupted;
};

/* --- sweep.c --- The points of all kernels: modes by parameters. 0, -EINVAL with one
 * line for a bad list, -ENOMEM. */
int sonde_bench_sweep(struct bench *bench, struct message *why);

/* --- bench.c --- Tries and measures all points; broken ones say so in `problem`. 0,
 * -EINTR (what is done is there), or a negative errno with one line. */
int sonde_bench_measure(struct bench *bench, struct message *why);
void sonde_bench_free(struct bench *bench);
/* Time of an empty call: the low quartile, since it belongs to this core alone; NaN. */
double sonde_bench_overhead_ns(const struct bench *bench);

/* --- pairs.c --- How the time of `point` stands to that of `base`, from the samples of
 * rounds that both have: median of the pairwise means of logarithms (Hodges and Lehmann)
 * with the interval of the signed-rank test. */
struct bench_comparison sonde_bench_compare(const struct bench_point *point,
                                            const struct bench_point *base);
/* The same on plain numbers: differences of logarithms. */
struct bench_comparison sonde_bench_compare_logs(const double *differences, size_t count);

#endif
