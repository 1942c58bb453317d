/* What a core remembers of branches: patterns, addresses to return to, indirect targets.
 *
 *   cost                          cost of d nested calls
 *    |          ______ half        |            /
 *    |         /                   |           /   + one misprediction a level
 *    |________/                    |      ____/
 *    +--------+------ period       +-----+---- depth
 *          pattern                   return stack
 *
 * All steps are held against one scale, the cost of a misprediction in the same run: a
 * pattern is remembered while it costs less than half of what new outcomes cost more; a
 * return stack is full where each further level costs at least half a misprediction more
 * than the first levels did; targets are predicted while a call costs less than half a
 * misprediction more than with one target.
 *
 * What can fool it: predictors that mix the history of other branches into a pattern, so
 * that the figure holds for one branch in a small loop; cores that predict an overflowing
 * return as an indirect jump; mitigations that forbid indirect prediction (then one
 * target is all there is, and that is what programs get). */
#include "infer/branch.h"

#include "kernels/taken.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { SEEDS_MAX = 16, PERIODS_MAX = 32, DEPTHS_MAX = 128 };

/* As for the cost of a misprediction itself. */
static const double least_cycles = 3;
/* The first levels of calls, which any return stack holds, show what a call costs. */
static const unsigned first_levels = 8;
/* Of what new outcomes add: how much a pattern that is surely learned may. */
static const double learned = 0.25;

struct scale {
    double base, rise; /* a branch: predictable; what new outcomes add */
    double penalty;    /* a misprediction */
    bool known;
};

static double cost_of(const struct series_point *point)
{
    return point->cycles > 0 ? point->cycles : NAN;
}

static bool usable(const struct series_point *point)
{
    return point->n > 0 && cost_of(point) > 0 && !(point->flags & POINT_WRONG);
}

static struct scale read_scale(const struct series *outcomes)
{
    struct scale scale = {NAN, NAN, NAN, false};
    double low, high;

    if (!outcomes || sonde_infer_branch_penalty(outcomes, &scale.penalty, &low, &high))
        return scale;
    scale.rise = scale.penalty / 2;
    for (size_t i = 0; i < outcomes->count; i++)
        if (outcomes->points[i].at[0] == PATTERN_RANDOM)
            scale.base = cost_of(&outcomes->points[i]) - scale.rise;
    scale.known = scale.penalty >= least_cycles;
    return scale;
}

static int give_up(struct findings *findings, const char *name, const char *unit,
                   const char *reason)
{
    return sonde_infer_give_up(findings, name, unit, "%s", reason) ? 0 : -ENOMEM;
}

/* --- the longest pattern --------------------------------------------------------------
 */

struct memory {
    double periods[PERIODS_MAX]; /* ascending */
    double costs[PERIODS_MAX][SEEDS_MAX];
    size_t seeds[PERIODS_MAX]; /* that were timed */
    size_t count;
};

static size_t place_of(struct memory *memory, double period)
{
    size_t at = 0;

    while (at < memory->count && memory->periods[at] < period)
        at++;
    if (at < memory->count && memory->periods[at] == period)
        return at;
    if (memory->count == PERIODS_MAX)
        return PERIODS_MAX;
    for (size_t i = memory->count++; i > at; i--) {
        memory->periods[i] = memory->periods[i - 1];
        memory->seeds[i] = memory->seeds[i - 1];
        for (size_t k = 0; k < SEEDS_MAX; k++)
            memory->costs[i][k] = memory->costs[i - 1][k];
    }
    memory->periods[at] = period;
    memory->seeds[at] = 0;
    return at;
}

static void read_memory(const struct series *series, struct memory *memory)
{
    memory->count = 0;
    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];
        size_t at;

        if (!usable(point))
            continue;
        at = place_of(memory, point->at[0]);
        if (at < PERIODS_MAX && memory->seeds[at] < SEEDS_MAX)
            memory->costs[at][memory->seeds[at]++] = cost_of(point);
    }
    for (size_t i = 0; i < memory->count; i++)
        sonde_measure_sort(memory->costs[i], memory->seeds[i]);
}

/* Share of the seeds of a period that cost less than `limit`. */
static double share_below(const struct memory *memory, size_t at, double limit)
{
    size_t below = 0;

    for (size_t k = 0; k < memory->seeds[at]; k++)
        below += memory->costs[at][k] < limit;
    return (double)below / (double)memory->seeds[at];
}

static double median_of(const struct memory *memory, size_t at)
{
    return sonde_measure_median(memory->costs[at], memory->seeds[at]);
}

/* How many of the first periods are remembered. */
static size_t count_remembered(const struct memory *memory, double limit)
{
    size_t count = 0;

    while (count < memory->count && median_of(memory, count) < limit)
        count++;
    return count;
}

static int control_memory(const struct memory *memory, const struct scale *scale,
                          size_t remembered, struct findings *findings)
{
    double shortest = (median_of(memory, 0) - scale->base) / scale->rise;
    size_t back = 0;

    for (size_t i = remembered; i < memory->count; i++)
        back += median_of(memory, i) < scale->base + scale->rise / 2;
    if (!sonde_infer_control(findings, shortest <= learned,
                             "the shortest random pattern, repeated",
                             "learned: at most a quarter of what new outcomes add",
                             "%.3f of it", shortest) ||
        !sonde_infer_control(findings, back == 0,
                             "patterns beyond the longest remembered",
                             "none of them is remembered", "%zu are", back))
        return -ENOMEM;
    return 0;
}

static int report_memory(const struct memory *memory, const struct scale *scale,
                         struct findings *findings)
{
    static const char name[] = "history.pattern", unit[] = "count";
    static const char method[] =
        "a repeated random pattern, its period doubled until half "
        "of what new outcomes cost is back";
    double limit = scale->base + scale->rise / 2, confidence;
    size_t remembered = count_remembered(memory, limit);
    struct finding *finding;

    if (remembered == 0)
        return give_up(findings, name, unit,
                       "not even the shortest pattern was remembered");
    confidence = share_below(memory, remembered - 1, limit);
    if (remembered == memory->count) {
        finding =
            sonde_infer_find(findings, name, unit, NAN, memory->periods[remembered - 1],
                             NAN, confidence, method);
        if (!finding)
            return -ENOMEM;
        sonde_infer_explain(finding, "all that were tried are remembered, up to %.0f",
                            memory->periods[remembered - 1]);
    } else {
        confidence = fmin(confidence, 1 - share_below(memory, remembered, limit));
        finding = sonde_infer_find(findings, name, unit, memory->periods[remembered - 1],
                                   memory->periods[remembered - 1],
                                   memory->periods[remembered], confidence, method);
        if (!finding)
            return -ENOMEM;
        sonde_infer_explain(finding, "the next one tried, %.0f, is not remembered",
                            memory->periods[remembered]);
    }
    return control_memory(memory, scale, remembered, findings);
}

static int infer_memory(const struct series *series, const struct scale *scale,
                        struct findings *findings)
{
    struct memory *memory = malloc(sizeof *memory);
    int error;

    if (!memory)
        return -ENOMEM;
    read_memory(series, memory);
    error = memory->count ? report_memory(memory, scale, findings)
                          : give_up(findings, "history.pattern", "count",
                                    "no repeated pattern was timed");
    free(memory);
    return error;
}

/* --- the return stack
 * -------------------------------------------------------------------
 */

struct depths {
    double cost[DEPTHS_MAX]; /* of depth d at d; NaN: not timed */
    unsigned deepest;        /* all depths up to it are timed */
};

/* A depth of which every sample was set aside lies on the line between its neighbours. */
static void bridge_gaps(struct depths *depths)
{
    for (size_t d = 2; d + 1 < DEPTHS_MAX; d++)
        if (isnan(depths->cost[d]))
            depths->cost[d] = (depths->cost[d - 1] + depths->cost[d + 1]) / 2;
}

static void read_depths(const struct series *returns, struct depths *depths)
{
    *depths = (struct depths){.deepest = 0};
    for (size_t d = 0; d < DEPTHS_MAX; d++)
        depths->cost[d] = NAN;
    for (size_t i = 0; returns && i < returns->count; i++) {
        const struct series_point *point = &returns->points[i];

        if (usable(point) && point->at[0] >= 1 && point->at[0] < DEPTHS_MAX)
            depths->cost[(size_t)point->at[0]] = cost_of(point);
    }
    bridge_gaps(depths);
    while (depths->deepest + 1 < DEPTHS_MAX && depths->cost[depths->deepest + 1] > 0)
        depths->deepest++;
}

static double step_after(const struct depths *depths, unsigned depth)
{
    return depths->cost[depth + 1] - depths->cost[depth];
}

static double median_step(const struct depths *depths, unsigned from, unsigned count)
{
    double steps[DEPTHS_MAX];

    for (unsigned i = 0; i < count; i++)
        steps[i] = step_after(depths, from + i);
    sonde_measure_sort(steps, count);
    return sonde_measure_median(steps, count);
}

/* The depth beyond which each level costs `limit` or more; 0: none up to the deepest. A
 * few steps may be a disturbance, most of the next eight are none. */
static unsigned find_full(const struct depths *depths, double limit)
{
    static const unsigned least = 3, most = 8;

    for (unsigned d = 1; d + least <= depths->deepest; d++) {
        unsigned left = depths->deepest - d;

        if (step_after(depths, d) >= limit &&
            median_step(depths, d, left < most ? left : most) >= limit)
            return d;
    }
    return 0;
}

struct line {
    double slope, at_zero;
};

/* A line through the costs of depths `first` to `last` by medians, so that a few
 * disturbed depths do not turn it: of slopes over half the range, then of what remains.
 */
static struct line fit_line(const struct depths *depths, unsigned first, unsigned last)
{
    unsigned count = last - first + 1, lag = count / 2;
    double values[DEPTHS_MAX];
    struct line line;

    for (unsigned i = 0; i + lag < count; i++)
        values[i] =
            (depths->cost[first + i + lag] - depths->cost[first + i]) / (double)lag;
    sonde_measure_sort(values, count - lag);
    line.slope = sonde_measure_median(values, count - lag);
    for (unsigned i = 0; i < count; i++)
        values[i] = depths->cost[first + i] - line.slope * (first + i);
    sonde_measure_sort(values, count);
    line.at_zero = sonde_measure_median(values, count);
    return line;
}

/* Where the costs within and beyond the stack meet, as a fraction of depths: the step
 * alone is off by the depths that were disturbed next to it. NaN where there are too few
 * depths on a side, or where the costs jump instead of turning, so that the lines meet
 * long before; then the step is all there is. */
static double meeting_depth(const struct depths *depths, unsigned step)
{
    static const unsigned least_fit = 6, jump = 4;
    struct line within, beyond;
    double meet;

    if (step < least_fit || depths->deepest < step + 2 + least_fit)
        return NAN;
    within = fit_line(depths, 1, step - 1);
    beyond = fit_line(depths, step + 2, depths->deepest);
    meet = (within.at_zero - beyond.at_zero) / (beyond.slope - within.slope);
    return meet > (double)step - jump && meet < depths->deepest ? meet : NAN;
}

/* The step where both agree to less than a level, else where the lines meet; the interval
 * takes in both. What a line misses by noise alone, a quarter of a level, widens nothing.
 */
static struct finding *find_returns(const struct depths *depths, unsigned step,
                                    const char *method, struct findings *findings)
{
    static const double noise = 0.25;
    double meet = meeting_depth(depths, step), value = step;

    if (fabs(meet - step) >= 1)
        value = round(meet);
    return sonde_infer_find(findings, "history.return_stack", "count", value,
                            fmin(fmin(value, step), floor(meet + noise)),
                            fmax(fmax(value, step), ceil(meet - noise)),
                            value == step ? 0.9 : 0.7, method);
}

static int report_returns(const struct depths *depths, const struct scale *scale,
                          struct findings *findings)
{
    static const char name[] = "history.return_stack", unit[] = "count";
    static const char method[] = "nested calls, each returning to an address of its own, "
                                 "one level deeper each time";
    double level = median_step(depths, 1, first_levels - 1);
    unsigned full = find_full(depths, level + scale->penalty / 2);
    struct finding *finding;
    double beyond;

    if (full == 0) {
        finding = sonde_infer_find(findings, name, unit, NAN, depths->deepest - 3, NAN,
                                   0.7, method);
        if (!finding)
            return -ENOMEM;
        sonde_infer_explain(finding,
                            "no step up to %u nested calls: deeper, or an overflow is "
                            "predicted by other means",
                            depths->deepest);
        return 0;
    }
    finding = find_returns(depths, full, method, findings);
    if (!finding)
        return -ENOMEM;
    beyond =
        (depths->cost[depths->deepest] - depths->cost[full]) / (depths->deepest - full);
    sonde_infer_explain(
        finding, "a level costs %.1f cycles, and %.1f beyond%s", level, beyond,
        finding->value == full ? "" : "; depths beside the step were disturbed");
    return sonde_infer_control(findings, beyond - level >= scale->penalty / 2,
                               "levels of calls beyond the return stack",
                               "each costs half a misprediction more, or above",
                               "%.1f cycles more, a misprediction costs %.1f",
                               beyond - level, scale->penalty)
               ? 0
               : -ENOMEM;
}

static int infer_returns(const struct series *series, const struct scale *scale,
                         struct findings *findings)
{
    struct depths depths;

    read_depths(series, &depths);
    if (depths.deepest < first_levels + 3)
        return give_up(findings, "history.return_stack", "count",
                       "too few depths of nested calls were timed");
    return report_returns(&depths, scale, findings);
}

/* --- indirect targets
 * --------------------------------------------------------------------
 */

/* From how many targets on the cost never falls below `limit` again: an index, or the
 * count when the last is still below. */
static size_t reaches(const struct memory *targets, double limit)
{
    size_t at = targets->count;

    while (at > 0 && median_of(targets, at - 1) >= limit)
        at--;
    return at;
}

/* Cores begin to forget some of many targets before they forget most: the interval runs
 * from a quarter of a misprediction to three quarters, the value is at one half. */
static int report_targets(const struct memory *targets, double alone, double penalty,
                          struct findings *findings)
{
    static const char name[] = "history.targets", unit[] = "count";
    static const char method[] = "indirect calls of targets in a cycle, their number "
                                 "doubled until half a misprediction is added";
    size_t quarter = reaches(targets, alone + penalty / 4);
    size_t half = reaches(targets, alone + penalty / 2);
    size_t most = reaches(targets, alone + penalty * 3 / 4);
    double last = targets->periods[targets->count - 1];
    double low = targets->periods[quarter > 0 ? quarter - 1 : 0];
    double high = most < targets->count ? targets->periods[most] : NAN;
    bool beyond = half == targets->count;
    double value = beyond ? NAN : targets->periods[half > 0 ? half - 1 : 0];
    struct finding *finding =
        sonde_infer_find(findings, name, unit, value, low, high, 0.8, method);

    if (!finding)
        return -ENOMEM;
    if (beyond)
        sonde_infer_explain(finding, "most of all that were tried are predicted, %.0f",
                            last);
    else if (value < 2)
        sonde_infer_explain(finding,
                            "only a target that does not change is predicted: the "
                            "core, or a mitigation, has no more");
    else
        sonde_infer_explain(finding, "of %.0f most are no longer predicted",
                            targets->periods[half]);
    return 0;
}

/* Random order must show what a wrong target costs, or a flat line would prove nothing.
 */
static int weigh_targets(const struct memory *targets, const struct memory *shuffled,
                         double penalty, struct findings *findings)
{
    double alone = median_of(targets, 0);
    double more = median_of(shuffled, 0) - alone;
    bool shows = more >= penalty / 2;

    if (!sonde_infer_control(findings, shows, "indirect calls in random order",
                             "cost half a misprediction more than those of one target",
                             "%.1f cycles more, a misprediction costs %.1f", more,
                             penalty))
        return -ENOMEM;
    if (!shows)
        return give_up(findings, "history.targets", "count",
                       "random targets cost no more than one: nothing tells them apart");
    return report_targets(targets, alone, penalty, findings);
}

static int infer_targets(const struct history_series *series, const struct scale *scale,
                         struct findings *findings)
{
    struct memory *memories = malloc(2 * sizeof *memories);
    int error;

    if (!memories)
        return -ENOMEM;
    read_memory(series->targets, &memories[0]);
    read_memory(series->shuffled, &memories[1]);
    if (memories[0].count < 2 || memories[0].periods[0] != 1 || memories[1].count == 0)
        error =
            give_up(findings, "history.targets", "count",
                    "indirect calls were not timed for one, two and shuffled targets");
    else
        error = weigh_targets(&memories[0], &memories[1], scale->penalty, findings);
    free(memories);
    return error;
}

static int infer_spacings(const struct history_series *series, const struct scale *scale,
                          struct findings *findings)
{
    static const unsigned spacings[] = {TAKEN_SPACINGS};
    int error = 0;

    for (size_t i = 0; !error && i < sizeof spacings / sizeof spacings[0]; i++)
        error = sonde_infer_taken(series, spacings[i],
                                  scale->known ? scale->penalty : NAN, findings);
    return error;
}

int sonde_infer_history(const struct history_series *series, struct findings *findings)
{
    static const char *const names[] = {"history.pattern", "history.return_stack",
                                        "history.targets"};
    struct scale scale = read_scale(series->outcomes);
    int error = 0;

    for (size_t i = 0; !scale.known && !error && i < sizeof names / sizeof names[0]; i++)
        error = give_up(findings, names[i], "count",
                        "a misprediction costs less than 3 cycles or could not be "
                        "timed: nothing shows what is remembered");
    if (scale.known)
        error = infer_memory(series->memory, &scale, findings);
    if (scale.known && !error)
        error = infer_returns(series->returns, &scale, findings);
    if (scale.known && !error)
        error = infer_targets(series, &scale, findings);
    return error ? error : infer_spacings(series, &scale, findings);
}
