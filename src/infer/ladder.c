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

#include "infer/climb.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        "the level reaches at least to %.0f KiB, where the curve ends%s",
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
    return sonde_infer_found_by(
        size, "ways times span by conflicts, and the half-rise of the ladder");
}

static bool add_memory(struct climb *climb)
{
    if (climb->naming.has_memory)
        return sonde_infer_climb_latencies(climb, climb->naming.caches);
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
        if (!sonde_infer_climb_latencies(climb, i))
            return false;
    }
    return add_memory(climb);
}

static bool conclude(struct climb *climb)
{
    struct walk *primary = &climb->primary;
    if (!sonde_infer_climb_check(climb))
        return false;
    double cost_ns[LEVELS_MAX];
    for (size_t i = 0; i < primary->levels.count; i++) {
        sonde_infer_climb_source(climb, i);
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
    int error = sonde_infer_climb_open(&climb);
    if (!error && !climb.primary.seen) {
        error = give_up_all(&climb);
        goto out;
    }
    if (!error) {
        size_t room = climb.primary.extract.curve.count +
                      climb.random.extract.curve.count + climb.wide.extract.curve.count;
        climb.scratch = malloc((room + 1) * sizeof(double));
        error = climb.scratch && conclude(&climb) ? 0 : -ENOMEM;
    }
    if (!error && levels)
        *levels = climb.primary.levels;
out:
    sonde_infer_climb_close(&climb);
    return error;
}
