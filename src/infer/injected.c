/* Latency under load, from another tool's table.
 *
 *   latency |            :            idle: where the delay is longest
 *           |           .'            most: the largest bandwidth seen
 *           |__........'              knee: the largest bandwidth at less than half as
 *           +-------------- bandwidth       much again as idle
 *
 * What can fool it: too few threads, so that the most that was seen is no limit of the
 * memory; and a disturbed run, which the control of the order tells. */
#include "infer/injected.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Latency at the knee over idle; below, load costs little. */
static const double knee_factor = 1.5;
/* Latencies that differ by less are the same. */
static const double same = 0.05;

static int find(struct findings *findings, const char *name, const char *unit,
                double value, double low, double high, const char *method)
{
    return sonde_infer_find(findings, name, unit, value, low, high, 0.8, method)
               ? 0
               : -ENOMEM;
}

/* Points of longer delay than `from` that are clearly slower than it, though less load
 * came with them. */
static size_t count_inversions(const struct series *latency)
{
    size_t count = 0;

    for (size_t i = 0; i + 1 < latency->count; i++)
        count += latency->points[i + 1].best > (1 + same) * latency->points[i].best;
    return count;
}

static int infer_load(const struct series *latency, const struct series *bandwidth,
                      struct findings *findings)
{
    const struct series_point *idle = &latency->points[latency->count - 1];
    size_t most = 0, knee = latency->count, inversions = count_inversions(latency);
    double least = INFINITY, largest = 0;
    int error;

    for (size_t i = 0; i < latency->count; i++) {
        double limit = knee_factor * idle->best;

        if (bandwidth->points[i].best > bandwidth->points[most].best)
            most = i;
        if (latency->points[i].best <= limit &&
            (knee == latency->count ||
             bandwidth->points[i].best > bandwidth->points[knee].best))
            knee = i;
        if (i + 4 >= latency->count) {
            least = fmin(least, latency->points[i].best);
            largest = fmax(largest, latency->points[i].best);
        }
    }
    error = find(findings, "loaded.idle", "ns", idle->best, least, largest,
                 "the longest delays of injected load");
    if (!error)
        error = find(findings, "loaded.most", "bytes/s", bandwidth->points[most].best,
                     bandwidth->points[most].best, bandwidth->points[most].best,
                     "the largest bandwidth of all delays");
    if (!error)
        error = find(findings, "loaded.latency_at_most", "ns", latency->points[most].best,
                     latency->points[most].best, latency->points[most].best,
                     "the latency beside the largest bandwidth");
    if (!error && knee < latency->count)
        error = find(findings, "loaded.knee", "bytes/s", bandwidth->points[knee].best,
                     bandwidth->points[knee].best, bandwidth->points[most].best,
                     "the largest bandwidth at less than 1.5 times the idle latency");
    if (!error &&
        !sonde_infer_control(findings, inversions == 0,
                             "latency does not rise as load is taken off", "at no delay",
                             "at %zu of %zu delays", inversions, latency->count - 1))
        error = -ENOMEM;
    return error;
}

static int infer_nodes(const struct series *idle, struct findings *findings)
{
    double nearest = INFINITY, farthest = 0;
    int error;

    for (size_t i = 0; i < idle->count; i++) {
        nearest = fmin(nearest, idle->points[i].best);
        farthest = fmax(farthest, idle->points[i].best);
    }
    error = find(findings, "numa.nearest", "ns", nearest, nearest, nearest,
                 "idle latency, the nearest pair of nodes");
    if (!error && idle->count > 1)
        error = find(findings, "numa.farthest", "ns", farthest, farthest, farthest,
                     "idle latency, the farthest pair of nodes");
    return error;
}

int sonde_infer_injected(const struct series_list *series, struct findings *findings)
{
    const struct series *latency = sonde_measure_series_find(series, "latency");
    const struct series *bandwidth = sonde_measure_series_find(series, "bandwidth");
    const struct series *idle = sonde_measure_series_find(series, "idle");
    int error = 0;

    if (idle && idle->count)
        error = infer_nodes(idle, findings);
    if (!error && latency && bandwidth && latency->count &&
        latency->count == bandwidth->count)
        error = infer_load(latency, bandwidth, findings);
    return error;
}
