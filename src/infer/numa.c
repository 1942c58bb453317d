/* How far each node's memory is from each node's CPUs.
 *
 *              memory 0   memory 1
 *   CPUs 0        90        150       own memory must be the nearest, or nodes are not
 *   CPUs 1       150         90       what they are called
 *
 * The matrices themselves are series; what is found are their ends. What can fool it: a
 * hypervisor that shows nodes and spreads their memory over all of the host's; all pairs
 * are then alike, which is what a program gets. */
#include "infer/numa.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

/* Own memory against another's: no worse, within this. */
static const double own_within = 0.95;

static bool has_figures(const struct series_point *point)
{
    return point->n > 0 && point->best > 0 &&
           !(point->flags & (POINT_WRONG | POINT_UNLAWFUL | POINT_APART));
}

/* The pair with the least (sign -1) or most figure. */
static const struct series_point *extreme(const struct series *series, double sign)
{
    const struct series_point *found = NULL;

    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (has_figures(point) && (!found || sign * point->best > sign * found->best))
            found = point;
    }
    return found;
}

static int report_pair(struct findings *findings, const char *name, const char *unit,
                       const struct series_point *point, const char *method)
{
    struct finding *finding =
        point
            ? sonde_infer_find(findings, name, unit, point->best, point->low, point->high,
                               0.8, method)
            : sonde_infer_give_up(findings, name, unit,
                                  "no pair of nodes was measured in the time there was, "
                                  "on memory that was granted there");

    if (!finding)
        return -ENOMEM;
    if (point)
        sonde_infer_explain(finding, "CPUs of node %.0f, memory of node %.0f",
                            point->at[0], point->at[1]);
    return 0;
}

/* The worst that own memory does against another node's, from the same CPUs: its cost
 * over the other's (sign -1), or the other's rate over its own (sign 1). */
static double worst_own(const struct series *series, double sign)
{
    double worst = NAN;

    for (size_t i = 0; series && i < series->count; i++)
        for (size_t k = 0; k < series->count; k++) {
            const struct series_point *own = &series->points[i];
            const struct series_point *other = &series->points[k];

            if (own->at[0] == own->at[1] && other->at[0] == own->at[0] && i != k &&
                has_figures(own) && has_figures(other))
                worst = fmax(worst, sign > 0 ? other->best / own->best
                                             : own->best / other->best);
        }
    return worst;
}

static void control(const struct series *series, double sign, const char *what,
                    struct findings *findings)
{
    double worst = worst_own(series, sign);

    if (!isnan(worst))
        sonde_infer_control(findings, worst <= 1 / own_within, what,
                            "no worse than another node's, within 5 %",
                            "%.2f times at worst", worst);
}

static int report_cost(const struct series_point *near, const struct series_point *far,
                       struct findings *findings)
{
    if (!near || !far)
        return sonde_infer_give_up(findings, "numa.far_cost", "times",
                                   "no pair of nodes was measured")
                   ? 0
                   : -ENOMEM;
    return sonde_infer_find(findings, "numa.far_cost", "times", far->best / near->best,
                            far->low / near->high, far->high / near->low, 0.8,
                            "latency of the farthest pair over the nearest")
               ? 0
               : -ENOMEM;
}

int sonde_infer_numa(const struct series *latency, const struct series *rate,
                     struct findings *findings)
{
    const struct series_point *near = extreme(latency, -1), *far = extreme(latency, 1);
    int error = report_pair(findings, "numa.nearest", "ns", near,
                            "median of a windowed random walk, the nearest pair");

    if (!error)
        error = report_pair(findings, "numa.farthest", "ns", far,
                            "median of a windowed random walk, the farthest pair");
    if (!error)
        error = report_cost(near, far, findings);
    if (!error)
        error = report_pair(findings, "numa.most", "bytes/s", extreme(rate, 1),
                            "reads by all CPUs of a node, the fastest pair");
    if (!error)
        error = report_pair(findings, "numa.least", "bytes/s", extreme(rate, -1),
                            "reads by all CPUs of a node, the slowest pair");
    control(latency, -1, "latency of a node's own memory", findings);
    control(rate, 1, "rate of a node's own memory", findings);
    return error;
}
