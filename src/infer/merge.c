/* Which plateaus are levels of their own.
 *
 * Two neighbouring plateaus are one level when
 *   - their costs differ by less than the merge ratio, or by no more than the rounding;
 *   - they are near, and what was measured of the lower one often lies nearer to the
 * upper:
 *   - no octave between them holds a rise of the merge ratio: a ring of twice the
 * capacity keeps at most half of its lines, so at least half of a level's rise is done
 * within an octave, and what climbs more slowly is a drift;
 *   - the step below and the step above are one: whatever the replacement, a level of
 *     capacity C keeps at most C of S bytes, so its cost climbs at least as
 *     low + (high - low) * (1 - C / S); a plateau that lies on that tail is part of it.
 */
#include "infer/shape.h"

#include <math.h>

struct plateau sonde_infer_stand_in(const struct shape *shape)
{
    size_t end = shape->count - 1;
    return (struct plateau){end, end, shape->y[end]};
}

static void unite(const struct shape *shape, struct plateaus *plateaus, size_t lower)
{
    struct plateau *p = &plateaus->plateau[lower];
    p->last = p[1].last;
    p->level = shape->y[(p->first + p->last + 1) / 2];
    plateaus->count--;
    for (size_t i = lower + 1; i < plateaus->count; i++)
        plateaus->plateau[i] = plateaus->plateau[i + 1];
}

/* The largest rise over one octave (or over one interval where the grid is wider). */
static double steepest_octave(const struct shape *shape, size_t from, size_t to)
{
    double most = 0;
    for (size_t i = from, j = from + 1; j <= to; j++) {
        while (i + 1 < j && shape->x[j] - shape->x[i] > 1.001)
            i++;
        most = fmax(most, shape->y[j] - shape->y[i]);
    }
    return most;
}

/* Levels this far apart are told apart by their median alone. */
static const double clear_ratio = 2;
/* Share of a plateau's raw points that may lie beyond the middle of the step above it. */
static const double stray_most = 0.25;

/* How much of the lower plateau, as it was measured, lies nearer to the upper one: the
 * envelope hides a noise that may be as large as the step. */
static double strays(const struct shape *shape, const struct plateau *low,
                     const struct plateau *high)
{
    double middle = (low->level + high->level) / 2;
    size_t beyond = 0;

    for (size_t i = low->first; i <= low->last; i++)
        beyond += shape->raw[i] > middle;
    return (double)beyond / (double)(low->last - low->first + 1);
}

static bool same_level(const struct shape *shape, const struct plateau *low,
                       const struct plateau *high, double merge_ratio)
{
    double least = log(merge_ratio);
    if (high->level - low->level < least)
        return true;
    if (exp(high->level) - exp(low->level) < 1.5 * shape->quantum)
        return true;
    if (high->level - low->level < log(clear_ratio) &&
        strays(shape, low, high) > stray_most)
        return true;
    /* Where noise is large a plateau reaches into the edge beside it. */
    size_t reach = (size_t)(shape->density / 2);
    size_t from = low->last - low->first > reach ? low->last - reach : low->first;
    size_t to = high->last - high->first > reach ? high->first + reach : high->last;
    return steepest_octave(shape, from, to) < least;
}

/* Whether the middle plateau lies on the tail that one step from `low` to `high` has. The
 * step is at the end of the lower plateau, one point later at the most. A tenth below the
 * tail is still on it: its upper end is a median, too. */
static bool on_tail(const struct shape *shape, const struct plateau *low,
                    const struct plateau *middle, const struct plateau *high)
{
    double bottom = exp(low->level), top = exp(high->level);
    double capacity = shape->x[low->last + 1];
    for (size_t i = middle->first; i <= middle->last; i++) {
        double kept = fmin(1, exp2(capacity - shape->x[i]));
        double tail = bottom + (top - bottom) * (1 - kept);
        if (exp(shape->y[i]) < 0.9 * tail)
            return false;
    }
    return true;
}

static bool merge_nearest(const struct shape *shape, double merge_ratio,
                          struct plateaus *plateaus)
{
    size_t best = plateaus->count;
    double nearest = INFINITY;
    for (size_t i = 0; i + 1 < plateaus->count; i++) {
        const struct plateau *p = &plateaus->plateau[i];
        double apart = p[1].level - p[0].level;
        if (apart < nearest && same_level(shape, p, p + 1, merge_ratio)) {
            nearest = apart;
            best = i;
        }
    }
    if (best == plateaus->count)
        return false;
    unite(shape, plateaus, best);
    return true;
}

static bool merge_tail(const struct shape *shape, struct plateaus *plateaus)
{
    for (size_t i = 1; i + 1 < plateaus->count; i++) {
        const struct plateau *p = &plateaus->plateau[i];
        if (on_tail(shape, p - 1, p, p + 1)) {
            /* The tail ends on the higher plateau, which keeps its level. */
            struct plateau high = p[1];
            unite(shape, plateaus, i);
            plateaus->plateau[i] = high;
            return true;
        }
    }
    return false;
}

void sonde_infer_merge(const struct shape *shape, double merge_ratio,
                       struct plateaus *plateaus)
{
    while (merge_nearest(shape, merge_ratio, plateaus) || merge_tail(shape, plateaus))
        ;
    /* What follows was united with what was reached: the curve did not climb enough. */
    if (plateaus->count &&
        plateaus->plateau[plateaus->count - 1].first + 1 < shape->count)
        plateaus->rising_at_end = false;
}
