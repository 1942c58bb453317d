/* What the prefetchers see.
 *
 *   cost of a load over that of a random walk through the same lines
 *     1 |                 x    x     not seen
 *   0.5 |- - - - - - x - - - - - -
 *       |  x    x                    prefetched
 *       +--64--128--256--512--1024   stride
 *
 * All walks are chains of dependent loads, so all that can make one cheaper than another
 * is what was fetched ahead. Below half of the random cost a walk counts as prefetched.
 * Strides are held against random walks of the same lines, whose pages come in nearly the
 * same order, so that translation, sets and the rows of memory are paid alike; and what
 * is cheap in one long walk must be so in runs that begin at random places, or it was not
 * the stride that made it.
 * What a page costs more where the pages come in random order, in random loads, is how
 * many lines it takes the prefetchers to begin anew.
 *
 * What can fool it: translation, which a random walk pays more often (a few cycles of its
 * first level on some 40 of the last level: never half), and a last level shared with
 * neighbours, for which the random walk is measured twice. */
#include "infer/prefetch.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

static const double prefetched = 0.5;
/* Two random walks of the same lines agree within this, or nothing is claimed. */
static const double same_within = 2;
/* A page boundary: no cheaper than without, no dearer than random, within this. */
static const double slack = 1.15;

/* The random walk pays translation for each load, a new page once: in the last level up
 * to a quarter of what a line costs. */
static const double translation = 1.25;

static const char over_random[] = "cost a load over that of a random walk";

struct cost {
    double value, low, high; /* NaN: unknown */
};

static struct cost read_cost(const struct series *series, double first, double second)
{
    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (point->at[0] == first && (series->axis_count < 2 || point->at[1] == second) &&
            point->n > 0 && point->best > 0 && !(point->flags & POINT_WRONG))
            return (struct cost){point->best, point->low, point->high};
    }
    return (struct cost){NAN, NAN, NAN};
}

static struct cost over(struct cost cost, struct cost random)
{
    double ratio = cost.value / random.value;

    return (struct cost){ratio, fmin(ratio, cost.low / random.high),
                         fmax(ratio, cost.high / random.low)};
}

static int give_up(struct findings *findings, const char *name, const char *unit,
                   const char *why)
{
    return sonde_infer_give_up(findings, name, unit, "%s", why) ? 0 : -ENOMEM;
}

/* Both random walks together: what lies between them is not known better. */
static struct cost random_cost(const struct series *patterns)
{
    struct cost cost = read_cost(patterns, WALK_RANDOM, 0);
    struct cost again = read_cost(patterns, WALK_RANDOM_AGAIN, 0);

    if (isnan(again.value))
        return cost;
    return (struct cost){(cost.value + again.value) / 2, fmin(cost.low, again.low),
                         fmax(cost.high, again.high)};
}

static const char *judge(struct cost ratio)
{
    if (ratio.high < prefetched)
        return "prefetched";
    return ratio.low >= prefetched ? "not prefetched"
                                   : "in part, or the machine was too disturbed to tell";
}

static int report_walk(const struct series *patterns, const char *name, double walk,
                       struct findings *findings)
{
    struct cost ratio = over(read_cost(patterns, walk, 0), random_cost(patterns));
    struct finding *finding;

    if (isnan(ratio.value))
        return give_up(findings, name, "ratio", "this walk was not timed");
    finding = sonde_infer_find(findings, name, "ratio", ratio.value, ratio.low,
                               ratio.high, 0.8, over_random);
    if (!finding)
        return -ENOMEM;
    sonde_infer_explain(finding, "%s", judge(ratio));
    return 0;
}

/* --- strides ------------------------------------------------------------------------ */

struct reach {
    double seen;       /* the largest stride up to which all are prefetched; NaN: none */
    double unseen;     /* the first that surely is not; NaN: none was tried */
    struct cost ratio; /* of the first that is not surely prefetched */
    double at;         /* its stride */
    bool runs;         /* it is cheap, but not in runs that begin elsewhere */
};

static struct cost stride_ratio(const struct series *strides, double stride, double walk)
{
    return over(read_cost(strides, stride, walk),
                read_cost(strides, stride, STRIDE_RANDOM));
}

/* Strides are planned in ascending order. What is cheap in one long walk only was not
 * fetched because of its stride. */
static struct reach find_reach(const struct series *strides)
{
    struct reach reach = {.seen = NAN, .unseen = NAN, .at = NAN};

    for (size_t i = 0; strides && i < strides->count && isnan(reach.unseen); i++) {
        double stride = strides->points[i].at[0];
        struct cost walk = stride_ratio(strides, stride, STRIDE_ASCENDING);
        struct cost runs = stride_ratio(strides, stride, STRIDE_RUNS);
        bool in_runs = isnan(runs.value) || runs.high < prefetched;

        if (strides->points[i].at[1] != STRIDE_ASCENDING || isnan(walk.value))
            continue;
        if (walk.high < prefetched && in_runs && isnan(reach.at)) {
            reach.seen = stride;
            continue;
        }
        if (isnan(reach.at)) {
            reach.at = stride;
            reach.runs = walk.high < prefetched;
            reach.ratio = reach.runs ? runs : walk;
        }
        if (walk.low >= prefetched || runs.low >= prefetched)
            reach.unseen = stride;
    }
    return reach;
}

static const char *what_ends(const struct reach *reach)
{
    return reach->runs ? "in runs that begin at random places a load" : "a load";
}

static int report_stride(const struct series *strides, struct findings *findings)
{
    static const char name[] = "prefetch.stride";
    struct reach reach = find_reach(strides);
    struct finding *finding;

    if (isnan(reach.seen) && isnan(reach.at))
        return give_up(findings, name, "bytes", "no stride was timed");
    if (isnan(reach.seen)) {
        finding = sonde_infer_give_up(findings, name, "bytes",
                                      "even at %.0f bytes %s costs %.2f of a random "
                                      "one: no stride is surely prefetched",
                                      reach.at, what_ends(&reach), reach.ratio.value);
        return finding ? 0 : -ENOMEM;
    }
    finding = sonde_infer_find(
        findings, name, "bytes", isnan(reach.unseen) ? NAN : reach.seen, reach.seen,
        reach.unseen, 0.8,
        "largest stride up to which a load costs less than half of a random one, through "
        "the same lines and pages, also in runs that begin at random places");
    if (!finding)
        return -ENOMEM;
    if (isnan(reach.at))
        sonde_infer_explain(finding, "at least: larger ones were not tried");
    else
        sonde_infer_explain(finding, "at %.0f bytes %s costs %.2f of a random one",
                            reach.at, what_ends(&reach), reach.ratio.value);
    return 0;
}

/* --- pages -------------------------------------------------------------------------- */

static int report_restart(const struct series *patterns, double page_lines,
                          struct findings *findings)
{
    struct cost random = random_cost(patterns);
    struct cost ascending = read_cost(patterns, WALK_ASCENDING, 0);
    struct cost scattered = read_cost(patterns, WALK_SCATTERED, 0);
    double gain = random.value - ascending.value;
    double lines = (scattered.value - ascending.value) / gain * page_lines;
    double low = (scattered.low - ascending.high) / gain * page_lines;
    double high = (scattered.high - ascending.low) / gain * page_lines * translation;

    if (isnan(lines))
        return give_up(findings, "prefetch.restart", "count",
                       "the walks of scattered pages were not timed");
    if (!(ascending.value < prefetched * random.value))
        return give_up(findings, "prefetch.restart", "count",
                       "nothing is prefetched that could begin anew");
    return sonde_infer_find(findings, "prefetch.restart", "count", fmax(0, lines),
                            fmax(0, fmin(low, lines)), fmax(high, lines), 0.7,
                            "what a page costs more where pages come in random order, in "
                            "lines that were not seen")
               ? 0
               : -ENOMEM;
}

static int control_pages(const struct series *patterns, struct findings *findings)
{
    double random = random_cost(patterns).value;
    double ascending = read_cost(patterns, WALK_ASCENDING, 0).value;
    double scattered = read_cost(patterns, WALK_SCATTERED, 0).value;

    if (isnan(scattered) || isnan(ascending))
        return 0;
    return sonde_infer_control(
               findings, scattered * slack >= ascending && scattered <= slack * random,
               "pages in random order, lines ascending inside",
               "between the ascending and the random walk",
               "%.1f ns, ascending %.1f, random %.1f", scattered, ascending, random)
               ? 0
               : -ENOMEM;
}

static int control_random(double again, struct findings *findings, bool *agree)
{
    *agree = again < same_within && again > 1 / same_within;
    return sonde_infer_control(findings, *agree, "a random walk against another",
                               "the same cost, within a factor of two", "%.2f times",
                               again)
               ? 0
               : -ENOMEM;
}

/* --- all ---------------------------------------------------------------------------- */

static int give_all_up(struct findings *findings, const char *why)
{
    static const char *const names[] = {"prefetch.ascending", "prefetch.descending",
                                        "prefetch.inside_pages", "prefetch.stride",
                                        "prefetch.restart"};
    static const char *const units[] = {"ratio", "ratio", "ratio", "bytes", "count"};
    int error = 0;

    for (size_t i = 0; i < sizeof names / sizeof names[0] && !error; i++)
        error = give_up(findings, names[i], units[i], why);
    return error;
}

int sonde_infer_prefetch(const struct series *patterns, const struct series *strides,
                         double page_lines, struct findings *findings)
{
    struct cost random = read_cost(patterns, WALK_RANDOM, 0);
    struct cost again = read_cost(patterns, WALK_RANDOM_AGAIN, 0);
    bool agree = true;
    int error = 0;

    if (isnan(random.value))
        return give_all_up(findings, "the random walk was not timed");
    if (!isnan(again.value))
        error = control_random(again.value / random.value, findings, &agree);
    if (!error && !agree)
        return give_all_up(findings,
                           "two random walks of the same lines cost differently: "
                           "others share what answers them");
    if (!error)
        error = report_walk(patterns, "prefetch.ascending", WALK_ASCENDING, findings);
    if (!error)
        error = report_walk(patterns, "prefetch.descending", WALK_DESCENDING, findings);
    if (!error)
        error = report_walk(patterns, "prefetch.inside_pages", WALK_INSIDE, findings);
    if (!error)
        error = report_stride(strides, findings);
    if (!error)
        error = report_restart(patterns, page_lines, findings);
    return error ? error : control_pages(patterns, findings);
}
