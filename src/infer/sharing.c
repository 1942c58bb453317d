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

#include <errno.h>
#include <math.h>

/* A smaller loss than this is within what neighbours on the machine do. */
static const double least_loss = 1.3;
/* Costs at distances beyond the granule stay within this of the split. */
static const double flat = 1.25;

static double cost_at(const struct series *series, double bytes)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].at[0] == bytes && series->points[i].n)
            return series->points[i].best;
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

/* Largest distance at or above `half`, and the least above that. */
static void bracket(const struct series *series, double half, double *inside,
                    double *outside)
{
    *inside = *outside = NAN;
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].n && series->points[i].best >= half)
            *inside = fmax(*inside, series->points[i].at[0]);
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].n && series->points[i].at[0] > *inside)
            *outside = fmin(*outside, series->points[i].at[0]);
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

int sonde_infer_sharing(const struct series *distance, double line_bytes,
                        struct findings *findings)
{
    double nearest = extreme(distance, -1), farthest = extreme(distance, 1);
    double close = cost_at(distance, nearest), apart = cost_at(distance, farthest);
    double loss = close / apart, inside, outside, last;
    struct finding *finding;

    if (!(loss > 0) || farthest < 1024 || nearest > 32) {
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
    bracket(distance, (close + apart) / 2, &inside, &outside);
    if (isnan(outside))
        return sonde_infer_give_up(findings, "sharing.granule", "bytes",
                                   "the loss does not end within the distances tried")
                   ? 0
                   : -ENOMEM;
    last = cost_at(distance, outside) / apart;
    finding =
        sonde_infer_find(findings, "sharing.granule", "bytes", outside,
                         nextafter(inside, outside), outside, last < flat ? 0.95 : 0.7,
                         "the distance at which half of the loss is gone");
    if (!finding)
        return -ENOMEM;
    explain(finding, outside, line_bytes);
    sonde_infer_control(findings, last < flat, "beyond the granule the loss is gone",
                        "within 25 % of 4 KiB apart", "%.2f times at %.0f bytes", last,
                        outside);
    return 0;
}
