/* How many misses a core keeps in flight.
 *
 *   cost of a load
 *     |x
 *     |  x               loads in flight = cost of one chase / least cost
 *     |     x            chains          = where 90 % of that is reached
 *     |        x  x  x
 *     +-1--2--4--8-16-32  chases at once
 *
 * By Little's law: what takes t alone and is done every t/n is done n at a time. Where
 * the cost still falls at the end there were not enough chases, and n is a lower bound.
 *
 * What can fool it: what ends the fall may be bandwidth, or page walks, instead of the
 * places for misses; all three are what a program meets. A disturbed machine slows many
 * chases more than one. */
#include "infer/mlp.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

/* Of the best rate: from here on more chases gain little. */
static const double knee_share = 0.9;
/* A knee beyond this share of the most that were tried is no knee. */
static const double knee_latest = 0.7;
/* Two chases take half of one, within this, as long as two fit. */
static const double half_within = 0.15;
/* No number of chases is faster than so many times one: beyond this another level
 * answered the one than the many. */
static const double faster_than_all = 1.3;
/* An interval wider than this says nothing. */
static const double widest_interval = 2;
/* One chase against the ladder: another walk over another footprint of the same level. */
static const double ladder_within = 1.6;

static const char method[] = "one chase's cost a load over the least of many at once";

struct mlp {
    const struct series *series;
    const struct series_point *one, *best, *last;
    double ratio, low, high, chains;
};

static bool usable(const struct series_point *point)
{
    return point->n > 0 && point->best > 0 && !(point->flags & POINT_WRONG);
}

static double cost_of(const struct series_point *point)
{
    return point->cycles > 0 ? point->cycles : point->best;
}

static const struct series_point *at_chains(const struct series *series, double chains)
{
    for (size_t i = 0; series && i < series->count; i++)
        if (series->points[i].at[0] == chains && usable(&series->points[i]))
            return &series->points[i];
    return NULL;
}

/* Where the rate reaches its knee, between two points in logarithms. */
static double find_knee(const struct series *series, double least)
{
    const struct series_point *before = NULL;
    double wanted = least / knee_share;

    for (size_t i = 0; i < series->count; i++) {
        const struct series_point *point = &series->points[i];
        double share;

        if (!usable(point))
            continue;
        if (cost_of(point) <= wanted && !before)
            return point->at[0];
        if (cost_of(point) <= wanted) {
            share = log(cost_of(before) / wanted) / log(cost_of(before) / cost_of(point));
            return before->at[0] * pow(point->at[0] / before->at[0], share);
        }
        before = point;
    }
    return NAN;
}

static void read_mlp(const struct series *series, struct mlp *mlp)
{
    *mlp = (struct mlp){.series = series, .one = at_chains(series, 1)};
    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (!usable(point))
            continue;
        mlp->last = point;
        if (!mlp->best || cost_of(point) < cost_of(mlp->best))
            mlp->best = point;
    }
    if (!mlp->one || mlp->best == mlp->one)
        return;
    mlp->ratio = cost_of(mlp->one) / cost_of(mlp->best);
    mlp->low = fmin(mlp->ratio, mlp->one->low / mlp->best->high);
    mlp->high = fmax(mlp->ratio, mlp->one->high / mlp->best->low);
    mlp->chains = find_knee(series, cost_of(mlp->best));
}

static double confidence_of(const struct mlp *mlp)
{
    unsigned flags = mlp->one->flags | mlp->best->flags;

    return flags & (POINT_FEW | POINT_CUT | POINT_NOISY | POINT_UNSTABLE) ? 0.7 : 0.9;
}

static int report(const struct mlp *mlp, const char *level, struct findings *findings)
{
    bool open = mlp->chains > knee_latest * mlp->last->at[0];
    double confidence = confidence_of(mlp);
    struct finding *finding;
    char name[48];

    snprintf(name, sizeof name, "mlp.%s", level);
    finding = sonde_infer_find(findings, name, "count", open ? NAN : mlp->ratio, mlp->low,
                               open ? NAN : mlp->high, confidence, method);
    if (!finding)
        return -ENOMEM;
    if (open)
        sonde_infer_explain(finding,
                            "at least %.1f: with %.0f chases at once the rate still rose",
                            mlp->low, mlp->last->at[0]);
    snprintf(name, sizeof name, "mlp.%s.chains", level);
    finding =
        sonde_infer_find(findings, name, "count", open ? NAN : mlp->chains, mlp->chains,
                         open ? NAN : mlp->chains, confidence,
                         "chases at once from which 90 % of the best rate is reached");
    if (!finding)
        return -ENOMEM;
    if (open)
        sonde_infer_explain(finding, "at least %.0f: more were not tried", mlp->chains);
    snprintf(name, sizeof name, "mlp.%s.access", level);
    finding = sonde_infer_find(findings, name, "ns", mlp->best->best, mlp->best->low,
                               mlp->best->high, confidence,
                               "cost of a load with the most of them in flight");
    return finding ? 0 : -ENOMEM;
}

/* Twice the chases, half the time, is the law while there is room. */
static int control_half(const struct mlp *mlp, const char *level,
                        struct findings *findings)
{
    const struct series_point *two = at_chains(mlp->series, 2);
    double ratio = two ? cost_of(two) / cost_of(mlp->one) : NAN;
    char what[64];

    if (!two)
        return 0;
    snprintf(what, sizeof what, "two chases against one, %s", level);
    return sonde_infer_control(findings, fabs(ratio - 0.5) <= half_within * 0.5, what,
                               "half the time a load, within 15 %", "%.3f times", ratio)
               ? 0
               : -ENOMEM;
}

/* One chase must cost what the ladder says of this level, or another level answered. */
static int control_level(const struct mlp *mlp, const char *level, double expected,
                         struct findings *findings)
{
    double ratio = mlp->one->best / expected;
    char what[64];

    if (!(expected > 0))
        return 0;
    snprintf(what, sizeof what, "one chase against the ladder, %s", level);
    return sonde_infer_control(findings,
                               ratio <= ladder_within && ratio >= 1 / ladder_within, what,
                               "the same latency, within a factor of 1.6",
                               "%.2f times: %.1f ns, the ladder said %.1f", ratio,
                               mlp->one->best, expected)
               ? 0
               : -ENOMEM;
}

/* Why there is no figure; NULL: there is one. */
static const char *fault_of(const struct mlp *mlp)
{
    if (!mlp->one)
        return "one chase alone was not timed";
    if (mlp->best == mlp->one)
        return "more chases at once gained nothing, or were not timed";
    for (size_t i = 0; i < mlp->series->count; i++) {
        const struct series_point *point = &mlp->series->points[i];

        if (usable(point) &&
            cost_of(mlp->one) / cost_of(point) > faster_than_all * point->at[0])
            return "many chases were faster than so many times one: this level answered "
                   "now more, now less of the loads, as where it is shared with others";
    }
    if (mlp->high > widest_interval * mlp->low)
        return "the machine was too disturbed: the interval is wider than a factor of "
               "two";
    return NULL;
}

int sonde_infer_mlp(const struct series *chains, const char *level, double expected,
                    struct findings *findings)
{
    const char *fault;
    struct mlp mlp;
    char name[48];
    int error;

    snprintf(name, sizeof name, "mlp.%s", level);
    read_mlp(chains, &mlp);
    fault = fault_of(&mlp);
    if (fault)
        return sonde_infer_give_up(findings, name, "count", "%s", fault) ? 0 : -ENOMEM;
    error = report(&mlp, level, findings);
    if (!error)
        error = control_half(&mlp, level, findings);
    return error ? error : control_level(&mlp, level, expected, findings);
}
