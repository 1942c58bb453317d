/* Kernels of one's own under the discipline of the probes.
 *
 *   files ─► sweep: points ─► a trial of each, alone in a child ─► passes ─► results
 *
 * The trial finds what is broken: a crash, a hang, a write past the buffer, a spoiled
 * register, a wrong value; it also sizes the batch. A pass is a child that loads the
 * files anew and visits all sound points in rounds of random order; then those that are
 * compared meet in duels, turn by turn. */
#ifndef SONDE_BENCH_BENCH_H
#define SONDE_BENCH_BENCH_H

#include "bench/kernel_file.h"
#include "machine/counters.h"
#include "measure/meter.h"
#include "measure/series.h"

#include <signal.h>
#include <stdbool.h>

enum bench_mode { MODE_NONE, MODE_N, MODE_SPAN, MODE_COUNT };
/* "", "n", "span". */
const char *sonde_bench_mode_name(enum bench_mode mode);

enum {
    BENCH_POINTS_MAX = 4096,
    BENCH_LISTS_MAX = 32,
    /* While a comparison is undecided, so many times the samples that were asked for. */
    BENCH_SETS_MOST = 8,
};

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
    const char *baseline, *control;      /* names of kernels, or NULL */
    const struct counter_list *counters; /* counted in every sample; NULL: none */
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

/* What two kernels took when they met in one pass: time of a call, ns. */
struct bench_duel {
    double point_ns, base_ns;
};

/* Events of a call, as the passes told them. */
struct bench_count {
    double sum; /* of the means of passes */
    size_t passes;
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
    struct series_point figures;             /* of a call, ns; NaN without samples */
    struct bench_count counts[COUNTERS_MAX]; /* in the order of the options' list */
    struct bench_comparison against;         /* the baseline */
    struct bench_comparison control;
};

/* Two points that are compared. */
struct bench_match {
    size_t point, base; /* indices */
    bool control; /* the outcome is the base's `control`, not the point's `against` */
    struct bench_duel *duels; /* owned; one a pass */
    size_t count;
};

/* What an empty call takes by itself, in the moments in which this thread had the core
 * alone: many short batches, tried in each pass (overhead.c). */
struct bench_overhead {
    struct sample *samples; /* owned; all that were tried */
    size_t tried;
    struct series_point figures; /* of those alone; its statistic is the low quartile */
    bool shared;                 /* too few were: the figures are of all */
};

struct bench {
    struct bench_files *files;
    const struct bench_options *options;
    struct meter meter;
    const struct scales *scales;
    struct bench_point *points; /* the first is the empty kernel */
    size_t count;
    size_t passes;
    struct bench_overhead overhead;
    struct bench_match *matches;
    size_t match_count;
    size_t target; /* duels of each match: more than samples of a point while undecided */
    bool interrupted;
};

/* --- sweep.c --- The points of all kernels: modes by parameters. 0, -EINVAL with one
 * line for a bad list, -ENOMEM. */
int sonde_bench_sweep(struct bench *bench, struct message *why);

/* --- bench.c --- Tries and measures all points; broken ones say so in `problem`. 0,
 * -EINTR (what is done is there), or a negative errno with one line. */
int sonde_bench_measure(struct bench *bench, struct message *why);
void sonde_bench_free(struct bench *bench);
/* Time of an empty call beside the others, on the core as they had it: the low quartile;
 * NaN. */
double sonde_bench_empty_ns(const struct bench *bench);
/* Of a call, counter number `counter`; NaN: not counted. */
double sonde_bench_events(const struct bench_point *point, size_t counter);

/* --- overhead.c --- Adds what pass number `pass` tried; -ENOMEM. */
int sonde_bench_overhead_add(struct bench_overhead *overhead, uint32_t pass,
                             const struct sample *samples, size_t count);
/* Works the figures out; `scales` tell what all of the core is. -ENOMEM. */
int sonde_bench_overhead_conclude(struct bench_overhead *overhead,
                                  const struct scales *scales);
void sonde_bench_overhead_free(struct bench_overhead *overhead);

/* --- doubts.c --- Says in `doubts` what makes the figures of points doubtful. */
void sonde_bench_doubt(struct bench *bench);

/* --- matches.c --- Who is compared with whom: every point with its counterpart of the
 * baseline, and the control's with that of the baseline (or with every point). -ENOMEM.
 */
int sonde_bench_match_all(struct bench *bench);
void sonde_bench_match_free(struct bench *bench);
/* Whether another duel of this match is wanted. */
bool sonde_bench_match_wants(const struct bench *bench, const struct bench_match *match);
/* Whether there is a match that more duels may decide. */
bool sonde_bench_match_open(const struct bench *bench);
/* What is in every time and belongs to none of the kernels: where calls are made alone,
 * what an empty one takes; else 0. */
double sonde_bench_fence_ns(const struct bench *bench);
/* Writes what the duels say to the points. */
void sonde_bench_match_conclude(struct bench *bench);
/* The match that gave `point->against`; NULL: none. */
const struct bench_match *sonde_bench_match_of(const struct bench *bench,
                                               const struct bench_point *point);

/* --- pairs.c --- How the time of the points stands to that of the bases: median of the
 * pairwise means of logarithms (Hodges and Lehmann) with the interval of the signed-rank
 * test. `fence_ns` is in every time and is taken off. */
struct bench_comparison sonde_bench_compare(const struct bench_duel *duels, size_t count,
                                            double fence_ns);
/* The same on plain numbers: differences of logarithms. */
struct bench_comparison sonde_bench_compare_logs(const double *differences, size_t count);

#endif
