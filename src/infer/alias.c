/* Views of one page: a mixture of two levels, or nothing at all.
 *
 *   latency
 *     |            x    x    x   a load by another address
 *     |       x
 *     |  x                       predicted: (1 - p) one view + p other
 *     |x                         one view: the first level
 *     +-1--2--4----8---16---32-- views
 *
 * Every number of views was measured with several seeds, each with its own share p of
 * loads by another address. What such a load costs comes from one and two views alone;
 * what more views cost is predicted from it, and held against what was measured, seed by
 * seed; a number of views counts by the median of its seeds.
 *
 * On some cores such a load is one of the second level; on others it costs more, as the
 * first level is looked up again: which, is a finding of its own.
 *
 * What can fool it: a latency of the second level that is not the one these loads meet
 * (the pointers of a page are few and hot, those of the second level's ring are many). */
#include "infer/alias.h"

#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Less than this is no effect: a second level costs two to five times a first. */
static const double effect_least = 1.10;
static const double agreement_most = 0.10;

struct evidence {
    const struct alias *alias;
    double *buffer;
    bool cycles;
    double first, second; /* latencies of the levels */
    double most;          /* views */
    double one, many;     /* latency through one view, and through the most */
    double many_low, many_high, many_share;
    double other;                  /* cost of a load by another address */
    double worst, lowest, highest; /* measured over predicted, by number of views */
};

static bool usable(const struct series_point *point)
{
    return point->n && point->best > 0 && !(point->flags & POINT_WRONG);
}

static bool in_cycles(const struct series *series)
{
    for (size_t i = 0; series && i < series->count; i++)
        if (usable(&series->points[i]) && !(series->points[i].cycles > 0))
            return false;
    return true;
}

static double cost_of(const struct evidence *evidence, const struct series_point *point)
{
    return evidence->cycles ? point->cycles : point->best;
}

static double level_cost(const struct evidence *evidence, const char *label)
{
    const struct series *levels = evidence->alias->levels;

    for (size_t i = 0; levels && i < levels->count; i++)
        if (levels->points[i].label && strcmp(levels->points[i].label, label) == 0 &&
            usable(&levels->points[i]))
            return cost_of(evidence, &levels->points[i]);
    return NAN;
}

/* Sorted costs of all seeds of so many views; how many there are. */
static size_t costs_at(const struct evidence *evidence, const struct series *series,
                       double views)
{
    size_t count = 0;

    for (size_t i = 0; i < series->count; i++)
        if (usable(&series->points[i]) && series->points[i].at[0] == views)
            evidence->buffer[count++] = cost_of(evidence, &series->points[i]);
    sonde_measure_sort(evidence->buffer, count);
    return count;
}

static double mixture(const struct evidence *evidence, double share)
{
    return evidence->one + share * (evidence->other - evidence->one);
}

/* What a load by another address costs, from one view and two: the median of the seeds.
 */
static double other_cost(const struct evidence *evidence)
{
    const struct series *series = evidence->alias->views;
    size_t count = 0;

    for (size_t i = 0; i < series->count; i++) {
        double share = evidence->alias->share[i];

        if (usable(&series->points[i]) && series->points[i].at[0] == 2 && share > 0)
            evidence->buffer[count++] =
                evidence->one +
                (cost_of(evidence, &series->points[i]) - evidence->one) / share;
    }
    sonde_measure_sort(evidence->buffer, count);
    return sonde_measure_median(evidence->buffer, count);
}

/* Median over the seeds of so many views: their share. */
static double share_at(const struct evidence *evidence, double views)
{
    const struct series *series = evidence->alias->views;
    size_t count = 0;

    for (size_t i = 0; i < series->count; i++)
        if (usable(&series->points[i]) && series->points[i].at[0] == views)
            evidence->buffer[count++] = evidence->alias->share[i];
    sonde_measure_sort(evidence->buffer, count);
    return sonde_measure_median(evidence->buffer, count);
}

/* Median over the seeds of so many views: measured over predicted. */
static double ratio_at(const struct evidence *evidence, double views)
{
    const struct series *series = evidence->alias->views;
    size_t count = 0;

    for (size_t i = 0; i < series->count; i++)
        if (usable(&series->points[i]) && series->points[i].at[0] == views)
            evidence->buffer[count++] = cost_of(evidence, &series->points[i]) /
                                        mixture(evidence, evidence->alias->share[i]);
    sonde_measure_sort(evidence->buffer, count);
    return sonde_measure_median(evidence->buffer, count);
}

/* Two views made the prediction: the others are held against it. */
static void compare(struct evidence *evidence)
{
    evidence->worst = evidence->lowest = evidence->highest = NAN;
    for (double views = 4; views <= evidence->most; views *= 2) {
        double ratio = ratio_at(evidence, views);

        if (isnan(ratio))
            continue;
        evidence->lowest = fmin(evidence->lowest, ratio);
        evidence->highest = fmax(evidence->highest, ratio);
        if (isnan(evidence->worst) || fabs(ratio - 1) > fabs(evidence->worst - 1))
            evidence->worst = ratio;
    }
}

static void read_series(struct evidence *evidence)
{
    const struct alias *alias = evidence->alias;
    size_t count;

    evidence->cycles =
        in_cycles(alias->views) && in_cycles(alias->by_line) && in_cycles(alias->levels);
    evidence->first = level_cost(evidence, "first");
    evidence->second = level_cost(evidence, "second");
    evidence->most = NAN;
    for (size_t i = 0; i < alias->views->count; i++)
        if (usable(&alias->views->points[i]))
            evidence->most = fmax(evidence->most, alias->views->points[i].at[0]);
    count = costs_at(evidence, alias->views, 1);
    evidence->one = sonde_measure_median(evidence->buffer, count);
    count = costs_at(evidence, alias->views, evidence->most);
    evidence->many = sonde_measure_median(evidence->buffer, count);
    evidence->many_low = sonde_measure_quantile(evidence->buffer, count, 0);
    evidence->many_high = sonde_measure_quantile(evidence->buffer, count, 1);
    evidence->many_share = share_at(evidence, evidence->most);
    evidence->other = other_cost(evidence);
    compare(evidence);
}

/* --- findings ------------------------------------------------------------------------
 */

static bool control_one(const struct evidence *evidence, struct findings *findings)
{
    double ratio = evidence->one / evidence->first;

    return isnan(ratio) ||
           sonde_infer_control(findings, fabs(ratio - 1) <= agreement_most,
                               "a single view against private memory", "within 10 %",
                               "%.2f against %.2f", evidence->one, evidence->first);
}

static bool control_lines(const struct evidence *evidence, struct findings *findings)
{
    const struct series *by_line = evidence->alias->by_line;
    double highest = NAN, views = NAN;

    for (size_t i = 0; by_line && i < by_line->count; i++) {
        double at = by_line->points[i].at[0];
        size_t count = costs_at(evidence, by_line, at);
        double cost = sonde_measure_median(evidence->buffer, count);

        if (cost > highest || (isnan(highest) && count)) {
            highest = cost;
            views = at;
        }
    }
    return isnan(highest) ||
           sonde_infer_control(findings, highest <= (1 + agreement_most) * evidence->one,
                               "as many views, each of lines of its own",
                               "what one view costs, within 10 %",
                               "%.2f with %.0f views against %.2f with one", highest,
                               views, evidence->one);
}

static bool find_latency(const struct evidence *evidence, struct findings *findings)
{
    const char *unit = evidence->cycles ? "cycles" : "ns";

    return sonde_infer_find(findings,
                            evidence->cycles ? "alias.latency_cycles" : "alias.latency",
                            unit, evidence->many, evidence->many_low * 0.99,
                            evidence->many_high * 1.01, 0.95,
                            "pointers of one page, each by a view of its own") &&
           sonde_infer_find(findings, "alias.share", "share", evidence->many_share, NAN,
                            NAN, 1, "counted on the rings that were timed");
}

static bool find_cost(const struct evidence *evidence, bool effect,
                      struct findings *findings)
{
    struct finding *finding = sonde_infer_find(
        findings, "alias.cost", "ratio", evidence->many / evidence->one,
        evidence->many_low * 0.985 / evidence->one,
        evidence->many_high * 1.015 / evidence->one, 0.95, "the most views against one");

    if (finding && effect)
        sonde_infer_explain(finding,
                            "this core looks lines up by their last address: %.0f views "
                            "of a page cost %.2f, one view %.2f %s a load",
                            evidence->most, evidence->many, evidence->one,
                            evidence->cycles ? "cycles" : "ns");
    else if (finding)
        sonde_infer_explain(finding, "no effect: this core finds a line by any of its "
                                     "addresses");
    return finding != NULL;
}

static bool find_other(const struct evidence *evidence, struct findings *findings)
{
    return sonde_infer_find(findings,
                            evidence->cycles ? "alias.switch_cycles" : "alias.switch",
                            evidence->cycles ? "cycles" : "ns", evidence->other,
                            evidence->other * 0.95, evidence->other * 1.05, 0.9,
                            "two views against one, over the share of such loads");
}

/* That latency follows how often the address changes is the law. */
static bool find_agreement(const struct evidence *evidence, struct findings *findings)
{
    if (isnan(evidence->worst))
        return sonde_infer_give_up(findings, "alias.agreement", "ratio",
                                   "two views and more were not measured");
    return sonde_infer_find(
               findings, evidence->cycles ? "alias.predicted_cycles" : "alias.predicted",
               evidence->cycles ? "cycles" : "ns",
               mixture(evidence, evidence->many_share), NAN, NAN, 0.9,
               "loads by the same and by another address, mixed by their share") &&
           sonde_infer_find(findings, "alias.agreement", "ratio", evidence->worst,
                            fmin(evidence->lowest, evidence->worst * 0.985),
                            fmax(evidence->highest, evidence->worst * 1.015), 0.9,
                            "measured over predicted, the worst number of views") &&
           sonde_infer_control(findings, fabs(evidence->worst - 1) <= agreement_most,
                               "the latency of more views against how often the address "
                               "changes",
                               "as two views predict, within 10 %", "%.1f %% off at most",
                               100 * fabs(evidence->worst - 1));
}

/* That such a load costs what the second level does is what cores are said to do. */
static bool find_level(const struct evidence *evidence, struct findings *findings)
{
    double ratio = evidence->other / evidence->second;
    struct finding *finding;

    if (isnan(ratio))
        return sonde_infer_give_up(findings, "alias.second_level", "ratio",
                                   "the second level was not measured beside it");
    finding = sonde_infer_find(findings, "alias.second_level", "ratio", ratio,
                               ratio * 0.95, ratio * 1.05, 0.9,
                               "a load by another address over one of the second level");
    if (finding && fabs(ratio - 1) <= agreement_most)
        sonde_infer_explain(finding, "within 10 %%: such a load is one of the second "
                                     "level");
    else if (finding)
        sonde_infer_explain(finding,
                            "not within 10 %%: a load by another address costs %.1f %s, "
                            "one of the second level %.1f",
                            evidence->other, evidence->cycles ? "cycles" : "ns",
                            evidence->second);
    return finding != NULL;
}

static bool report(const struct evidence *evidence, struct findings *findings)
{
    bool effect;

    if (!(evidence->one > 0) || !(evidence->many > 0) || evidence->most < 2)
        return sonde_infer_give_up(findings, "alias.cost", "ratio",
                                   "memory could not be mapped several times, or too few "
                                   "points were measured");
    effect = evidence->many >= effect_least * evidence->one;
    if (!find_cost(evidence, effect, findings) || !find_latency(evidence, findings) ||
        !control_one(evidence, findings) || !control_lines(evidence, findings))
        return false;
    return !effect ||
           (find_other(evidence, findings) && find_agreement(evidence, findings) &&
            find_level(evidence, findings));
}

int sonde_infer_alias(const struct alias *alias, struct findings *findings)
{
    struct evidence evidence = {.alias = alias};
    size_t room = alias->views->count + (alias->by_line ? alias->by_line->count : 0) + 1;
    int error = 0;

    evidence.buffer = malloc(room * sizeof *evidence.buffer);
    if (!evidence.buffer)
        return -ENOMEM;
    read_series(&evidence);
    if (!report(&evidence, findings))
        error = -ENOMEM;
    free(evidence.buffer);
    return error;
}
