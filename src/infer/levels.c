/* From plateaus to levels: cost, capacity, and how sure both are.
 *
 *   cost            c1 _____   the next level
 *              75 % .-'
 *              50 %/           half-rise
 *   c0 ______10 %.'
 *            onset
 *   ----------------------- log size
 *
 * Capacity is where half of the rise to the next level is done. Two kinds of edge put the
 * true capacity elsewhere, both between onset and half-rise: physically indexed caches
 * with small pages spill before they are full (a ramp about the capacity), and random or
 * adaptive replacement keeps C of S bytes, so that half the rise comes at twice the
 * capacity. The second is known by its tail: three quarters of the rise come a whole
 * octave after one half. The interval covers the edge accordingly, and at least the two
 * grid points between which the half-rise lies.
 *
 * Confidence is the share of bootstraps over rounds that find the boundary again. A curve
 * without rounds has no replication; its confidence comes from how far the step stands
 * above the noise and how sharp it is, and stays below 0.9. When such a curve is noisy,
 * draws of that noise upon it take the place of rounds. */
#include "infer/levels.h"

#include "base/random.h"
#include "infer/shape.h"
#include "infer/spill.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_LEAST = 6 };

/* Below this a curve without rounds is taken as it is: each point's noise is far below
 * any step. */
static const double noise_to_draw = 0.03;

struct levels_options sonde_infer_levels_defaults(void)
{
    return (struct levels_options){
        .bootstraps = 200, .merge_ratio = 1.2, .granule_bytes = NAN, .seed = 1};
}

static int check(const struct curve *curve, struct message *why)
{
    if (curve->count < POINTS_LEAST)
        return sonde_base_fail(why, -ENODATA, "%zu points; levels need at least %d",
                               curve->count, POINTS_LEAST);
    for (size_t i = 0; i < curve->count; i++) {
        double size = curve->size[i], cost = curve->cost[i];
        if (!(size >= 1) || size > 0x1p62)
            return sonde_base_fail(why, -EINVAL, "point %zu: size %g is no size in bytes",
                                   i + 1, size);
        if (i > 0 && !(size > curve->size[i - 1]))
            return sonde_base_fail(
                why, -EINVAL, "point %zu: size %g does not follow %g in ascending order",
                i + 1, size, curve->size[i - 1]);
        if (!(cost > 0) || !isfinite(cost))
            return sonde_base_fail(why, -EINVAL, "point %zu: cost %g is not positive",
                                   i + 1, cost);
    }
    return 0;
}

/* The first two levels belong to the core; what follows is shared, and a share can move.
 */
enum { FIRST_SHARED = 2 };

/* --- edges --- */

/* Where the monotone curve last passes `cost` between two points of the shape: log2 size,
 * interpolated; `*below` is the last point not above it. */
static double crossing(const struct shape *shape, size_t from, size_t to, double cost,
                       size_t *below)
{
    size_t k = to;
    while (k > from && exp(shape->y[k]) > cost)
        k--;
    *below = k;
    if (k == to)
        return shape->x[to];
    double low = exp(shape->y[k]), high = exp(shape->y[k + 1]);
    double share = fmin(fmax((cost - low) / (high - low), 0), 1);
    return shape->x[k] + share * (shape->x[k + 1] - shape->x[k]);
}

/* In log2 of bytes. */
struct edge {
    double at, low, high;
    double misfit; /* of the law of spilling; NaN: the half-rise was taken */
};

/* Between half and three quarters of the rise lie a quarter of an octave where pages fall
 * into 8 or 16 ways by chance, and a whole one where C of S bytes are kept. */
static const double tail_octaves = 0.5;

/* C of S bytes are kept, so the capacity is what the share of the rise leaves of the
 * size: 9/10 of the onset, half of the half-rise. Where that law holds both are the same.
 */
static struct edge tail_edge(double onset, double half, double above)
{
    double by_onset = onset + log2(0.9), by_half = half - 1;
    return (struct edge){by_onset, fmin(by_onset - 0.0625, by_half), above, NAN};
}

/* Where pages fall into 8 or 16 ways by chance, half of the lines are lost at 0.96 to
 * 0.98 of the capacity; replacement that keeps some of what does not fit moves that up,
 * and what else the core keeps there (page tables, code) moves it down. In octaves. */
static const double spill_below = 0.25, spill_above = 0.1;

/* As many pages as this and more fall into the sets of a level by chance: with fewer,
 * ways times pages is the whole level. */
enum { PAGES_SPILL = 16 };

static bool spills_early(double capacity, double granule_bytes)
{
    return capacity > PAGES_SPILL * granule_bytes;
}

/* A law that misses by more than this share of the rise is not the one that holds. */
static const double misfit_most = 0.15;

static struct edge spill_edge(const struct shape *shape, struct edge half, double onset,
                              double bottom, double granule_bytes)
{
    struct spill spill;

    if (granule_bytes > 0 &&
        sonde_infer_spill_fit(shape, half.at, bottom, granule_bytes, &spill) &&
        spill.misfit <= misfit_most)
        return (struct edge){spill.at, spill.at - spill_below, spill.at + spill_above,
                             spill.misfit};
    return (struct edge){half.at, fmin(half.low, fmax(onset, half.at - spill_below)),
                         fmax(half.high, half.at + spill_above), NAN};
}

static struct edge find_edge(const struct shape *shape, const struct plateau *lower,
                             const struct plateau *upper, double granule_bytes, bool own)
{
    double bottom = exp(lower->level), rise = exp(upper->level) - bottom;
    size_t from = lower->first, to = upper->last, below, ignored;
    double half = crossing(shape, from, to, bottom + 0.5 * rise, &below);
    double onset = crossing(shape, from, to, bottom + 0.1 * rise, &ignored);
    double late = crossing(shape, from, to, bottom + 0.75 * rise, &ignored);
    size_t above = below < to ? below + 1 : below;
    struct edge edge = {half, shape->x[below], shape->x[above], NAN};
    bool fine = shape->density >= SONDE_INFER_FINE_DENSITY;
    bool spills = spills_early(exp2(half), granule_bytes);
    if (!fine)
        edge.low = fmin(edge.low, onset);
    else if (spills)
        edge = spill_edge(shape, edge, onset, bottom, own ? granule_bytes : NAN);
    else if (late - half > tail_octaves)
        edge = tail_edge(onset, half, edge.high);
    else /* a quarter octave is what 16 ways show, whatever the pages */
        edge = (struct edge){half, fmin(edge.low, fmax(onset, half - 0.25)),
                             fmax(edge.high, half + 0.1), NAN};
    return edge;
}

/* --- one pass over one set of costs --- */

static int find_plateaus(const struct shape *shape, double merge_ratio,
                         struct plateaus *plateaus)
{
    bool fine = shape->density >= SONDE_INFER_FINE_DENSITY;
    int error =
        fine ? sonde_infer_segment(shape, plateaus) : sonde_infer_slopes(shape, plateaus);
    if (error)
        return error;
    sonde_infer_merge(shape, merge_ratio, plateaus);
    return 0;
}

/* The flattest third of a plateau. At its beginning some accesses still hit the level
 * before, at its end some already miss: both are slopes. Nothing follows the last
 * plateau, so of equally flat parts of it the latest counts: hits die out slowly. */
static struct plateau flattest(const struct shape *shape, const struct plateau *plateau,
                               bool last)
{
    size_t count = plateau->last - plateau->first + 1;
    size_t many = count / 3 > 3 ? count / 3 : count < 3 ? count : 3;
    struct plateau best = *plateau;
    double least = INFINITY;
    for (size_t i = plateau->first; i + many <= plateau->last + 1; i++) {
        double climb = shape->y[i + many - 1] - shape->y[i];
        /* What is within half a percent is equally flat. */
        if (climb < least || (last && climb <= 0.005)) {
            least = fmin(least, climb);
            best = (struct plateau){i, i + many - 1, 0};
        }
    }
    /* The low quartile: what disturbs only adds. */
    memcpy(shape->scratch, shape->raw + best.first, many * sizeof(double));
    sonde_measure_sort(shape->scratch, many);
    best.level = sonde_measure_quantile(shape->scratch, many, 0.25);
    return best;
}

/* `flat` are the flattest parts of `plateaus`. */
static void fill_level(const struct shape *shape, const struct plateaus *plateaus,
                       const struct plateau *flat, size_t i, double granule_bytes,
                       struct level *level)
{
    const struct plateau *plateau = &plateaus->plateau[i];
    bool last = i + 1 == plateaus->count;
    *level = (struct level){.capacity = NAN,
                            .capacity_low = NAN,
                            .capacity_high = NAN,
                            .misfit = NAN,
                            .confidence = NAN,
                            .first = shape->first[plateau->first],
                            .last = shape->first[plateau->last + 1] - 1};
    level->cost = level->cost_low = level->cost_high = NAN;
    if (!last || !plateaus->rising_at_end) {
        level->cost = exp(flat[i].level);
        /* What even the flattest part climbs is not known better. */
        level->cost_low = fmin(level->cost, exp(shape->y[flat[i].first]));
        level->cost_high = fmax(level->cost, exp(shape->y[flat[i].last]));
    }
    level->flat_first = shape->first[flat[i].first];
    level->flat_last = shape->first[flat[i].last + 1] - 1;
    if (last)
        return;
    struct plateau lower = {plateau->first, plateau->last, flat[i].level};
    struct plateau upper = {plateau[1].first, plateau[1].last, flat[i + 1].level};
    struct edge edge = find_edge(shape, &lower, &upper, granule_bytes, i < FIRST_SHARED);
    level->capacity = exp2(edge.at);
    level->capacity_low = exp2(edge.low);
    level->capacity_high = exp2(edge.high);
    level->misfit = edge.misfit;
}

static int detect(const struct shape *shape, const struct levels_options *options,
                  struct levels *levels)
{
    struct plateaus plateaus;
    int error = find_plateaus(shape, options->merge_ratio, &plateaus);
    if (error)
        return error;
    /* More than LEVELS_MAX plateaus is no hierarchy; the fastest ones are kept. */
    size_t count = plateaus.count < LEVELS_MAX ? plateaus.count : LEVELS_MAX;
    levels->count = count;
    levels->rising_at_end = plateaus.rising_at_end || count < plateaus.count;
    struct plateau flat[PLATEAUS_MAX];
    for (size_t i = 0; i < plateaus.count; i++)
        flat[i] = flattest(shape, &plateaus.plateau[i], i + 1 == plateaus.count);
    for (size_t i = 0; i < count; i++)
        fill_level(shape, &plateaus, flat, i, options->granule_bytes, &levels->level[i]);
    return 0;
}

/* --- confidence --- */

struct tally {
    unsigned seen, draws; /* boundary found again within the tolerance */
    double *capacity;     /* of the draws that found it within an octave */
    double *cost;         /* of the draws that found the level */
    unsigned capacities, costs;
};

struct bootstrap {
    const struct curve *curve;
    const struct levels_options *options;
    struct shape *shape;
    struct levels *levels;
    bool repeated; /* there are rounds */
    struct tally tally[LEVELS_MAX];
    double *cost;   /* of one draw */
    double *column; /* one point's costs in all rounds */
    size_t *drawn;  /* rounds of one draw */
    double *store;  /* behind the tallies */
};

static int bootstrap_open(struct bootstrap *b)
{
    size_t draws = b->options->bootstraps, rounds = b->curve->rounds;
    b->cost = malloc(b->curve->count * sizeof(double));
    b->column = malloc((rounds * sonde_infer_rows(b->curve) + 1) * sizeof(double));
    b->drawn = malloc((rounds + 1) * sizeof(size_t));
    b->store = malloc(2 * draws * LEVELS_MAX * sizeof(double));
    if (!b->cost || !b->column || !b->drawn || !b->store)
        return -ENOMEM;
    for (size_t i = 0; i < LEVELS_MAX; i++) {
        b->tally[i].capacity = b->store + 2 * draws * i;
        b->tally[i].cost = b->tally[i].capacity + draws;
    }
    return 0;
}

static void bootstrap_close(struct bootstrap *b)
{
    free(b->cost);
    free(b->column);
    free(b->drawn);
    free(b->store);
}

/* Copies what point `i` cost in round `round` to `column`: how many. */
static size_t copy_round(const struct curve *curve, size_t round, size_t i,
                         double *column)
{
    size_t rows = sonde_infer_rows(curve), known = 0;
    for (size_t k = 0; k < rows; k++) {
        double cost = curve->round_cost[(round * rows + k) * curve->count + i];
        if (isfinite(cost) && cost > 0)
            column[known++] = cost;
    }
    return known;
}

/* The quantile of the drawn rounds, point by point. */
static void draw_rounds(struct bootstrap *b, struct random_source *random)
{
    const struct curve *curve = b->curve;
    double quantile = sonde_infer_cost_quantile(curve);
    for (size_t r = 0; r < curve->rounds; r++)
        b->drawn[r] = (size_t)sonde_base_random_below(random, curve->rounds);
    for (size_t i = 0; i < curve->count; i++) {
        size_t known = 0;
        for (size_t r = 0; r < curve->rounds; r++)
            known += copy_round(curve, b->drawn[r], i, b->column + known);
        sonde_measure_sort(b->column, known);
        b->cost[i] =
            known ? sonde_measure_quantile(b->column, known, quantile) : curve->cost[i];
    }
}

/* Without rounds the curve's own noise is all there is to draw from. */
static void draw_costs(struct bootstrap *b, struct random_source *random)
{
    if (b->repeated) {
        draw_rounds(b, random);
        return;
    }
    for (size_t i = 0; i < b->curve->count; i++)
        b->cost[i] =
            b->curve->cost[i] * exp(b->levels->noise * sonde_base_random_normal(random));
}

/* The level of `drawn` whose boundary lies nearest to `capacity`. */
static const struct level *nearest_boundary(const struct levels *drawn, double capacity)
{
    const struct level *best = NULL;
    for (size_t i = 0; i + 1 < drawn->count; i++) {
        const struct level *level = &drawn->level[i];
        if (!best || fabs(log2(level->capacity / capacity)) <
                         fabs(log2(best->capacity / capacity)))
            best = level;
    }
    return best;
}

/* Whether a draw found the boundary of `level` again. */
static bool again(const struct shape *shape, const struct level *level, double capacity)
{
    double tolerance = fmax(0.125, 1 / shape->density) * 1.001;

    return fabs(log2(capacity / level->capacity)) <= tolerance;
}

static void count_draw(struct bootstrap *b, const struct levels *drawn)
{
    for (size_t i = 0; i < b->levels->count; i++) {
        const struct level *level = &b->levels->level[i];
        struct tally *tally = &b->tally[i];
        bool last = i + 1 == b->levels->count;
        const struct level *found = last ? &drawn->level[drawn->count - 1]
                                         : nearest_boundary(drawn, level->capacity);
        tally->draws++;
        if (!found)
            continue;
        bool same = last || fabs(log2(found->capacity / level->capacity)) <= 1;
        tally->seen += last ? drawn->count == b->levels->count
                            : again(b->shape, level, found->capacity);
        if (same && !last)
            tally->capacity[tally->capacities++] = found->capacity;
        if (same && isfinite(found->cost) && fabs(log(found->cost / level->cost)) < 0.3)
            tally->cost[tally->costs++] = found->cost;
    }
}

static void widen(double *values, unsigned count, double *low, double *high)
{
    if (count == 0)
        return;
    sonde_measure_sort(values, count);
    *low = fmin(*low, sonde_measure_quantile(values, count, 0.025));
    *high = fmax(*high, sonde_measure_quantile(values, count, 0.975));
}

/* The discipline asks for seven rounds. Fewer say little about their own spread, so an
 * eighth of an octave is allowed for what they did not see. */
enum { ROUNDS_ENOUGH = 7 };

static void allow_for_few_rounds(const struct bootstrap *b, struct level *level)
{
    if (b->repeated && b->curve->rounds < ROUNDS_ENOUGH) {
        level->capacity_low *= exp2(-0.125);
        level->capacity_high *= exp2(0.125);
    }
}

/* A neighbour that was there most of the time leaves its lines behind in the moments
 * without it as well: there is more of the level than was seen, and no sample tells how
 * much. Seen with 0.7 of the samples set aside: half of the rise 0.24 octaves below the
 * capacity; with 0.86, 0.3. */
static const double neighbour_octaves = 2;

static void allow_for_neighbours(const struct curve *curve, double granule_bytes,
                                 struct level *level)
{
    size_t known = 0;
    double sum = 0, more;
    for (size_t i = 0; curve->set_aside && i < curve->count; i++)
        if (curve->size[i] >= level->capacity_low &&
            curve->size[i] <= level->capacity_high) {
            sum += curve->set_aside[i];
            known++;
        }
    more = known ? sum / (double)known - SONDE_INFER_OFTEN_SET_ASIDE : 0;
    if (more > 0 && isnan(level->misfit) && spills_early(level->capacity, granule_bytes))
        level->capacity_high *= exp2(neighbour_octaves * more);
}

/* A fit to few points moves with each of them: the middle of the draws moves less. */
static void centre(struct bootstrap *b, struct tally *tally, struct level *level)
{
    double middle, shift;

    if (isnan(level->misfit) || !tally->capacities)
        return;
    sonde_measure_sort(tally->capacity, tally->capacities);
    middle = sonde_measure_median(tally->capacity, tally->capacities);
    shift = middle / level->capacity;
    level->capacity = middle;
    level->capacity_low *= shift;
    level->capacity_high *= shift;
    tally->seen = 0;
    for (unsigned i = 0; i < tally->capacities; i++)
        tally->seen += again(b->shape, level, tally->capacity[i]);
}

static void settle(struct bootstrap *b)
{
    for (size_t i = 0; i < b->levels->count; i++) {
        struct level *level = &b->levels->level[i];
        struct tally *tally = &b->tally[i];
        double share;

        centre(b, tally, level);
        share = (double)tally->seen / tally->draws;
        level->confidence = b->repeated ? share : fmin(level->confidence, 0.9 * share);
        level->range_only = level->confidence < (b->repeated ? 0.7 : 0.45);
        widen(tally->capacity, tally->capacities, &level->capacity_low,
              &level->capacity_high);
        widen(tally->cost, tally->costs, &level->cost_low, &level->cost_high);
        allow_for_few_rounds(b, level);
        allow_for_neighbours(b->curve, b->options->granule_bytes, level);
    }
}

static int bootstrap(struct bootstrap *b)
{
    struct random_source random;
    sonde_base_random_seed(&random, b->options->seed);
    int error = bootstrap_open(b);
    for (unsigned i = 0; i < b->options->bootstraps && !error; i++) {
        struct levels drawn = {0};
        draw_costs(b, &random);
        sonde_infer_shape_update(b->shape, b->cost);
        error = detect(b->shape, b->options, &drawn);
        if (!error)
            count_draw(b, &drawn);
    }
    if (!error)
        settle(b);
    bootstrap_close(b);
    return error;
}

/* Two boundaries beyond the private levels that neither half of the bootstraps finds
 * again are one that moved while it was measured: the shelf between them is no level, and
 * their union is the range. */
static void unite_unstable(struct levels *levels)
{
    for (size_t i = FIRST_SHARED; i + 2 < levels->count;) {
        struct level *lower = &levels->level[i], *upper = lower + 1;

        if (lower->confidence >= 0.5 || upper->confidence >= 0.5) {
            i++;
            continue;
        }
        lower->capacity_high = upper->capacity_high;
        lower->capacity = sqrt(lower->capacity_low * lower->capacity_high);
        lower->confidence = fmin(lower->confidence + upper->confidence, 0.69);
        lower->range_only = true;
        levels->count--;
        for (size_t j = i + 1; j < levels->count; j++)
            levels->level[j] = levels->level[j + 1];
    }
}

/* Without rounds: a step of three sigma has even odds, one of ten is nearly sure; an edge
 * that takes more than an octave is less so. Never above 0.9: nothing was repeated. */
static void guess_confidence(struct levels *levels)
{
    for (size_t i = 0; i < levels->count; i++) {
        struct level *level = &levels->level[i];
        bool last = i + 1 == levels->count;
        const struct level *other = last && i > 0 ? level - 1 : level + 1;
        double step = levels->count > 1 && isfinite(other->cost) && isfinite(level->cost)
                          ? fabs(log(other->cost / level->cost))
                          : log(2);
        double width = last ? 0 : log2(level->capacity_high / level->capacity_low);
        double odds = 1 - exp(-0.23 * step / levels->noise);
        level->confidence = 0.9 * odds / fmax(1, width);
        level->range_only = level->confidence < 0.45;
        level->cost_low *= exp(-levels->noise);
        level->cost_high *= exp(levels->noise);
    }
}

int sonde_infer_levels(const struct curve *curve, const struct levels_options *options,
                       struct levels *levels, struct message *why)
{
    *levels = (struct levels){0};
    int error = check(curve, why);
    if (error)
        return error;
    struct shape shape;
    error = sonde_infer_shape_open(&shape, curve);
    if (error)
        return sonde_base_fail(why, error, "no memory for %zu points", curve->count);
    levels->noise = shape.sigma;
    levels->dip = sonde_infer_shape_dip(&shape);
    error = detect(&shape, options, levels);
    bool repeated = curve->round_cost && curve->rounds > 1;

    if (!error && !repeated)
        guess_confidence(levels);
    bool draws = options->bootstraps > 0 && (repeated || levels->noise > noise_to_draw);
    if (!error && draws) {
        struct bootstrap run = {.curve = curve,
                                .options = options,
                                .repeated = repeated,
                                .shape = &shape,
                                .levels = levels};
        error = bootstrap(&run);
        if (repeated)
            unite_unstable(levels);
    }
    sonde_infer_shape_close(&shape);
    return error ? sonde_base_fail(why, error, "no memory for the levels") : 0;
}
