/* What branches cost, and what predictors of branches remember. */
#ifndef SONDE_INFER_BRANCH_H
#define SONDE_INFER_BRANCH_H

#include "infer/finding.h"
#include "measure/series.h"

/* Places on the first axis of the series `patterns`. */
enum branch_pattern {
    PATTERN_ALWAYS,
    PATTERN_NEVER,
    PATTERN_SORTED,
    PATTERN_ALTERNATING,
    PATTERN_ONE_IN_4,
    PATTERN_ONE_IN_16,
    PATTERN_RANDOM, /* outcomes that were never seen before */
    PATTERNS
};

/* Places on the axes of the series `classic`: bodies, and orders of the data. */
enum branch_body { BODY_COMPILED, BODY_KEPT, BODY_ARITHMETIC, BODIES };
enum branch_order { BRANCH_ORDER_RANDOM, BRANCH_ORDER_SORTED, BRANCH_ORDERS };

/* Cycles that a misprediction costs, of a series whose first axis is enum branch_pattern:
 * (random - mean of always and never) / 0.5, with its interval. 0; -ENODATA when one of
 * the three has no figures, or the core clock was not known. */
int sonde_infer_branch_penalty(const struct series *patterns, double *cycles, double *low,
                               double *high);

/* Adds branch.mispredict (cycles), branch.sorting, branch.arithmetic and branch.compiled
 * (ratios), and the controls. `compiled_branches` are those inside the loop of the
 * compiler's body by its machine code; negative: not known. 0 or -ENOMEM. */
int sonde_infer_branch(const struct series *patterns, const struct series *classic,
                       int compiled_branches, struct findings *findings);

struct history_series {
    const struct series *outcomes; /* axis: enum branch_pattern; the scale of all */
    const struct series *memory;   /* axes: period of a repeated random pattern, seed */
    const struct series *returns;  /* axis: depth of nested calls; cost of all of them */
    const struct series *targets;  /* axes: targets in a cycle, seed; cost of a call */
    const struct series *shuffled; /* the same calls in random order, most targets only */
    const struct series *taken;    /* axes: branches in a row, bytes from one to the next;
                                      cost of each */
    const struct series *straight; /* the same code with none of them taken */
};

/* Adds history.pattern (outcomes), history.return_stack, history.targets and, for each of
 * TAKEN_SPACINGS, history.btb.<bytes> (counts) and their controls. What is beyond the
 * largest that was tried has no value, only a lower bound. A series may be NULL or empty:
 * its finding then says so. 0 or -ENOMEM. */
int sonde_infer_history(const struct history_series *series, struct findings *findings);

/* Adds history.btb.<spacing> and its control: the longest row of taken branches so many
 * bytes apart whose targets are known in time. `penalty`: what a misprediction costs, in
 * cycles; NaN: not known, and the finding says so. 0 or -ENOMEM. */
int sonde_infer_taken(const struct history_series *series, unsigned spacing,
                      double penalty, struct findings *findings);

#endif
