/* Probe `history`: what the core remembers of branches.
 *
 *   outcomes  one branch that is always taken, never taken, and random without end:
 *             the scale for all that follows
 *   memory    the same branch on a random pattern that is repeated, its period doubled
 *   returns   calls in each other, one level deeper each time
 *   targets   indirect calls of targets in a cycle, their number doubled
 *   shuffled  the same calls in random order, drawn anew for each sample
 *   taken     rows of taken branches, longer and longer, at several spacings
 *   straight  the same code with no branch taken
 *
 * A predictor learns while it is timed, and points visited in between would make it
 * forget. So patterns, targets and rows take all samples of a point in one visit, the low
 * quartile of which is what the core does once it has learned; several seeds stand for
 * the rounds. What can fool it: see infer/branch_history.c and infer/branch_taken.c. */
#include "probes/probe.h"

#include "infer/branch.h"
#include "kernels/calls.h"
#include "kernels/taken.h"

#include <errno.h>

/* Outcomes in a block: the longest pattern twice. A sample of a shorter pattern has half
 * as many, at a cycle each: the shorter it is, the more of them escape the scheduler. */
static const uint64_t outcomes = 131072;
/* Samples of a visit to the scale, which all else is held against, and to calls: on a
 * busy machine they get no second one. */
static const unsigned visit_samples = 9;
/* From a pattern that any predictor with a history learns, to one beyond all. */
static const uint64_t period_first = 16, period_last = 65536;
static const unsigned seeds = 5;
/* With each sample a pattern of the longest period is seen twice more. */
static const unsigned samples = 16;
/* Calls a sample: nested ones at a few cycles each; of a cycle of targets, whose calls
 * have branches before them, the largest eight times over. */
static const uint64_t nested = 16384, calls = 8192;
/* Visits of each number of targets; where taken branches meet in the buffers of branch
 * targets differs from one to the next. */
static const unsigned target_seeds = 3;

/* The shortest of the rows, and from which on there is one between two powers of two. */
static const uint64_t row_first = 64, row_finer = 512;
/* Branches a sample, and its repetitions: each row is known after one pass. */
static const uint64_t row_branches = 65536;
static const unsigned row_samples = 9;
static const struct {
    const char *kernel;
    unsigned spacing;
} rows[] = {{"taken_16", 16}, {"taken_32", 32}, {"taken_64", 64}};

/* Branches that are known for what they have done, calls, and rows of taken branches are
 * measured one after the other, each in its own part of the time: on a busy machine none
 * starves the next. */
enum { OUTCOMES, MEMORY };
static const struct series_plan branch_series[] = {
    [OUTCOMES] = {.name = "outcomes",
                  .axes = {{"pattern", "", "category"}},
                  .axis_count = 1,
                  .quantity = "time of a branch",
                  .unit = "ns",
                  .statistic = STATISTIC_Q25},
    [MEMORY] = {.name = "memory",
                .axes = {{"period", "count", "log2"}, {"seed", "count", "linear"}},
                .axis_count = 2,
                .quantity = "time of a branch",
                .unit = "ns",
                .statistic = STATISTIC_Q25},
};

enum { RETURNS, TARGETS, SHUFFLED };
static const struct series_plan call_series[] = {
    [RETURNS] = {.name = "returns",
                 .axes = {{"depth", "count", "linear"}},
                 .axis_count = 1,
                 .quantity = "time of all calls and returns",
                 .unit = "ns",
                 .statistic = STATISTIC_Q25},
    [TARGETS] = {.name = "targets",
                 .axes = {{"targets", "count", "log2"}, {"seed", "count", "linear"}},
                 .axis_count = 2,
                 .quantity = "time of a call",
                 .unit = "ns",
                 .statistic = STATISTIC_Q25},
    [SHUFFLED] = {.name = "shuffled",
                  .axes = {{"targets", "count", "log2"}},
                  .axis_count = 1,
                  .quantity = "time of a call",
                  .unit = "ns",
                  .statistic = STATISTIC_Q25},
};

enum { TAKEN, STRAIGHT };
static const struct series_plan row_series[] = {
    [TAKEN] = {.name = "taken",
               .axes = {{"branches", "count", "log2"}, {"spacing", "bytes", "log2"}},
               .axis_count = 2,
               .quantity = "time of a branch",
               .unit = "ns",
               .statistic = STATISTIC_Q25},
    [STRAIGHT] = {.name = "straight",
                  .axes = {{"branches", "count", "log2"}, {"spacing", "bytes", "log2"}},
                  .axis_count = 2,
                  .quantity = "time of a branch that is not taken",
                  .unit = "ns",
                  .statistic = STATISTIC_Q25},
};

static struct point *add_block(struct plan *plan, unsigned series, const char *kernel,
                               uint64_t bytes, double at)
{
    struct point *point =
        sonde_measure_plan_point(plan, series, sonde_kernel_find(kernel));

    if (point) {
        point->layout.kind = LAYOUT_BLOCK;
        point->layout.bytes = bytes;
        point->at[0] = at;
    }
    return point;
}

/* --- the scale, and patterns
 * ------------------------------------------------------------
 */

static int add_outcomes(struct plan *plan, enum branch_pattern which, const char *label)
{
    struct point *point = add_block(plan, OUTCOMES, "branch_one", outcomes / 8, which);

    if (!point)
        return -ENOMEM;
    if (which != PATTERN_RANDOM) {
        point->layout.content = CONTENT_WORD;
        point->layout.word = which == PATTERN_NEVER ? UINT64_MAX : 0;
    }
    point->layout.fresh = which == PATTERN_RANDOM;
    point->argument = UINT64_MAX;
    point->count = outcomes / 2;
    point->per_visit = visit_samples;
    point->label = label;
    return 0;
}

static int add_memory(struct plan *plan, uint64_t period, unsigned seed)
{
    struct point *point =
        add_block(plan, MEMORY, "branch_one", outcomes / 8, (double)period);

    if (!point)
        return -ENOMEM;
    point->argument = period - 1;
    point->count = period * 8 <= outcomes / 2 ? outcomes / 2 : outcomes;
    point->at[1] = seed;
    point->samples = samples;
    point->options = POINT_ONE_ROUND;
    return 0;
}

static int add_branches(struct plan *plan)
{
    int error = add_outcomes(plan, PATTERN_ALWAYS, "always");

    if (!error)
        error = add_outcomes(plan, PATTERN_NEVER, "never");
    if (!error)
        error = add_outcomes(plan, PATTERN_RANDOM, "random");
    /* Where time runs out whole seeds are missing, not the longest patterns. */
    for (unsigned seed = 1; !error && seed <= seeds; seed++)
        for (uint64_t period = period_first; !error && period <= period_last; period *= 2)
            error = add_memory(plan, period, seed);
    return error;
}

/* --- calls
 * -------------------------------------------------------------------------------
 */

static int add_returns(struct plan *plan)
{
    for (unsigned depth = 1; depth <= CALLS_DEPTH_MAX; depth++) {
        struct point *point =
            sonde_measure_plan_point(plan, RETURNS, sonde_kernel_find("call_nest"));

        if (!point)
            return -ENOMEM;
        point->argument = depth;
        point->count = nested / depth;
        point->at[0] = depth;
        point->per_visit = visit_samples;
    }
    return 0;
}

static int add_targets(struct plan *plan, unsigned series, uint64_t targets,
                       unsigned seed)
{
    struct point *point =
        add_block(plan, series, "call_targets", calls * 2, (double)targets);

    if (!point)
        return -ENOMEM;
    point->argument = targets - 1;
    point->count = calls;
    point->at[1] = seed;
    point->samples = samples;
    point->options = POINT_ONE_ROUND;
    point->layout.content = series == SHUFFLED ? CONTENT_RANDOM : CONTENT_COUNTING;
    point->layout.fresh = series == SHUFFLED;
    return 0;
}

static int add_calls(struct plan *plan)
{
    int error = add_returns(plan);

    if (!error)
        error = add_targets(plan, SHUFFLED, CALLS_TARGETS, 1);
    for (unsigned seed = 1; !error && seed <= target_seeds; seed++)
        for (uint64_t targets = 1; !error && targets <= CALLS_TARGETS; targets *= 2)
            error = add_targets(plan, TARGETS, targets, seed);
    return error;
}

/* --- rows of taken branches
 * --------------------------------------------------------------
 */

static int add_row(struct plan *plan, unsigned series, size_t row, uint64_t branches)
{
    struct point *point =
        sonde_measure_plan_point(plan, series, sonde_kernel_find(rows[row].kernel));

    if (!point)
        return -ENOMEM;
    point->argument = branches | (uint64_t)(series == STRAIGHT) << TAKEN_NONE_SHIFT;
    point->count = row_branches / branches;
    point->operations = (double)branches;
    point->at[0] = (double)branches;
    point->at[1] = rows[row].spacing;
    point->samples = row_samples;
    point->options = POINT_ONE_ROUND;
    return 0;
}

/* Both ways. */
static int add_both(struct plan *plan, size_t row, uint64_t branches)
{
    int error = add_row(plan, TAKEN, row, branches);

    return error ? error : add_row(plan, STRAIGHT, row, branches);
}

static int add_rows(struct plan *plan)
{
    int error = 0;

    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        uint64_t most = TAKEN_BYTES / rows[row].spacing;

        for (uint64_t branches = row_first; !error && branches <= most; branches *= 2) {
            error = add_both(plan, row, branches);
            if (!error && branches >= row_finer && branches < most)
                error = add_both(plan, row, branches / 2 * 3);
        }
    }
    return error;
}

static const struct {
    const struct series_plan *series;
    size_t series_count;
    int (*add)(struct plan *plan);
    double seconds; /* all together are those of the probe */
} stages[] = {
    {branch_series, sizeof branch_series / sizeof branch_series[0], add_branches, 0.8},
    {call_series, sizeof call_series / sizeof call_series[0], add_calls, 0.7},
    {row_series, sizeof row_series / sizeof row_series[0], add_rows, 0.5},
};

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    int error;

    (void)context, (void)so_far;
    if (stage >= sizeof stages / sizeof stages[0])
        return 0;
    if (sonde_kernel_find("branch_one")->instructions == 0)
        return sonde_base_fail(why, -ENOTSUP,
                               "this instruction set has no kernels in assembly, and a "
                               "compiler may turn branches into arithmetic");
    plan->budget_s = stages[stage].seconds;
    error = sonde_measure_plan_all_series(plan, stages[stage].series,
                                          stages[stage].series_count);
    if (!error)
        error = stages[stage].add(plan);
    return error ? sonde_base_fail(why, error, "out of memory") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    struct history_series history = {
        .outcomes = sonde_measure_series_find(series, branch_series[OUTCOMES].name),
        .memory = sonde_measure_series_find(series, branch_series[MEMORY].name),
        .returns = sonde_measure_series_find(series, call_series[RETURNS].name),
        .targets = sonde_measure_series_find(series, call_series[TARGETS].name),
        .shuffled = sonde_measure_series_find(series, call_series[SHUFFLED].name),
        .taken = sonde_measure_series_find(series, row_series[TAKEN].name),
        .straight = sonde_measure_series_find(series, row_series[STRAIGHT].name),
    };

    (void)context;
    return sonde_infer_history(&history, findings);
}

const struct probe sonde_probe_history = {
    .name = "history",
    .summary = "what the core remembers: patterns, return addresses, targets of branches",
    .asks = "How long a pattern of branches does the core learn?",
    .seconds = 2,
    .plan = plan,
    .infer = infer,
};
