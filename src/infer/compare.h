/* Which differences between two sides are real.
 *
 * A side is a group of whole runs in fresh processes; the run is the unit that is
 * replicated, since samples of one process share its pages, its neighbours and its luck.
 * All in logarithms: what is compared is a ratio. Method: docs/METHOD.md, "Comparing". */
#ifndef SONDE_INFER_COMPARE_H
#define SONDE_INFER_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One finding in one run. What its rounds say of it is its interval. */
struct compare_run {
    double value;      /* finite */
    double low, high;  /* NaN: no interval */
    double confidence; /* NaN: unknown */
};

struct compare_side {
    const struct compare_run *runs;
    size_t count;
};

enum compare_outcome {
    COMPARE_SAME,         /* no difference beyond `detectable` */
    COMPARE_REAL,         /* a difference that counts */
    COMPARE_INCONCLUSIVE, /* it looks like one; `why` says what is missing */
    COMPARE_ONLY_A,       /* not measured on the other side */
    COMPARE_ONLY_B,
    COMPARE_NEITHER,
};
/* "same", "real", "inconclusive", "only A", "only B", "neither". */
const char *sonde_infer_compare_name(enum compare_outcome outcome);

struct comparison {
    size_t runs_a, runs_b;
    double a, b;       /* medians over the runs; NaN: none */
    double ratio;      /* b over a; NaN where there is none */
    double low, high;  /* 95 % interval of it: runs drawn anew, then within runs */
    double shift;      /* Hodges and Lehmann's, as a ratio: robust beside `ratio` */
    double noise;      /* log ratio that halves of one side differ by; NaN: unknown */
    double error;      /* standard error of the log ratio; NaN: unknown */
    double freedom;    /* degrees of it */
    double p;          /* of no difference; NaN where a run stands alone on each side */
    double detectable; /* smallest ratio above 1 that would have counted, four times of
                          five; NaN: unknown */
    enum compare_outcome outcome;
    const char *why; /* a literal; NULL: nothing to add */
};

/* Fills all but the final judgement (`detectable`, `outcome` of replicated findings),
 * which needs all findings. `structure`: what a machine is built of (a size, a count)
 * rather than how fast it is. Deterministic in `seed`. 0 or -ENOMEM. */
int sonde_infer_compare(const struct compare_side *a, const struct compare_side *b,
                        bool structure, uint64_t seed, struct comparison *out);
/* Judges `count` findings together (Holm's correction): a difference counts if its
 * corrected p is below 1 %, its interval excludes 1, and it is larger than 2 % and than
 * what halves of one side differ by. */
void sonde_infer_compare_settle(struct comparison *rows, size_t count);

/* Two-sided p of Student's t, and the t that leaves p. */
double sonde_infer_student_p(double t, double freedom);
double sonde_infer_student_t(double p, double freedom);

/* --- ranks.c: two-sided p of Mann and Whitney's test on ascending values: exact up to 40
 * a side (ties count half, and against the difference), beyond that by the normal
 * distribution. 0 or -ENOMEM. */
int sonde_infer_mann_whitney(const double *a, size_t n, const double *b, size_t m,
                             double *p);

/* --- compare_names.c ------------------------------------------------------------------
 */

enum better { BETTER_NEITHER, BETTER_LOWER, BETTER_HIGHER };
/* Which way a finding is better: less time, more size or rate. */
enum better sonde_infer_better(const char *name, const char *unit);
/* Does it describe the circumstances of the measurement rather than the machine? */
bool sonde_infer_circumstance(const char *name);
/* Is it what a machine is built of? */
bool sonde_infer_structure(const char *name, const char *unit);

#endif
