/* The levels of translation, by the detector of cache levels.
 *
 *   cost of spread lines, less that of packed ones
 *     |                 ________  neither level holds the pages: tables are walked
 *     |       _________/          the second level holds them
 *     |______/                    the first level holds them
 *     +------+---------+-------   pages
 *
 * Packed lines use the same sets of the first cache and as much of the others, on few
 * pages: taking their cost off, point by point and round by round, leaves translation
 * alone. What remains is a curve like that of a ladder, with pages for bytes.
 *
 * What can fool it: a cache whose edge lies where the number of pages also leaves a
 * translation level (the packed walk rises there too, which is looked at); entries that
 * serve several neighbouring pages (pages far apart then show fewer, and those count);
 * spread lines that leave a cache before packed ones do (hence pairs of lines);
 * tables that leave the caches themselves (the walk grows dearer with the footprint; its
 * cost is read where it is flattest). */
#include "infer/translation.h"

#include "infer/extract.h"
#include "infer/levels.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Packed lines may cost this much more beyond a knee than below it: the least step of
 * translation seen on any core (5 cycles on 5) is far above. */
static const double packed_flat = 1.15;
/* At a knee of the second level the lines have left the first cache, and the second one
 * empties gradually: half as much is allowed as a walk costs. */
static const double packed_share = 0.5;
/* Below this share of bootstraps that find the second step again it is not told, nor when
 * it is wider than this: second levels of few sets were seen to spread over two octaves
 * at most. */
static const double again_least = 0.5, wide_most = 4;
/* A wider edge is a range, and no number. */
static const double number_most = 1.5;
/* What placement alone does from run to run. */
static const double placement_error = 0.015;

struct evidence {
    const struct translation *translation;
    struct extract spread, packed;
    double *size, *cost, *packed_cost, *rounds;
    struct curve curve;
    struct levels levels;
    double base; /* cost of a line that translation adds nothing to */
};

static void close_evidence(struct evidence *evidence)
{
    sonde_infer_extract_free(&evidence->spread);
    sonde_infer_extract_free(&evidence->packed);
    free(evidence->size);
    free(evidence->cost);
    free(evidence->packed_cost);
    free(evidence->rounds);
}

/* The point of the packed walk with as many lines; SIZE_MAX: none. */
static size_t packed_like(const struct evidence *evidence, double lines)
{
    const struct curve *packed = &evidence->packed.curve;

    for (size_t i = 0; i < packed->count; i++)
        if (packed->size[i] == lines)
            return i;
    return SIZE_MAX;
}

/* Costs below half of a hit are noise of the subtraction. */
static double translated(const struct evidence *evidence, double spread, double packed)
{
    return fmax(evidence->base / 2, evidence->base + spread - packed);
}

static void subtract_rounds(struct evidence *evidence, const size_t *from,
                            const size_t *with)
{
    const struct curve *spread = &evidence->spread.curve;
    const struct curve *packed = &evidence->packed.curve;
    size_t count = evidence->curve.count;

    for (size_t r = 0; r < evidence->curve.rounds; r++)
        for (size_t i = 0; i < count; i++) {
            double far = spread->round_cost[r * spread->count + from[i]];
            double near = packed->round_cost[r * packed->count + with[i]];

            evidence->rounds[r * count + i] =
                isnan(far) || isnan(near) ? NAN : translated(evidence, far, near);
        }
    evidence->curve.round_cost = evidence->rounds;
}

static void subtract(struct evidence *evidence, size_t *from, size_t *with)
{
    const struct curve *spread = &evidence->spread.curve;
    const struct curve *packed = &evidence->packed.curve;
    size_t count = 0;

    evidence->base = packed->count ? packed->cost[0] : NAN;
    for (size_t i = 0; i < packed->count; i++)
        evidence->base = fmin(evidence->base, packed->cost[i]);
    for (size_t i = 0; i < spread->count; i++) {
        size_t same = packed_like(evidence, spread->size[i]);

        if (same == SIZE_MAX)
            continue;
        from[count] = i;
        with[count] = same;
        evidence->size[count] = spread->size[i];
        evidence->packed_cost[count] = packed->cost[same];
        evidence->cost[count++] =
            translated(evidence, spread->cost[i], packed->cost[same]);
    }
    evidence->curve =
        (struct curve){.count = count, .size = evidence->size, .cost = evidence->cost};
}

static int build(struct evidence *evidence, size_t *from, size_t *with)
{
    size_t rounds;

    subtract(evidence, from, with);
    rounds = evidence->spread.curve.rounds < evidence->packed.curve.rounds
                 ? evidence->spread.curve.rounds
                 : evidence->packed.curve.rounds;
    if (rounds < 2 || evidence->spread.in_cycles != evidence->packed.in_cycles)
        return 0;
    evidence->rounds =
        malloc((rounds * evidence->curve.count + 1) * sizeof *evidence->rounds);
    if (!evidence->rounds)
        return -ENOMEM;
    evidence->curve.rounds = rounds;
    subtract_rounds(evidence, from, with);
    return 0;
}

/* 0; -ENODATA or -EINVAL where there is no curve to look at; -ENOMEM. */
static int open_evidence(struct evidence *evidence, const struct translation *translation,
                         unsigned bootstraps)
{
    struct levels_options options = sonde_infer_levels_defaults();
    size_t room = translation->spread->count + 1;
    size_t *from = malloc(room * sizeof *from), *with = malloc(room * sizeof *with);
    int error;

    *evidence = (struct evidence){.translation = translation};
    evidence->size = malloc(room * sizeof *evidence->size);
    evidence->cost = malloc(room * sizeof *evidence->cost);
    evidence->packed_cost = malloc(room * sizeof *evidence->packed_cost);
    error = from && with && evidence->size && evidence->cost && evidence->packed_cost
                ? sonde_infer_extract(translation->spread, GRAIN_ROUND, &evidence->spread)
                : -ENOMEM;
    if (!error)
        error = sonde_infer_extract(translation->packed, GRAIN_ROUND, &evidence->packed);
    if (!error)
        error = build(evidence, from, with);
    free(from);
    free(with);
    options.bootstraps = bootstraps;
    if (!error)
        error = sonde_infer_levels(&evidence->curve, &options, &evidence->levels, NULL);
    return error;
}

/* --- knees -------------------------------------------------------------------------
 */

/* The largest number of pages tried that is no more than `capacity`. */
static double held(const struct evidence *evidence, double capacity)
{
    double value = NAN;

    for (size_t k = 0; k < evidence->curve.count; k++)
        if (evidence->curve.size[k] <= capacity * 1.0001)
            value = evidence->curve.size[k];
    return value;
}

/* The edge of level `i`: the last number of pages at which less than a quarter of the
 * step is climbed, and the first at which three quarters are, for good; farther apart
 * where the bootstraps did not find the boundary again often enough. */
static void edge_of(const struct evidence *evidence, size_t i, double *low, double *high)
{
    const struct curve *curve = &evidence->curve;
    const struct level *level = &evidence->levels.level[i];
    double step = level[1].cost - level[0].cost;
    size_t from = level[0].flat_first, k = level[1].flat_last;

    while (k > from && curve->cost[k - 1] >= level[0].cost + step * 0.75)
        k--;
    *high = curve->size[k];
    while (k > from && curve->cost[k] >= level[0].cost + step * 0.25)
        k--;
    *low = curve->size[k];
    if (!level->range_only)
        return;
    *low = fmin(*low, held(evidence, level->capacity_low));
    *high = fmax(*high, held(evidence, level->capacity_high));
}

static double half_cost(const struct evidence *evidence, size_t i)
{
    const struct level *level = &evidence->levels.level[i];

    return sqrt(level[0].cost * level[1].cost);
}

int sonde_infer_translation_knee(const struct translation *translation, size_t level,
                                 struct translation_knee *knee)
{
    struct evidence evidence;
    int error = open_evidence(&evidence, translation, 0);

    if (!error && (evidence.levels.count < level + 2 ||
                   isnan(evidence.levels.level[level + 1].cost)))
        error = -ENODATA;
    if (!error) {
        edge_of(&evidence, level, &knee->low, &knee->high);
        knee->half_cost = half_cost(&evidence, level);
    }
    close_evidence(&evidence);
    return error == -EINVAL ? -ENODATA : error;
}

static double cost_of(const struct series_point *point)
{
    return point->cycles > 0 ? point->cycles : point->best;
}

void sonde_infer_translation_edge(const struct series *series, double half, double *low,
                                  double *high)
{
    unsigned axis = series->axis_count ? series->axis_count - 1 : 0;

    *low = *high = NAN;
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].n && cost_of(&series->points[i]) <= half)
            *low = fmax(*low, series->points[i].at[axis]);
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].n && !(series->points[i].at[axis] <= *low))
            *high = fmin(*high, series->points[i].at[axis]);
}

/* --- findings ------------------------------------------------------------------------
 */

/* Packed lines just beyond the knee cost what those just below it do. */
static bool packed_agrees(const struct evidence *evidence, size_t i, double low,
                          double high, struct findings *findings, bool *agrees)
{
    const struct level *level = &evidence->levels.level[i];
    const struct curve *curve = &evidence->curve;
    double below = NAN, above = NAN, step = level[1].cost - level[0].cost, most;

    for (size_t k = 0; k < curve->count; k++) {
        if (curve->size[k] <= low)
            below = evidence->packed_cost[k];
        if (isnan(above) && curve->size[k] >= high)
            above = evidence->packed_cost[k];
    }
    most = i == 0 ? packed_flat * below : below + packed_share * step;
    *agrees = above <= most;
    return sonde_infer_control(
               findings, *agrees,
               i == 0 ? "the same lines packed, about the first translation level"
                      : "the same lines packed, about the second translation level",
               i == 0 ? "cost within 15 %" : "cost within half of what translation adds",
               "%.1f at %.0f lines, %.1f at %.0f", below, low, above, high) != NULL;
}

/* On some cores neighbouring pages share entries: without pages far apart no number is
 * told. */
static bool apart_measured(const struct evidence *evidence)
{
    double low = NAN, high = NAN;

    if (evidence->translation->apart)
        sonde_infer_translation_edge(evidence->translation->apart, half_cost(evidence, 0),
                                     &low, &high);
    return !isnan(low) && !isnan(high);
}

/* Where pages far apart show fewer entries, neighbours share them. */
static bool apart_agrees(const struct evidence *evidence, double *low, double *high,
                         bool *shares, struct findings *findings)
{
    const struct series *apart = evidence->translation->apart;
    double far_low, far_high;

    *shares = false;
    if (!apart)
        return true;
    sonde_infer_translation_edge(apart, half_cost(evidence, 0), &far_low, &far_high);
    if (isnan(far_low) || isnan(far_high))
        return true;
    *shares = far_high < *low;
    if (!sonde_infer_control(findings, !(far_high < *low || far_low > *high),
                             "pages far apart, which cannot share an entry",
                             "the same number of pages",
                             "%.0f to %.0f, side by side "
                             "%.0f to %.0f",
                             far_low, far_high, *low, *high))
        return false;
    if (*shares) {
        *low = far_low;
        *high = far_high;
    }
    return true;
}

static bool find_entries(const struct evidence *evidence, size_t i, double low,
                         double high, const char *why, struct findings *findings)
{
    static const char *const entries[] = {"tlb.l1.entries", "tlb.l2.entries"};
    static const char *const reach[] = {"tlb.l1.reach", "tlb.l2.reach"};
    static const char method[] = "lines spread one to a page less the same lines packed";
    const struct level *level = &evidence->levels.level[i];
    double page = evidence->translation->page_bytes;
    double value = held(evidence, fmin(level->capacity, high));
    struct finding *finding;

    if (value < low)
        value = low;
    if (level->range_only || high > number_most * low)
        value = NAN;
    finding = sonde_infer_find(findings, entries[i], "count", value, low, high,
                               level->confidence, method);
    if (!finding)
        return false;
    if (why)
        sonde_infer_explain(finding, "%s", why);
    else
        sonde_infer_explain(finding, "%.0f pages are held, %.0f are not", low, high);
    return sonde_infer_find(findings, reach[i], "bytes", value * page, low * page,
                            high * page, level->confidence, method) != NULL;
}

/* Beyond `from` pages, as long as the packed lines cost what they do there: translation
 * alone, beside the same cache. */
struct stretch {
    double cost, low, high;
};

static int stretch_from(const struct evidence *evidence, double from, double to,
                        struct stretch *stretch)
{
    const struct curve *curve = &evidence->curve;
    double *costs = malloc((curve->count + 1) * sizeof *costs), packed = NAN;
    size_t count = 0;

    if (!costs)
        return -ENOMEM;
    for (size_t k = 0; k < curve->count && curve->size[k] <= to; k++) {
        if (curve->size[k] < from)
            continue;
        packed = fmin(packed, evidence->packed_cost[k]);
        if (evidence->packed_cost[k] <= packed_flat * packed)
            costs[count++] = curve->cost[k];
    }
    sonde_measure_sort(costs, count);
    stretch->cost = sonde_measure_median(costs, count);
    stretch->low = sonde_measure_quantile(costs, count, 0.1);
    stretch->high = sonde_measure_quantile(costs, count, 0.9);
    free(costs);
    return 0;
}

/* What level `i`, held by `from` to `to` pages, costs more than a hit of the first. */
static bool find_cost(const struct evidence *evidence, size_t i, double from, double to,
                      const char *why, struct findings *findings)
{
    static const char *const in_ns[] = {"", "tlb.l1.miss", "tlb.walk"};
    static const char *const in_cycles[] = {"", "tlb.l1.miss_cycles", "tlb.walk_cycles"};
    bool cycles = evidence->spread.in_cycles;
    const struct level *hit = &evidence->levels.level[0];
    struct stretch miss;
    struct finding *finding;

    if (stretch_from(evidence, from, to, &miss))
        return false;
    finding = sonde_infer_find(
        findings, cycles ? in_cycles[i] : in_ns[i], cycles ? "cycles" : "ns",
        miss.cost - hit->cost, fmax(0, miss.low * (1 - placement_error) - hit->cost_high),
        miss.high * (1 + placement_error) - hit->cost_low,
        fmax(0.5, evidence->levels.level[i - 1].confidence),
        "spread lines less packed ones, where those stay in one cache");
    if (finding && why)
        sonde_infer_explain(finding, "%s", why);
    return finding != NULL;
}

static bool give_up(struct findings *findings, size_t first, const char *reason)
{
    static const struct {
        const char *name, *unit;
    } all[] = {{"tlb.l1.entries", "count"},
               {"tlb.l1.miss_cycles", "cycles"},
               {"tlb.l2.entries", "count"},
               {"tlb.walk_cycles", "cycles"}};
    bool done = true;

    for (size_t i = first; i < sizeof all / sizeof all[0]; i++)
        done =
            done && sonde_infer_give_up(findings, all[i].name, all[i].unit, "%s", reason);
    return done;
}

static bool report_first(const struct evidence *evidence, struct findings *findings)
{
    double low, high, beyond = INFINITY, ignored;
    bool agrees, shares;

    edge_of(evidence, 0, &low, &high);
    if (evidence->levels.count > 2)
        edge_of(evidence, 1, &beyond, &ignored);
    if (!packed_agrees(evidence, 0, low, high, findings, &agrees))
        return false;
    if (!agrees)
        return give_up(findings, 0,
                       "packed lines grow dearer at the same number: a cache, not "
                       "translation");
    if (!apart_measured(evidence))
        return sonde_infer_give_up(
                   findings, "tlb.l1.entries", "count",
                   "%.0f pages side by side are held, but pages far apart "
                   "were not measured: neighbours may share entries",
                   low) &&
               find_cost(evidence, 1, high, beyond, NULL, findings);
    if (!apart_agrees(evidence, &low, &high, &shares, findings) ||
        !find_entries(evidence, 0, low, high,
                      shares ? "neighbouring pages share entries: this is for pages far "
                               "apart"
                             : NULL,
                      findings))
        return false;
    return find_cost(evidence, 1, high, beyond, NULL, findings);
}

/* What translation adds to a pair of lines of one page: the second finds it at hand, and
 * both find in the caches what as many packed lines do. NaN: not measured. */
static double added_to_pair(const struct evidence *evidence,
                            const struct series_point *point)
{
    size_t same = packed_like(evidence, 2 * point->at[0]);

    if (same == SIZE_MAX || !point->n)
        return NAN;
    if (evidence->packed.in_cycles && !(point->cycles > 0))
        return NAN;
    return 2 * ((evidence->packed.in_cycles ? point->cycles : point->best) -
                evidence->packed.curve.cost[same]);
}

static double most_pairs(const struct evidence *evidence)
{
    const struct series *twice = evidence->translation->twice;
    double most = NAN;

    for (size_t i = 0; twice && i < twice->count; i++)
        if (!isnan(added_to_pair(evidence, &twice->points[i])))
            most = fmax(most, twice->points[i].at[0]);
    return most;
}

/* Where half of the second step is climbed by pairs: held by `low` pages, not by `high`;
 * NaN: not seen. */
static void edge_of_pairs(const struct evidence *evidence, double *low, double *high)
{
    const struct series *twice = evidence->translation->twice;
    const struct level *level = &evidence->levels.level[0];
    double half = (level[1].cost + level[2].cost) / 2 - level[0].cost;

    *low = *high = NAN;
    for (size_t i = 0; twice && i < twice->count; i++)
        if (added_to_pair(evidence, &twice->points[i]) <= half)
            *low = fmax(*low, twice->points[i].at[0]);
    for (size_t i = 0; twice && i < twice->count; i++)
        if (added_to_pair(evidence, &twice->points[i]) > half &&
            !(twice->points[i].at[0] <= *low))
            *high = fmin(*high, twice->points[i].at[0]);
}

/* With two lines to a page the edge of translation stays at its number of pages; that of
 * a cache, which spread lines may reach before packed ones do, comes at half of it. */
static bool pairs_agree(const struct evidence *evidence, double low, double high,
                        struct findings *findings, bool *agrees)
{
    double pair_low, pair_high, least = low / sqrt(2), most = high * sqrt(2);

    *agrees = true;
    if (!(most_pairs(evidence) >= high))
        return true; /* not tried so far */
    edge_of_pairs(evidence, &pair_low, &pair_high);
    *agrees = (isnan(pair_low) || pair_low <= most) && pair_high >= least;
    return sonde_infer_control(findings, *agrees,
                               "two lines to a page, about the second translation level",
                               "the same number of pages, where a cache's would be half",
                               "%.0f to %.0f pages, with one line %.0f to %.0f", pair_low,
                               pair_high, low, high) != NULL;
}

/* Beyond the second edge walks grow dearer as tables leave the caches, and what looks
 * like a plateau may lie on the way up. So the edge ends where three quarters are climbed
 * of what an octave further on costs. */
static int widen(const struct evidence *evidence, double low, double *high)
{
    const struct curve *curve = &evidence->curve;
    double middle = sqrt(low * *high), base = evidence->levels.level[1].cost, top;
    double *costs = malloc((curve->count + 1) * sizeof *costs);
    size_t count = 0, k = 0;

    if (!costs)
        return -ENOMEM;
    for (size_t i = 0; i < curve->count && curve->size[i] <= 2.5 * middle; i++) {
        k = i;
        if (curve->size[i] >= 1.5 * middle)
            costs[count++] = curve->cost[i];
    }
    sonde_measure_sort(costs, count);
    top = base + 0.75 * (sonde_measure_median(costs, count) - base);
    free(costs);
    if (count == 0)
        return 0;
    while (k > 0 && curve->cost[k - 1] >= top)
        k--;
    *high = fmax(*high, curve->size[k]);
    return 0;
}

/* Why the second edge is not to be believed, however it was found; NULL: it is. */
static const char *disturbed(const struct evidence *evidence, double low, double high)
{
    const struct curve *curve = &evidence->curve;
    const struct level *level = &evidence->levels.level[1];
    double middle = (level[0].cost + level[1].cost) / 2;
    size_t before = 0;

    if (level->confidence < again_least)
        return "disturbed: the second step was not found again in most resamplings of "
               "the "
               "rounds";
    if (high > wide_most * low)
        return "disturbed: the second step is spread over more than a factor of four";
    for (size_t k = 0; k < curve->count; k++) {
        if (curve->size[k] > high && curve->cost[k] < middle)
            return "disturbed: beyond the second step pages cost less again";
        before += curve->size[k] < low && curve->cost[k] > middle;
    }
    return before > 1 ? "disturbed: fewer pages than the second step begins with cost as "
                        "much as beyond it"
                      : NULL;
}

static bool report_second(const struct evidence *evidence, struct findings *findings)
{
    const struct curve *curve = &evidence->curve;
    double most = curve->size[curve->count - 1], low, high;
    const char *why;
    bool agrees;
    char reason[120];

    if (evidence->levels.count < 3) {
        snprintf(reason, sizeof reason,
                 "no second step up to %.0f pages: no second level, or a larger one",
                 most);
        return give_up(findings, 2, reason);
    }
    if (isnan(evidence->levels.level[2].cost))
        return give_up(findings, 2,
                       "beyond the first level costs climb to the end: no plateau tells "
                       "what a walk costs");
    edge_of(evidence, 1, &low, &high);
    if (!packed_agrees(evidence, 1, low, high, findings, &agrees))
        return false;
    if (!agrees)
        return give_up(findings, 2,
                       "packed lines grow dearer at the same number: a cache's edge "
                       "hides the level");
    if (!pairs_agree(evidence, low, high, findings, &agrees))
        return false;
    if (!agrees)
        return give_up(findings, 2,
                       "with two lines to a page the step comes at another number of "
                       "pages: not translation's, or disturbed");
    if (widen(evidence, low, &high))
        return false;
    why = disturbed(evidence, low, high);
    if (why)
        return give_up(findings, 2, why);
    return find_entries(evidence, 1, low, high, NULL, findings) &&
           find_cost(evidence, 2, high, INFINITY,
                     evidence->translation->nested
                         ? "nested: the tables of the guest and of its host are walked"
                         : NULL,
                     findings);
}

static bool report(const struct evidence *evidence, struct findings *findings)
{
    const struct curve *curve = &evidence->curve;
    struct translation_knee knee = {NAN, NAN, NAN};
    char reason[120];

    if (evidence->levels.count < 2) {
        snprintf(reason, sizeof reason, "no step up to %.0f pages",
                 curve->size[curve->count - 1]);
        return give_up(findings, 0, reason);
    }
    if (isnan(evidence->levels.level[1].cost))
        return give_up(findings, 0,
                       "costs climb to the end: no plateau tells what a miss costs");
    edge_of(evidence, 0, &knee.low, &knee.high);
    knee.half_cost = half_cost(evidence, 0);
    return report_first(evidence, findings) && report_second(evidence, findings) &&
           sonde_infer_translation_pages(evidence->translation, &knee, findings);
}

int sonde_infer_translation(const struct translation *translation,
                            struct findings *findings)
{
    struct evidence evidence;
    int error =
        open_evidence(&evidence, translation, sonde_infer_levels_defaults().bootstraps);

    if (error == -ENODATA || error == -EINVAL)
        error = give_up(findings, 0, "too few points were measured") ? 0 : -ENOMEM;
    else if (!error && !report(&evidence, findings))
        error = -ENOMEM;
    close_evidence(&evidence);
    return error;
}
