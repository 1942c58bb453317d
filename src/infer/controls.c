/* The controls: each walk against the others.
 *
 *   line           twice the stride costs the same, or lines come in pairs
 *   small steps    below a factor of 1.5 only where translation is shown to be kept out
 *   wide           boundaries lie at the same bytes for twice the stride
 *   translation    what only the random walk shows is no cache
 *   dip            cost never falls as the ring grows
 *
 * A control that fails is recorded beside the findings; a boundary that did not stand is
 * taken out. What can fool it: both walks disturbed in the same way. */
#include "infer/climb.h"

#include <math.h>

static const char twice_stride[] = "the same walk at twice the stride";
static const char both_walks[] = "windowed walk against random walk";
static const char translation_shows[] =
    "what only the random walk shows is translation, not a cache";

/* Octaves between `capacity` and the nearest boundary of a walk; infinite without one. */
static double octaves_off(const struct walk *walk, double capacity)
{
    double nearest = INFINITY;
    for (size_t i = 0; i + 1 < walk->levels.count; i++) {
        double off = fabs(log2(walk->levels.level[i].capacity / capacity));
        nearest = fmin(nearest, off);
    }
    return nearest;
}

/* Whether some boundary of a walk has an interval that meets that of `level`. */
static bool shares_boundary(const struct walk *walk, const struct level *level)
{
    for (size_t i = 0; i + 1 < walk->levels.count; i++) {
        const struct level *other = &walk->levels.level[i];
        if (other->capacity_low <= level->capacity_high &&
            other->capacity_high >= level->capacity_low)
            return true;
    }
    return false;
}

/* Boundary `lower` is taken out: the level below it reaches up to the next boundary. */
static void drop_boundary(struct levels *levels, size_t lower)
{
    struct level *level = &levels->level[lower];
    struct level above = level[1];
    level->capacity = above.capacity;
    level->capacity_low = above.capacity_low;
    level->capacity_high = above.capacity_high;
    level->confidence = above.confidence;
    level->range_only = above.range_only;
    level->last = above.last;
    levels->count--;
    for (size_t i = lower + 1; i < levels->count; i++)
        levels->level[i] = levels->level[i + 1];
}

/* The interval takes in where the other walk sees the same boundary. */
static void widen_to(struct level *level, const struct walk *walk)
{
    for (size_t i = 0; i + 1 < walk->levels.count; i++) {
        double other = walk->levels.level[i].capacity;
        if (fabs(log2(other / level->capacity)) > 1)
            continue;
        level->capacity_low = fmin(level->capacity_low, other);
        level->capacity_high = fmax(level->capacity_high, other);
    }
}

/* One boundary against the wide walk; `*dropped` when it is no level. */
static bool check_boundary(struct climb *climb, size_t i, bool *dropped)
{
    struct level *level = &climb->primary.levels.level[i];
    double off = octaves_off(&climb->wide, level->capacity);
    bool agrees = off <= 0.5 || shares_boundary(&climb->wide, level);
    /* Where the cost more than doubles something ends, whatever the other walk says. */
    *dropped = off > 1 && level->confidence < 0.9 && climb->primary.levels.count > 2 &&
               !(level[1].cost > 2 * level->cost);
    if (!agrees && !*dropped) {
        widen_to(level, &climb->wide);
        level->range_only |= off > 1;
    }
    const char *end = *dropped ? ": not counted" : "";
    const char *expected = "the boundary lies at the same bytes, within half an octave";
    if (isinf(off))
        return sonde_infer_control(climb->findings, agrees, twice_stride, expected,
                                   "no boundary beside that at %.0f KiB%s",
                                   level->capacity / 1024, end);
    return sonde_infer_control(climb->findings, agrees, twice_stride, expected,
                               "boundary at %.0f KiB is %.2f octaves off%s",
                               level->capacity / 1024, off, end);
}

/* A boundary is real when twice the stride shows it at the same bytes. Where both walks
 * see it, but apart, the truth lies anywhere between; one that the wide walk does not see
 * at all, and that the bootstrap doubts as well, is no level. Boundaries beyond the reach
 * of the wide walk are left alone. */
static bool check_wide(struct climb *climb)
{
    struct levels *levels = &climb->primary.levels;
    const struct curve *curve = &climb->wide.extract.curve;
    double reach = climb->wide.seen ? curve->size[curve->count - 1] / 2 : 0;
    for (size_t i = 0; i + 1 < levels->count && levels->level[i].capacity < reach;) {
        bool dropped;
        if (!check_boundary(climb, i, &dropped))
            return false;
        if (dropped)
            drop_boundary(levels, i);
        else
            i++;
    }
    return true;
}

/* Whether the random walk costs more than the primary one on the plateau of `level`:
 * translation is then paid by the one and not by the other. */
static bool translation_kept_out(struct climb *climb, const struct level *level)
{
    const struct walk *primary = &climb->primary, *random = &climb->random;
    double from = primary->extract.curve.size[level->first];
    double to = primary->extract.curve.size[level->last];
    if (!random->seen || random->extract.in_cycles != primary->extract.in_cycles)
        return false;
    double ratio = sonde_infer_climb_cost(climb, random, from, to) /
                   sonde_infer_climb_cost(climb, primary, from, to);
    return ratio > 1.1;
}

/* A step small enough for translation is a cache's only where translation is shown to be
 * kept out. */
static bool check_small_steps(struct climb *climb)
{
    struct levels *levels = &climb->primary.levels;
    for (size_t i = 0; !climb->translated && i + 1 < levels->count;) {
        const struct level *level = &levels->level[i];
        double ratio = level[1].cost / level->cost;
        if (!(ratio < SONDE_INFER_TRANSLATION_STEP) ||
            translation_kept_out(climb, level + 1)) {
            i++;
            continue;
        }
        if (!sonde_infer_control(
                climb->findings, false, "a small step beside the random walk",
                "the random walk pays translation beyond it, this one "
                "does not",
                "step of %.2f at %.0f KiB: both cost the same there; not "
                "counted, it may be translation's",
                ratio, level->capacity / 1024))
            return false;
        drop_boundary(levels, i);
    }
    return true;
}

/* Steps that only the random walk shows. */
static bool list_translation(struct climb *climb, bool *any)
{
    const struct levels *levels = &climb->random.levels;
    for (size_t i = 0; i + 1 < levels->count; i++) {
        double capacity = levels->level[i].capacity;
        if (octaves_off(&climb->primary, capacity) <= 1)
            continue;
        *any = true;
        if (!sonde_infer_control(climb->findings, true, both_walks, translation_shows,
                                 "a step at %.0f KiB in the random walk alone",
                                 capacity / 1024))
            return false;
    }
    return true;
}

static bool check_translation(struct climb *climb)
{
    bool any = false;
    if (climb->translated)
        return sonde_infer_control(climb->findings, false,
                                   "a walk that keeps translation out",
                                   "is there beside the random walk",
                                   "none: steps below a factor of %.1f are not counted",
                                   SONDE_INFER_TRANSLATION_STEP);
    if (!climb->random.seen)
        return true;
    if (!list_translation(climb, &any))
        return false;
    return any ||
           sonde_infer_control(climb->findings, true, both_walks, translation_shows,
                               "both walks show the same boundaries");
}

static bool check_dip(struct climb *climb)
{
    double dip = climb->primary.levels.dip;
    return sonde_infer_control(
        climb->findings, dip <= 1.1, "cost against size",
        "never falls by more than a tenth as the ring grows", "largest fall %.1f %%%s",
        100 * (dip - 1),
        dip > 1.1
            ? ": a prefetcher may have learned the walk, or the machine was disturbed"
            : "");
}

/* A line of twice the stride makes every second visit a hit of the first level, so the
 * walk over every second line becomes the primary one. It shows where the first level
 * ends and the second is all there is. */
static bool check_line(struct climb *climb)
{
    struct walk *primary = &climb->primary, *wide = &climb->wide;
    if (!wide->seen || wide->levels.count < 2 || primary->levels.count < 2 ||
        wide->extract.in_cycles != primary->extract.in_cycles)
        return true;
    const struct level *second = &wide->levels.level[1];
    double from = wide->extract.curve.size[second->flat_first];
    double to = wide->extract.curve.size[second->flat_last];
    double ratio = sonde_infer_climb_cost(climb, wide, from, to) /
                   sonde_infer_climb_cost(climb, primary, from, to);
    bool larger = ratio > SONDE_INFER_PAIR_RATIO;
    if (!sonde_infer_control(climb->findings, !larger,
                             "twice the stride in the second level",
                             "costs the same an access", "%.2f times as much%s", ratio,
                             larger ? ": lines come in pairs; that walk is used" : ""))
        return false;
    if (larger) {
        struct walk swap = *primary;
        *primary = *wide;
        *wide = swap;
        wide->seen = false;
        climb->walk_name = "wide";
    }
    return true;
}

bool sonde_infer_climb_check(struct climb *climb)
{
    return check_line(climb) && check_small_steps(climb) && check_wide(climb) &&
           check_translation(climb) && check_dip(climb);
}
