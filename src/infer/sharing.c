/* The granule of sharing.
 *
 *   cost  ‾‾‾‾‾‾‾\            two counters in one granule: its line goes to and fro
 *                 \_________  apart: as if alone
 *         8   32   64   512   bytes between them
 *
 * The granule is the least distance from which on the loss stays below half of its
 * height. What can fool it: siblings, which share the first level and lose little (then
 * there is no height, and it is said), and cores that fetch lines in pairs, where the
 * line beside still costs: the answer is then two lines, and the reason says so. */
#include "infer/sharing.h"

#include "infer/figures.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>

/* A smaller loss than this is within what neighbours on the machine do. */
static const double least_loss = 1.3;
/* Costs at distances beyond the granule stay within this of the split. */
static const double flat = 1.25;
/* Lines are no shorter than this, but for a few. */
static const double nearest_most = 32;

/* With fewer samples the quartile is hardly better than the worst of them; whatever
 * disturbs makes them longer, so the least is taken, and what it says of a loss is no
 * more than a hint. */
enum { SAMPLES_TRUSTED = 5 };

static bool trusted(const struct series_point *point)
{
    return point->n >= SAMPLES_TRUSTED;
}

static double cost_of(const struct series_point *point)
{
    return trusted(point) || !(point->min > 0) ? point->best : point->min;
}

static double cost_at(const struct series *series, double bytes)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].at[0] == bytes && series->points[i].n)
            return cost_of(&series->points[i]);
    return NAN;
}

static double extreme(const struct series *series, double sign)
{
    double best = NAN;

    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].n)
            best = fmax(best, sign * series->points[i].at[0]);
    return sign * best;
}

/* What sharing costs: the (lower) median of the distances that lie in one line on nearly
 * every machine, so that one disturbed point does not set the height. NaN: none. */
static double shared_cost(const struct series *series)
{
    double costs[8];
    size_t count = 0;

    for (size_t i = 0; i < series->count && count < sizeof costs / sizeof costs[0]; i++)
        if (series->points[i].at[0] <= nearest_most && series->points[i].n)
            costs[count++] = cost_of(&series->points[i]);
    sonde_measure_sort(costs, count);
    return count ? costs[(count - 1) / 2] : NAN;
}

/* Largest distance at or above `half`, of the trusted points and of all, and the least
 * above that. */
struct edge {
    double inside, hinted, outside;
};

static struct edge find_edge(const struct series *series, double half)
{
    struct edge edge = {NAN, NAN, NAN};

    for (size_t i = 0; i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (!point->n || !(cost_of(point) >= half))
            continue;
        edge.hinted = fmax(edge.hinted, point->at[0]);
        if (trusted(point) || point->at[0] <= nearest_most)
            edge.inside = fmax(edge.inside, point->at[0]);
    }
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].n && series->points[i].at[0] > edge.hinted)
            edge.outside = fmin(edge.outside, series->points[i].at[0]);
    return edge;
}

static void explain(struct finding *finding, double granule, double line_bytes)
{
    if (granule == 2 * line_bytes)
        sonde_infer_explain(finding,
                            "adjacent lines interfere: counters %.0f bytes apart, in two "
                            "lines, still cost each other time",
                            line_bytes);
    else
        sonde_infer_explain(finding, "counters that far apart cost each other nothing");
}

/* The last loss was seen in a few samples only, or distances beside it have no figures.
 */
static int report_range(const struct edge *edge, struct findings *findings)
{
    struct finding *finding = sonde_infer_find(
        findings, "sharing.granule", "bytes", NAN, nextafter(edge->inside, edge->outside),
        edge->outside, 0.6, "the distance at which half of the loss is gone");

    if (!finding)
        return -ENOMEM;
    sonde_infer_explain(finding, "too few samples between %.0f and %.0f bytes to tell",
                        edge->inside, edge->outside);
    return 0;
}

int sonde_infer_sharing(const struct series *distance, double line_bytes,
                        struct findings *findings)
{
    double nearest = extreme(distance, -1), farthest = extreme(distance, 1);
    double close = shared_cost(distance), apart = cost_at(distance, farthest);
    double loss = close / apart, last;
    struct finding *finding;
    struct edge edge;

    if (!(loss > 0) || farthest < 1024 || nearest > nearest_most) {
        finding = sonde_infer_give_up(findings, "sharing.granule", "bytes", "%s",
                                      sonde_infer_why_no_series(distance));
        return finding && sonde_infer_give_up(findings, "sharing.cost", "ratio", "%s",
                                              sonde_infer_why_no_series(distance))
                   ? 0
                   : -ENOMEM;
    }
    finding =
        sonde_infer_find(findings, "sharing.cost", "ratio", loss, loss * 0.8, loss * 1.25,
                         0.8, "two counters in one line against 4 KiB apart");
    if (!finding)
        return -ENOMEM;
    if (loss < least_loss) {
        sonde_infer_give_up(findings, "sharing.granule", "bytes",
                            "two counters side by side cost only %.2f times as much as "
                            "apart: no loss to locate",
                            loss);
        return 0;
    }
    edge = find_edge(distance, (close + apart) / 2);
    if (isnan(edge.outside))
        return sonde_infer_give_up(findings, "sharing.granule", "bytes",
                                   "the loss does not end within the distances tried")
                   ? 0
                   : -ENOMEM;
    if (edge.hinted > edge.inside || edge.outside > 2 * edge.inside)
        return report_range(&edge, findings);
    last = cost_at(distance, edge.outside) / apart;
    finding = sonde_infer_find(findings, "sharing.granule", "bytes", edge.outside,
                               nextafter(edge.inside, edge.outside), edge.outside,
                               last < flat ? 0.95 : 0.7,
                               "the distance at which half of the loss is gone");
    if (!finding)
        return -ENOMEM;
    explain(finding, edge.outside, line_bytes);
    sonde_infer_control(findings, last < flat, "beyond the granule the loss is gone",
                        "within 25 % of 4 KiB apart", "%.2f times at %.0f bytes", last,
                        edge.outside);
    return 0;
}
