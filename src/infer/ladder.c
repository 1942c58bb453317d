/* The ladder's conclusions: levels of the primary walk, held against the other walks,
 * then written down as findings.
 *
 *   windowed walk   levels -> sizes, latencies, memory     (translation kept out)
 *   wide walk       the same boundaries in bytes, or the step is no capacity
 *   random walk     boundaries it has alone are translation's, not a cache's
 *   conflicts       ways x span, a second witness for the first level
 *
 * What can fool it: without a windowed walk a step of translation looks like a cache's,
 * so steps below 1.5 are not counted then (a first-level translation miss costs up to 9
 * cycles, which is half of a second-level hit; caches lie further apart). A last level
 * shared with others is whatever they leave of it now. */
#include "infer/ladder.h"

#include "infer/extract.h"
#include "infer/naming.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double merge_ratio_translated = 1.5;
/* Above what placement and noise do, below what half of the visits hitting does. */
static const double neighbour_ratio = 1.15;
/* The clocks' own share of every interval: their cost and calibration. */
static const double scale_error = 0.0025;
static const char both_walks[] = "windowed walk against random walk";
static const char translation_shows[] =
    "what only the random walk shows is translation, not a cache";

struct walk {
    struct extract extract;
    struct levels levels;
    bool seen; /* the walk is there and has levels */
};

/* Where the latency of a level is read: a walk, and points of its curve. */
struct source {
    const struct walk *walk;
    size_t first, last;
    double cost, cost_low, cost_high; /* in the curve's unit */
    double cost_ns;
};

struct climb {
    const struct ladder *ladder;
    struct walk primary, random, wide;
    struct naming naming;
    const char *walk_name;
    bool translated; /* the primary pays translation */
    struct findings *findings;
    char method[120];
    double *scratch; /* as many as all walks have points */
    struct source source[LEVELS_MAX];
};

/* --- the walks --- */

static int walk_open(struct walk *walk, const struct series *series, uint64_t seed,
                     double merge_ratio, unsigned bootstraps)
{
    *walk = (struct walk){0};
    int error = sonde_infer_extract(series, &walk->extract);
    if (error)
        return error;
    struct levels_options options = sonde_infer_levels_defaults();
    options.seed = seed;
    options.bootstraps = bootstraps;
    if (merge_ratio > 0)
        options.merge_ratio = merge_ratio;
    error = sonde_infer_levels(&walk->extract.curve, &options, &walk->levels, NULL);
    walk->seen = error == 0;
    return error == -ENOMEM ? error : 0;
}

static int open_walks(struct climb *climb)
{
    const struct ladder *ladder = climb->ladder;
    unsigned bootstraps = sonde_infer_levels_defaults().bootstraps;
    int error = walk_open(&climb->primary, ladder->windowed, ladder->seed, 0, bootstraps);
    climb->walk_name = "windowed";
    if (!error && climb->primary.seen) {
        error = walk_open(&climb->random, ladder->random, ladder->seed, 0, 0);
    } else if (!error) {
        sonde_infer_extract_free(&climb->primary.extract);
        error = walk_open(&climb->primary, ladder->random, ladder->seed,
                          merge_ratio_translated, bootstraps);
        climb->walk_name = "random";
        climb->translated = true;
    }
    if (!error)
        error = walk_open(&climb->wide, ladder->wide, ladder->seed, 0, bootstraps / 4);
    return error;
}

static void close_walks(struct climb *climb)
{
    sonde_infer_extract_free(&climb->primary.extract);
    sonde_infer_extract_free(&climb->random.extract);
    sonde_infer_extract_free(&climb->wide.extract);
    free(climb->scratch);
}

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

/* --- controls --- */

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

/* A boundary is real when twice the stride shows it at the same bytes. One that it does
 * not show, and that the bootstrap doubts as well, is no level. */
static bool check_wide(struct climb *climb)
{
    struct levels *levels = &climb->primary.levels;
    for (size_t i = 0; climb->wide.seen && i + 1 < levels->count;) {
        const struct level *level = &levels->level[i];
        double off = octaves_off(&climb->wide, level->capacity);
        bool agrees = off <= 0.5 || shares_boundary(&climb->wide, level);
        bool dropped = !agrees && level->confidence < 0.9 && levels->count > 2;
        if (!sonde_infer_control(
                climb->findings, agrees, "the same walk at twice the stride",
                "the boundary lies at the same bytes, within half an octave",
                "boundary at %.0f KiB is %.2f octaves off%s", level->capacity / 1024, off,
                dropped ? ": not counted" : ""))
            return false;
        if (dropped)
            drop_boundary(levels, i);
        else
            i++;
    }
    return true;
}

/* Cost of a walk at the points from `from` to `to` bytes: their median; NaN for none. */
static double cost_between(struct climb *climb, const struct walk *walk, double from,
                           double to)
{
    const struct curve *curve = &walk->extract.curve;
    size_t known = 0;
    for (size_t i = 0; i < curve->count; i++) {
        if (curve->size[i] >= from * 0.999 && curve->size[i] <= to * 1.001)
            climb->scratch[known++] = curve->cost[i];
    }
    sonde_measure_sort(climb->scratch, known);
    return sonde_measure_median(climb->scratch, known);
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
    double ratio =
        cost_between(climb, random, from, to) / cost_between(climb, primary, from, to);
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
        if (!(ratio < merge_ratio_translated) || translation_kept_out(climb, level + 1)) {
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
        return sonde_infer_control(
            climb->findings, false, "a walk that keeps translation out",
            "is there beside the random walk",
            "none: steps below a factor of %.1f are not counted", merge_ratio_translated);
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

/* --- latencies --- */

enum figure { FIGURE_BEST, FIGURE_MIN, FIGURE_MEDIAN, FIGURE_Q75 };

static double figure_of(const struct series_point *point, enum figure figure)
{
    switch (figure) {
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
    double up = or_one(source->cost_high / source->cost);
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
    struct latency latency = spread(climb, &climb->source[i], cost, shared);
    char full[40];
    snprintf(full, sizeof full, "%s.latency%s", name,
             strcmp(unit, "cycles") == 0 ? "_cycles" : "");
    return sonde_infer_find(climb->findings, full, unit, latency.value, latency.low,
                            latency.high, level->confidence,
                            shared ? "median over the plateau of the curve"
                                   : "low quartile over the plateau of the curve");
}

static bool add_latencies(struct climb *climb, size_t i)
{
    const struct extract *extract = &climb->primary.extract;
    double cost = climb->source[i].cost;
    if (extract->in_ns && !add_latency(climb, i, "ns", climb->source[i].cost_ns))
        return false;
    return (extract->in_ns && !extract->in_cycles) ||
           add_latency(climb, i, "cycles", cost);
}

/* --- sizes --- */

static const char *size_name(const struct climb *climb, size_t i, char *full, size_t room)
{
    const char *name = climb->naming.name[i];
    snprintf(full, room, "%s.%s", name, strcmp(name, "llc") == 0 ? "effective" : "size");
    return full;
}

/* The curve ends before this level does. */
static bool give_up_size(struct climb *climb, const char *name)
{
    const struct curve *curve = &climb->primary.extract.curve;
    return sonde_infer_give_up(
        climb->findings, name, "bytes",
        "the level reaches at least to %.0f KiB, where the curve "
        "ends%s",
        curve->size[curve->count - 1] / 1024,
        climb->ladder->memory_limited ? ": no more memory was granted" : "");
}

/* More than an octave between the ends of the interval says nothing a program could use;
 * what is shared, or was not found again often enough, is a range without a value. */
static bool add_size(struct climb *climb, size_t i)
{
    const struct level *level = &climb->primary.levels.level[i];
    char name[40];
    size_name(climb, i, name, sizeof name);
    if (!isfinite(level->capacity))
        return give_up_size(climb, name);
    double width = log2(level->capacity_high / level->capacity_low);
    bool shared = climb->ladder->shared_last_level && strncmp(name, "llc", 3) == 0;
    if (shared && width > 1 && level->range_only)
        return sonde_infer_give_up(climb->findings, name, "bytes",
                                   "the share of this core moved between %.0f and %.0f "
                                   "KiB while it was measured",
                                   level->capacity_low / 1024,
                                   level->capacity_high / 1024);
    bool range = level->range_only || (shared && width > 0.5);
    struct finding *finding = sonde_infer_find(
        climb->findings, name, "bytes", range ? NAN : level->capacity,
        level->capacity_low, level->capacity_high, level->confidence, climb->method);
    if (finding && range)
        sonde_infer_explain(finding, "a range: %s",
                            shared ? "what others leave of a shared level moves"
                                   : "the boundary was not found again often enough");
    return finding;
}

/* The second witness for the first level: exact where both agree. */
static bool join_conflicts(struct climb *climb, struct finding *size)
{
    double product = climb->ladder->l1_by_conflicts;
    if (!isfinite(product) || !size || climb->naming.caches == 0)
        return true;
    const struct level *level = &climb->primary.levels.level[0];
    bool inside = product >= level->capacity_low && product <= level->capacity_high;
    bool near = fabs(product / level->capacity - 1) <= 0.15;
    bool agrees = isfinite(level->capacity) && (inside || near);
    if (!sonde_infer_control(climb->findings, agrees,
                             "ways times span against the ladder's first boundary",
                             "within the ladder's interval, or 15 % of its value",
                             "%.1f KiB by conflicts, %.1f KiB by the ladder",
                             product / 1024, level->capacity / 1024))
        return false;
    if (!agrees)
        return true;
    size->value = product;
    size->low = fmin(size->low, product);
    size->high = fmax(size->high, product);
    /* Both would have to be wrong, and at the same size. */
    size->confidence = 1 - 0.1 * (1 - fmax(size->confidence, 0.5));
    char *method =
        strdup("ways times span by conflicts, and the half-rise of the ladder");
    if (!method)
        return false;
    free(size->method);
    size->method = method;
    free(size->reason);
    size->reason = NULL;
    return true;
}

/* --- all of it --- */

static bool add_memory(struct climb *climb)
{
    if (climb->naming.has_memory)
        return add_latencies(climb, climb->naming.caches);
    return sonde_infer_give_up(climb->findings, "memory.latency", "ns", "%s",
                               climb->naming.why_not);
}

static bool add_findings(struct climb *climb)
{
    for (size_t i = 0; i < climb->naming.caches; i++) {
        if (!add_size(climb, i))
            return false;
        /* The last row is the first level's size: nothing else was added since. */
        struct finding *size = &climb->findings->rows[climb->findings->count - 1];
        if (i == 0 && !join_conflicts(climb, size))
            return false;
        if (!add_latencies(climb, i))
            return false;
    }
    return add_memory(climb);
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

/* Lines that come in together (a larger line, or a prefetched neighbour) make the primary
 * walk cheaper than a level is; the walk over every second line then tells its latency.
 */
static void choose_source(struct climb *climb, size_t i)
{
    const struct walk *primary = &climb->primary, *wide = &climb->wide;
    const struct level *level = &primary->levels.level[i];
    struct source *source = &climb->source[i];
    double from = primary->extract.curve.size[level->flat_first];
    double to = primary->extract.curve.size[level->flat_last];
    *source =
        (struct source){primary,         level->flat_first, level->flat_last, level->cost,
                        level->cost_low, level->cost_high,  level->cost};
    size_t first, last;
    bool same = wide->seen && wide->extract.in_cycles == primary->extract.in_cycles;
    if (same && points_between(wide, from, to, &first, &last)) {
        double cost = cost_between(climb, wide, from, to);
        if (cost > neighbour_ratio * level->cost)
            *source = (struct source){wide, first, last, cost, cost, cost, cost};
    }
    if (source->walk->extract.in_cycles)
        source->cost_ns = over_plateau(climb, source, FIGURE_BEST, false, 0.25);
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
    double ratio =
        cost_between(climb, wide, from, to) / cost_between(climb, primary, from, to);
    bool larger = ratio > neighbour_ratio;
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

static bool conclude(struct climb *climb)
{
    struct walk *primary = &climb->primary;
    if (!check_line(climb) || !check_small_steps(climb) || !check_wide(climb) ||
        !check_translation(climb) || !check_dip(climb))
        return false;
    double cost_ns[LEVELS_MAX];
    for (size_t i = 0; i < primary->levels.count; i++) {
        choose_source(climb, i);
        cost_ns[i] = climb->source[i].cost_ns;
    }
    sonde_infer_name_levels(&primary->levels, &primary->extract.curve,
                            primary->extract.in_ns ? cost_ns : NULL,
                            climb->ladder->shared_last_level,
                            climb->ladder->memory_limited, &climb->naming);
    size_t rounds = primary->extract.curve.rounds;
    if (rounds > 1)
        snprintf(climb->method, sizeof climb->method,
                 "half-rise of the %s walk, bootstrap over %zu rounds", climb->walk_name,
                 rounds);
    else
        snprintf(climb->method, sizeof climb->method,
                 "half-rise of the %s walk, one value per size", climb->walk_name);
    return add_findings(climb);
}

static int give_up_all(struct climb *climb)
{
    size_t points = climb->primary.extract.curve.count;
    bool done = sonde_infer_give_up(climb->findings, "l1d.size", "bytes",
                                    "%zu usable points; levels need more", points) &&
                sonde_infer_give_up(climb->findings, "memory.latency", "ns",
                                    "%zu usable points; levels need more", points);
    return done ? 0 : -ENOMEM;
}

int sonde_infer_ladder(const struct ladder *ladder, struct levels *levels,
                       struct findings *findings)
{
    struct climb climb = {.ladder = ladder, .findings = findings};
    if (levels)
        *levels = (struct levels){0};
    int error = open_walks(&climb);
    if (!error && !climb.primary.seen) {
        error = give_up_all(&climb);
        goto out;
    }
    if (!error) {
        size_t room =
            climb.primary.extract.curve.count + climb.random.extract.curve.count;
        climb.scratch = malloc((room + 1) * sizeof(double));
        error = climb.scratch && conclude(&climb) ? 0 : -ENOMEM;
    }
    if (!error && levels)
        *levels = climb.primary.levels;
out:
    close_walks(&climb);
    return error;
}
