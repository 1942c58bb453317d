/* What out-of-order execution hides: one operation in 1, 2, 4, ... chains.
 *
 *   cycles a step   3 |x
 *                     |
 *                 1.5 |   x                latency / chains while the pipes have room,
 *                 0.5 |      x   x   x     then what the pipes take
 *                     +--1--2--4---8--16   chains
 *
 * The same instructions in the same number; only which of them wait for which differs.
 * What can fool it: an emulator, which overlaps nothing (then two chains do not take half
 * the time of one, which the control shows), and a neighbour on the same core. */
#include "infer/arith.h"

#include "infer/figures.h"

#include <errno.h>
#include <math.h>

/* Twice the chains, half the time, while there is room: within this. */
static const double half_within = 0.05;
/* More chains that gain less than this gain nothing. */
static const double gain_least = 0.05;

static const struct series_point *at_chains(const struct series *series, double chains)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].at[0] == chains)
            return &series->points[i];
    return NULL;
}

static double cost_of(const struct series_point *point)
{
    if (!point || point->n == 0 || (point->flags & POINT_WRONG))
        return NAN;
    return point->cycles > 0 ? point->cycles : point->best;
}

static const struct series_point *cheapest(const struct series *series)
{
    const struct series_point *best = NULL;

    for (size_t i = 0; i < series->count; i++)
        if (!best || cost_of(&series->points[i]) < cost_of(best) || isnan(cost_of(best)))
            best = &series->points[i];
    return best;
}

static double saturation(const struct series *series, double least, double *most)
{
    double chains = INFINITY;

    *most = 0;
    for (size_t i = 0; i < series->count; i++) {
        double at = series->points[i].at[0];

        *most = fmax(*most, at);
        if (cost_of(&series->points[i]) <= (1 + gain_least) * least)
            chains = fmin(chains, at);
    }
    return chains;
}

static int report(const struct series *series, const struct series_point *one,
                  const struct series_point *best, struct findings *findings)
{
    double least = cost_of(best), most;
    double ratio = cost_of(one) / least, chains = saturation(series, least, &most);
    struct finding *finding;

    if (one->cycles > 0 &&
        !sonde_infer_find(findings, "chain.latency_cycles", "cycles", one->cycles,
                          one->low * one->cycles / one->best,
                          one->high * one->cycles / one->best, 0.95,
                          "multiplies that wait for one another"))
        return -ENOMEM;
    finding = sonde_infer_find(findings, "chain.parallelism", "ratio", ratio,
                               one->low / best->high, one->high / best->low, 0.9,
                               "dependent over independent multiplies");
    if (!finding)
        return -ENOMEM;
    if (ratio < 1 + gain_least)
        sonde_infer_explain(finding, "nothing overlaps: an in-order core or an emulator");
    finding = sonde_infer_find(findings, "chain.saturation", "count", chains, chains,
                               chains, 0.8, "chains from which more gain less than 5 %");
    if (finding && chains >= most)
        sonde_infer_explain(finding, "at least: more chains were not tried");
    return finding ? 0 : -ENOMEM;
}

/* Half the time from twice the chains is the law while the pipes have room. */
static int control(const struct series *series, double one, struct findings *findings)
{
    double two = cost_of(at_chains(series, 2));
    bool ok = fabs(two / one - 0.5) <= half_within * 0.5;

    if (isnan(two))
        return 0;
    return sonde_infer_control(findings, ok, "two chains against one",
                               "half the time a multiply, within 5 %", "%.3f times",
                               two / one)
               ? 0
               : -ENOMEM;
}

int sonde_infer_chains(const struct series *chains, struct findings *findings)
{
    const struct series_point *one = at_chains(chains, 1), *best = cheapest(chains);
    int error;

    if (isnan(cost_of(one)) || isnan(cost_of(best)))
        return sonde_infer_give_up(findings, "chain.parallelism", "ratio",
                                   "the dependent or the independent multiplies were not "
                                   "timed")
                   ? 0
                   : -ENOMEM;
    if (sonde_infer_why_shared(best))
        return sonde_infer_give_up(findings, "chain.parallelism", "ratio", "%s",
                                   sonde_infer_why_shared(best))
                   ? 0
                   : -ENOMEM;
    error = report(chains, one, best, findings);
    return error ? error : control(chains, cost_of(one), findings);
}
