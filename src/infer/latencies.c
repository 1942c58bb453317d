/* Latencies: from the flattest part of a plateau to value and interval.
 *
 * The value is the low quartile of cycles for what belongs to this core and the median
 * for what is shared. The interval is that of the samples (others only slow a sample
 * down, so the cheapest is nearest to the undisturbed cost), widened by the bootstrap and
 * by what the clocks themselves leave open. */
#include "infer/climb.h"

#include "measure/statistics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The clocks' own share of every interval: their cost and calibration. */
static const double scale_error = 0.0025;

enum figure { FIGURE_BEST, FIGURE_CYCLES, FIGURE_MIN, FIGURE_MEDIAN, FIGURE_Q75 };

static double figure_of(const struct series_point *point, enum figure figure)
{
    switch (figure) {
    case FIGURE_CYCLES:
        return point->cycles;
    case FIGURE_MIN:
        return point->min;
    case FIGURE_MEDIAN:
        return point->median;
    case FIGURE_Q75:
        return point->q75;
    default:
        return point->best;
    }
}

/* The q-quantile over the plateau's points of a figure, relative to the points' best when
 * asked; NaN where no point has it. */
static double over_plateau(struct climb *climb, const struct source *source,
                           enum figure figure, bool relative, double q)
{
    size_t known = 0;
    for (size_t i = source->first; i <= source->last; i++) {
        const struct series_point *point = source->walk->extract.point[i];
        double value = figure_of(point, figure);
        if (isfinite(value))
            climb->scratch[known++] = relative ? value / point->best : value;
    }
    sonde_measure_sort(climb->scratch, known);
    return sonde_measure_quantile(climb->scratch, known, q);
}

struct latency {
    double value, low, high;
};

static double or_one(double ratio)
{
    return isfinite(ratio) ? ratio : 1;
}

/* From the cost of a level (in any unit) to value and interval. The spread of the samples
 * is known in the points' unit; as a ratio it holds in the other unit as well. */
static struct latency spread(struct climb *climb, const struct source *source,
                             double cost, bool shared)
{
    double middle = or_one(over_plateau(climb, source, FIGURE_MEDIAN, true, 0.5));
    double upper = or_one(over_plateau(climb, source, FIGURE_Q75, true, 0.5));
    double low = or_one(over_plateau(climb, source, FIGURE_MIN, true, 0.5));
    double high = shared ? upper : middle;
    double down = or_one(source->cost_low / source->cost);
    double up = or_one(source->cost_high / source->cost) * (shared ? middle : 1);
    struct latency latency = {.value = shared ? cost * middle : cost};
    latency.low = fmin(latency.value, cost * fmin(low, down)) * (1 - scale_error);
    latency.high = fmax(latency.value, cost * fmax(high, up)) * (1 + scale_error);
    return latency;
}

static bool add_latency(struct climb *climb, size_t i, const char *unit, double cost)
{
    const struct level *level = &climb->primary.levels.level[i];
    const char *name = climb->naming.name[i];
    bool memory = climb->naming.has_memory && i == climb->naming.caches;
    bool shared =
        memory || (climb->ladder->shared_last_level && strcmp(name, "llc") == 0);
    struct latency latency;
    bool cycles = strcmp(unit, "cycles") == 0;
    char full[40];
    snprintf(full, sizeof full, "%s.latency%s", name, cycles ? "_cycles" : "");
    /* What is shared is met as it is: by the points' own statistic, not by that of the
     * curve, which looks for the least that others leave. */
    if (shared)
        cost = over_plateau(climb, &climb->source[i],
                            cycles && climb->primary.extract.in_ns ? FIGURE_CYCLES
                                                                   : FIGURE_BEST,
                            false, 0.25);
    latency = spread(climb, &climb->source[i], cost, shared);
    return sonde_infer_find(climb->findings, full, unit, latency.value, latency.low,
                            latency.high, level->confidence,
                            shared ? "median over the plateau of the curve"
                                   : "low quartile over the plateau of the curve");
}

bool sonde_infer_climb_latencies(struct climb *climb, size_t i)
{
    const struct extract *extract = &climb->primary.extract;
    double cost = climb->source[i].cost;
    if (extract->in_ns && !add_latency(climb, i, "ns", climb->source[i].cost_ns))
        return false;
    return (extract->in_ns && !extract->in_cycles) ||
           add_latency(climb, i, "cycles", cost);
}

/* Points of a walk from `from` to `to` bytes; false when there are fewer than two. */
static bool points_between(const struct walk *walk, double from, double to, size_t *first,
                           size_t *last)
{
    const struct curve *curve = &walk->extract.curve;
    size_t i = 0, end = curve->count;
    while (i < end && curve->size[i] < from * 0.999)
        i++;
    while (end > i && curve->size[end - 1] > to * 1.001)
        end--;
    *first = i;
    *last = end - 1;
    return end - i >= 2;
}

/* Whether every second access of the primary walk found its line brought in by the one
 * before (a larger line, or a prefetched neighbour). That makes a walk cheaper by a
 * factor of two at the most: more is a disturbance of one of the walks. */
static bool lines_pair_up(struct climb *climb, double from, double to)
{
    double ratio = sonde_infer_climb_cost(climb, &climb->wide, from, to) /
                   sonde_infer_climb_cost(climb, &climb->primary, from, to);

    return ratio > SONDE_INFER_PAIR_RATIO && ratio < SONDE_INFER_PAIR_MOST;
}

/* The part of a level that the wide walk has seen, which goes less far: of the flattest
 * third, or else of all of it. In bytes; false when there are fewer than two points. */
static bool seen_by_wide(const struct climb *climb, const struct level *level,
                         size_t *first, size_t *last)
{
    const struct walk *primary = &climb->primary, *wide = &climb->wide;
    const double *size = primary->extract.curve.size;

    if (!wide->seen || wide->extract.in_cycles != primary->extract.in_cycles)
        return false;
    return points_between(wide, size[level->flat_first], size[level->flat_last], first,
                          last) ||
           points_between(wide, size[level->first], size[level->last], first, last);
}

/* Lines that come in together make the primary walk cheaper than a level is; the walk
 * over every second line then tells its latency. */
void sonde_infer_climb_source(struct climb *climb, size_t i)
{
    const struct walk *primary = &climb->primary, *wide = &climb->wide;
    const struct level *level = &primary->levels.level[i];
    struct source *source = &climb->source[i];
    size_t first, last;

    *source =
        (struct source){primary,         level->flat_first, level->flat_last, level->cost,
                        level->cost_low, level->cost_high,  level->cost};
    if (seen_by_wide(climb, level, &first, &last)) {
        double from = wide->extract.curve.size[first],
               to = wide->extract.curve.size[last];
        double cost = sonde_infer_climb_cost(climb, wide, from, to);

        if (lines_pair_up(climb, from, to))
            *source = (struct source){wide, first, last, cost, cost, cost, cost};
    }
    if (source->walk->extract.in_cycles)
        source->cost_ns = source->cost *
                          over_plateau(climb, source, FIGURE_BEST, false, 0.25) /
                          over_plateau(climb, source, FIGURE_CYCLES, false, 0.25);
}
