/* Where misses begin.
 *
 *   misses      ______     per access, over the size of the walk; a level ends where
 *   per access /           half of the most misses are reached
 *   __________/
 *
 * What can fool it: counters that count prefetches as well, or lines instead of accesses;
 * then the height is wrong, the place seldom is. */
#include "infer/misses.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

/* Fewer misses per access than this at their most are no end of a level. */
static const double most_least = 0.2;

struct crossing {
    double at, low, high; /* sizes; NaN: nowhere */
};

static struct crossing cross(const struct series *walk, const char *counter)
{
    struct crossing crossing = {NAN, NAN, NAN};
    double most = 0, before_size = NAN, before = NAN;

    for (size_t i = 0; i < walk->count; i++)
        most = fmax(most, sonde_measure_counter(&walk->points[i], counter));
    for (size_t i = 0; most >= most_least && i < walk->count; i++) {
        double size = walk->points[i].at[0];
        double now = sonde_measure_counter(&walk->points[i], counter);

        if (isnan(now))
            continue;
        if (now >= most / 2) {
            double part = isnan(before) ? 1 : (most / 2 - before) / (now - before);

            if (isnan(before))
                return crossing; /* from the first size on: no end was seen */
            crossing.low = before_size;
            crossing.high = size;
            crossing.at = before_size * pow(size / before_size, part);
            return crossing;
        }
        before = now;
        before_size = size;
    }
    return crossing;
}

static int report(const struct series *walk, const char *counter, const char *level,
                  const char *size_name, struct findings *findings)
{
    struct crossing crossing = cross(walk, counter);
    const struct finding *size = sonde_infer_finding_get(findings, size_name);
    char name[40], what[80], expected[60];

    if (isnan(crossing.at))
        return 0;
    snprintf(name, sizeof name, "%s.misses_begin", level);
    if (size && isfinite(size->low) && isfinite(size->high)) {
        /* One step of the grid either way, as for every boundary. */
        double step = crossing.high / crossing.low;
        bool good =
            crossing.high * step >= size->low && crossing.low <= size->high * step;

        snprintf(what, sizeof what, "%s begin where latency says that %s ends", counter,
                 level);
        snprintf(expected, sizeof expected, "%.0f to %.0f KiB", size->low / 1024,
                 size->high / 1024);
        if (!sonde_infer_control(findings, good, what, expected, "%.0f to %.0f KiB",
                                 crossing.low / 1024, crossing.high / 1024))
            return -ENOMEM;
    }
    return sonde_infer_find(findings, name, "bytes", crossing.at, crossing.low,
                            crossing.high, 0.9, "half of the most misses per access")
               ? 0
               : -ENOMEM;
}

int sonde_infer_misses(const struct series *walk, struct findings *findings)
{
    int error = report(walk, "l1-misses", "l1d", "l1d.size", findings);

    return error ? error : report(walk, "llc-misses", "llc", "llc.effective", findings);
}
