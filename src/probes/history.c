/* Probe `history`: what the core remembers of branches.
 *
 *   outcomes  one branch that is always taken, never taken, and random without
 * repetition: the scale for all that follows memory    the same branch on a random
 * pattern that is repeated, its period doubled returns   calls in each other, one level
 * deeper each time targets   indirect calls of targets in a cycle, their number doubled
 *   shuffled  the same calls in random order, drawn anew for each sample
 *
 * A predictor learns while it is timed, and points visited in between would make it
 * forget. So patterns and targets take all samples of a point in one visit, the low
 * quartile of which is what the core does once it has learned; several seeds stand for
 * the rounds. What can fool it: see infer/branch_history.c. */
#include "probes/probe.h"

#include "infer/branch.h"
#include "kernels/calls.h"

#include <errno.h>

/* Outcomes a sample, and the largest block: each period fits it several times over. */
static const uint64_t outcomes = 131072;
/* From a pattern that any predictor with a history learns, to one beyond all. */
static const uint64_t period_first = 16, period_last = 65536;
static const unsigned seeds = 5;
/* With each sample a pattern of the longest period is seen twice more. */
static const unsigned samples = 16;
/* Calls a sample, at a few cycles each: the largest cycle of targets 32 times. */
static const uint64_t calls = 32768;
/* Visits of each number of targets; where taken branches meet in the buffers of branch
 * targets differs from one to the next. */
static const unsigned target_seeds = 3;

enum { OUTCOMES, MEMORY, RETURNS, TARGETS, SHUFFLED };

static const struct series_plan series_plans[] = {
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
    point->count = outcomes;
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
    point->count = outcomes;
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
    for (uint64_t period = period_first; !error && period <= period_last; period *= 2)
        for (unsigned seed = 1; !error && seed <= seeds; seed++)
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
        point->count = calls / depth;
        point->at[0] = depth;
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

    for (uint64_t targets = 1; !error && targets <= CALLS_TARGETS; targets *= 2)
        for (unsigned seed = 1; !error && seed <= target_seeds; seed++)
            error = add_targets(plan, TARGETS, targets, seed);
    return error ? error : add_targets(plan, SHUFFLED, CALLS_TARGETS, 1);
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    int error;

    (void)context, (void)so_far;
    if (stage > 0)
        return 0;
    if (sonde_kernel_find("branch_one")->instructions == 0)
        return sonde_base_fail(why, -ENOTSUP,
                               "this instruction set has no kernels in assembly, and a "
                               "compiler may turn branches into arithmetic");
    error = sonde_measure_plan_all_series(plan, series_plans,
                                          sizeof series_plans / sizeof series_plans[0]);
    if (!error)
        error = add_branches(plan);
    if (!error)
        error = add_calls(plan);
    return error ? sonde_base_fail(why, error, "out of memory") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    struct history_series history = {
        .outcomes = sonde_measure_series_find(series, series_plans[OUTCOMES].name),
        .memory = sonde_measure_series_find(series, series_plans[MEMORY].name),
        .returns = sonde_measure_series_find(series, series_plans[RETURNS].name),
        .targets = sonde_measure_series_find(series, series_plans[TARGETS].name),
        .shuffled = sonde_measure_series_find(series, series_plans[SHUFFLED].name),
    };

    (void)context;
    return sonde_infer_history(&history, findings);
}

const struct probe sonde_probe_history = {
    .name = "history",
    .summary = "what the core remembers: patterns, return addresses, indirect targets",
    .asks = "How long a pattern of branches does the core learn?",
    .seconds = 2,
    .plan = plan,
    .infer = infer,
};
