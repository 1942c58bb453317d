/* What a misprediction costs, and what avoids it.
 *
 *   cycles a branch
 *    |                                 .  random: half are mispredicted
 *    |
 *    |  .      .      .     .     .       always, never, sorted, regular patterns
 *    +-----------------------------------
 *
 * Of two equally likely outcomes the best guess is wrong half of the time, so a
 * misprediction costs twice what random order adds. It is an effective cost: refilling
 * the front end, and the time until the branch was resolved, since nothing useful happens
 * in between either.
 *
 * What can fool it: outcomes that were seen before (a predictor remembers thousands; they
 * are drawn anew for each sample); cores that do not speculate, where nothing is lost
 * (below 3 cycles nothing is claimed); taken branches that cost more than others, which
 * the mean of always and never takes off. */
#include "infer/branch.h"

#include "measure/statistics.h"

#include <errno.h>
#include <math.h>

/* Cores in order, and emulators, lose less than this on any branch. */
static const double least_cycles = 3;
/* Of what random order adds: how much an order without surprises may add. */
static const double no_surprise = 0.1, learned = 0.25;
/* Time tells a branch that survived by this ratio of random to sorted order. */
static const double survived = 1.3;
static const double same_within = 0.1;

static const struct series_point *find(const struct series *series, double first,
                                       double second)
{
    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (point->at[0] == first && (series->axis_count < 2 || point->at[1] == second) &&
            point->n > 0 && point->best > 0 && !(point->flags & POINT_WRONG))
            return point;
    }
    return NULL;
}

static const struct series_point *pattern(const struct series *patterns,
                                          enum branch_pattern which)
{
    return find(patterns, which, 0);
}

/* --- the cost of a misprediction -------------------------------------------------------
 */

static double mean_of(const struct series_point *a, const struct series_point *b)
{
    return (a->cycles + b->cycles) / 2;
}

/* The order-statistic interval, in cycles as far from the statistic as in time. */
static double low_cycles(const struct series_point *point)
{
    return point->cycles * point->low / point->best;
}

static double high_cycles(const struct series_point *point)
{
    return point->cycles * point->high / point->best;
}

int sonde_infer_branch_penalty(const struct series *patterns, double *cycles, double *low,
                               double *high)
{
    const struct series_point *always = pattern(patterns, PATTERN_ALWAYS);
    const struct series_point *never = pattern(patterns, PATTERN_NEVER);
    const struct series_point *random = pattern(patterns, PATTERN_RANDOM);
    double chance = 0.5;

    *cycles = *low = *high = NAN;
    if (!always || !never || !random || !(mean_of(always, never) + random->cycles > 0))
        return -ENODATA;
    *cycles = (random->cycles - mean_of(always, never)) / chance;
    *low = (low_cycles(random) - (high_cycles(always) + high_cycles(never)) / 2) / chance;
    *high = (high_cycles(random) - (low_cycles(always) + low_cycles(never)) / 2) / chance;
    return 0;
}

/* What a pattern costs more than the mean of always and never, over what random does. */
static double surprise(const struct series *patterns, enum branch_pattern which)
{
    double base =
        mean_of(pattern(patterns, PATTERN_ALWAYS), pattern(patterns, PATTERN_NEVER));
    const struct series_point *point = pattern(patterns, which);

    return point ? (point->cycles - base) /
                       (pattern(patterns, PATTERN_RANDOM)->cycles - base)
                 : NAN;
}

static int control_patterns(const struct series *patterns, bool *sorted_holds,
                            struct findings *findings)
{
    double sorted = surprise(patterns, PATTERN_SORTED);
    double alternating = surprise(patterns, PATTERN_ALTERNATING);

    *sorted_holds = fabs(sorted) <= no_surprise;
    if (!sonde_infer_control(
            findings, *sorted_holds, "the same outcomes, sorted",
            "the mean of always and never, within a tenth of what random "
            "order adds",
            "%.3f of it", sorted))
        return -ENOMEM;
    if (!sonde_infer_control(findings, alternating <= learned,
                             "taken and not taken in turn",
                             "learned: at most a quarter of what random order adds",
                             "%.3f of it", alternating))
        return -ENOMEM;
    return 0;
}

static int report_penalty(const struct series *patterns, struct findings *findings)
{
    static const char name[] = "branch.mispredict", unit[] = "cycles";
    double cycles, low, high;
    struct finding *finding;
    bool sorted_holds;

    if (sonde_infer_branch_penalty(patterns, &cycles, &low, &high))
        return sonde_infer_give_up(findings, name, unit,
                                   "always, never and random were not all timed, or the "
                                   "core clock is not known")
                   ? 0
                   : -ENOMEM;
    if (cycles < least_cycles)
        return sonde_infer_give_up(
                   findings, name, unit,
                   "random order adds %.2f cycles a branch: too little to "
                   "tell a misprediction from it; normal where nothing is "
                   "speculated",
                   cycles / 2)
                   ? 0
                   : -ENOMEM;
    if (control_patterns(patterns, &sorted_holds, findings))
        return -ENOMEM;
    if (!sorted_holds)
        return sonde_infer_give_up(
                   findings, name, unit,
                   "sorted outcomes do not cost what always and never do: "
                   "something else than prediction differs")
                   ? 0
                   : -ENOMEM;
    finding =
        sonde_infer_find(findings, name, unit, cycles, low, high, 0.9,
                         "branches on fresh random bits, less the mean of always and "
                         "never, over one half");
    if (!finding)
        return -ENOMEM;
    sonde_infer_explain(finding,
                        "effective: until the branch is resolved and the core is at full "
                        "speed again; documented figures are often shorter");
    return 0;
}

/* --- the classic experiment
 * -------------------------------------------------------------
 */

static double cost_of(const struct series_point *point)
{
    return point->cycles > 0 ? point->cycles : point->best;
}

static struct interval ratio_interval(const struct series_point *over,
                                      const struct series_point *under)
{
    double ratio = cost_of(over) / cost_of(under);

    return (struct interval){ratio * over->low / over->best * under->best / under->high,
                             ratio * over->high / over->best * under->best / under->low};
}

static struct finding *find_ratio(struct findings *findings, const char *name,
                                  const struct series_point *over,
                                  const struct series_point *under, const char *method)
{
    struct interval interval;

    if (!over || !under)
        return sonde_infer_give_up(findings, name, "ratio",
                                   "not both of the loops that it compares were timed");
    interval = ratio_interval(over, under);
    return sonde_infer_find(findings, name, "ratio", cost_of(over) / cost_of(under),
                            interval.low, interval.high, 0.9, method);
}

/* Does the ratio, as far as it is known, allow for a branch, or for none? */
static bool time_agrees(const struct finding *ratio, int branches)
{
    return branches > 0 ? ratio->high >= survived : ratio->low < survived;
}

static void explain_compiled(struct finding *finding, int branches)
{
    if (branches < 0)
        sonde_infer_explain(finding, "its machine code could not be read");
    else if (branches == 0)
        sonde_infer_explain(finding,
                            "no branch survived in its machine code: the order of "
                            "the data should not matter");
    else
        sonde_infer_explain(finding,
                            "a branch survived in its machine code (%d in the loop, "
                            "beside its end)",
                            branches);
}

/* Where a branch that is certainly there costs nothing in random order, time does not
 * tell whether one is. */
static bool time_tells(const struct series *classic)
{
    const struct series_point *random = find(classic, BODY_KEPT, BRANCH_ORDER_RANDOM);
    const struct series_point *sorted = find(classic, BODY_KEPT, BRANCH_ORDER_SORTED);

    return random && sorted && ratio_interval(random, sorted).low >= survived;
}

static int report_compiled(const struct series *classic, int branches,
                           struct findings *findings)
{
    struct finding *finding = find_ratio(
        findings, "branch.compiled", find(classic, BODY_COMPILED, BRANCH_ORDER_RANDOM),
        find(classic, BODY_COMPILED, BRANCH_ORDER_SORTED),
        "random over sorted order, the compiler's loop");

    if (!finding)
        return -ENOMEM;
    if (isnan(finding->value))
        return 0;
    explain_compiled(finding, branches);
    if (branches >= 0 && time_tells(classic) &&
        !sonde_infer_control(findings, time_agrees(finding, branches),
                             "the compiler's loop: machine code against time",
                             branches
                                 ? "a branch: random order costs 1.3 times or more"
                                 : "no branch: random order costs less than 1.3 times",
                             "%.2f to %.2f times", finding->low, finding->high))
        return -ENOMEM;
    return 0;
}

static int control_arithmetic(const struct series *classic, struct findings *findings)
{
    const struct series_point *random =
        find(classic, BODY_ARITHMETIC, BRANCH_ORDER_RANDOM);
    const struct series_point *sorted =
        find(classic, BODY_ARITHMETIC, BRANCH_ORDER_SORTED);
    struct interval ratio;

    if (!random || !sorted)
        return 0;
    ratio = ratio_interval(random, sorted);
    return sonde_infer_control(
               findings, ratio.low <= 1 + same_within && ratio.high >= 1 - same_within,
               "arithmetic instead of a branch, random against sorted",
               "the same within 10 %", "%.2f to %.2f times", ratio.low, ratio.high)
               ? 0
               : -ENOMEM;
}

static int report_classic(const struct series *classic, int branches,
                          struct findings *findings)
{
    const struct series_point *random = find(classic, BODY_KEPT, BRANCH_ORDER_RANDOM);

    if (!find_ratio(findings, "branch.sorting", random,
                    find(classic, BODY_KEPT, BRANCH_ORDER_SORTED),
                    "random over sorted order, a branch around the addition") ||
        !find_ratio(findings, "branch.arithmetic", random,
                    find(classic, BODY_ARITHMETIC, BRANCH_ORDER_RANDOM),
                    "a branch over a conditional move, random order") ||
        control_arithmetic(classic, findings))
        return -ENOMEM;
    return report_compiled(classic, branches, findings);
}

int sonde_infer_branch(const struct series *patterns, const struct series *classic,
                       int compiled_branches, struct findings *findings)
{
    int error = report_penalty(patterns, findings);

    return error ? error : report_classic(classic, compiled_branches, findings);
}
