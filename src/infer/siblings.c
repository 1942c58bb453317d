/* Which CPUs are threads of one core.
 *
 *   adds that fill a core    alone |####|    on both |####|####|   two cores
 *                                            on both |## ## ## ##| one core: half each
 *
 * Siblings get less than 0.7 of a core each, separate cores all of it (0.9 and more); in
 * between nothing is claimed. A chain of dependent adds leaves room for a sibling and is
 * the control. What is declared is then held against that, pair by pair, so that as many
 * pairs in other places are no agreement. With many CPUs only some pairs are tried; where
 * the ways tell the same as they do, the ways count the rest. What can fool it: somebody
 * else on one of the two cores (the pair then looks like siblings, or like neither). */
#include "infer/between.h"

#include "base/text.h"
#include "infer/cores.h"
#include "infer/figures.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Share of a core each got: below, the two are siblings; above, they are not. */
static const double sibling_share = 0.7, separate_share = 0.9;
/* Siblings exchange a line within their core, in 4 to 17 ns; no two cores of any part are
 * nearer than this save on parts with slower clocks, which then abstain. */
static const double sibling_way_ns = 25;
/* Threads of a core: no part has more. */
enum { THREADS_MOST = 8, NAMED_MOST = 4 };

struct tally {
    size_t tried, siblings, unsure, unknown, differing;
    double least;
    struct text names; /* of pairs that differ from what is declared */
};

static const struct series_point *find(const struct series *series, double cpu,
                                       double other)
{
    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (point->at[0] == cpu && point->at[1] == other && point->n && point->best > 0)
            return point;
    }
    return NULL;
}

/* Share of a core that each of the two got; NaN: not known. */
static double share_of(const struct between *between, const struct series_point *both)
{
    const struct series_point *one = find(between->alone, both->at[0], both->at[0]);
    const struct series_point *other = find(between->alone, both->at[1], both->at[1]);

    return one && other && both->n && both->best > 0
               ? fmax(one->best, other->best) / both->best
               : NAN;
}

static void note_differing(struct tally *tally, const struct series_point *both,
                           bool siblings)
{
    if (tally->differing++ < NAMED_MOST)
        sonde_base_text_print(&tally->names,
                              siblings ? "%s%.0f and %.0f share a core, not declared"
                                       : "%s%.0f and %.0f are declared to, and do not",
                              tally->names.length ? "; " : "", both->at[0], both->at[1]);
}

static void weigh(const struct between *between, const struct square *square,
                  const int *core, struct tally *tally)
{
    for (size_t i = 0; i < between->wide->count; i++) {
        const struct series_point *both = &between->wide->points[i];
        double share = share_of(between, both);
        size_t a = sonde_infer_square_place(square, both->at[0]);
        size_t b = sonde_infer_square_place(square, both->at[1]);
        bool declared;

        tally->tried++;
        tally->unknown += isnan(share);
        tally->unsure += share >= sibling_share && share <= separate_share;
        tally->siblings += share < sibling_share;
        tally->least = fmin(tally->least, share);
        if (a == square->count || b == square->count || isnan(share) ||
            core[a] == CORE_UNKNOWN || core[b] == CORE_UNKNOWN)
            continue;
        declared = core[a] == core[b];
        if (declared ? share > separate_share : share < sibling_share)
            note_differing(tally, both, !declared);
    }
}

/* Do the groups of a level hold the siblings that were tried, and nobody else? */
static bool tells_the_same(const struct between *between, const struct square *square,
                           const struct cluster_level *level)
{
    for (size_t i = 0; i < between->wide->count; i++) {
        const struct series_point *both = &between->wide->points[i];
        size_t a = sonde_infer_square_place(square, both->at[0]);
        size_t b = sonde_infer_square_place(square, both->at[1]);
        double share = share_of(between, both);

        if (!isnan(share) && a < square->count && b < square->count &&
            (share < sibling_share) != (level->group[a] == level->group[b]))
            return false;
    }
    return level->largest <= THREADS_MOST;
}

static size_t pairs_of(const struct cluster_level *level, size_t count)
{
    size_t pairs = 0;

    for (size_t first = 0; first < count; first++) {
        size_t members = 0;

        for (size_t i = first; i < count; i++)
            members += level->group[i] == first;
        pairs += members * (members > 0 ? members - 1 : 0) / 2;
    }
    return pairs;
}

static struct finding *add_count(const struct between *between,
                                 const struct square *square,
                                 const struct clusters *clusters,
                                 const struct tally *tally, struct findings *findings)
{
    size_t all = square->count * (square->count - 1) / 2, pairs = tally->siblings;
    const char *method = "adds that fill a core, on both against alone";

    for (size_t i = 0; i < clusters->count && tally->tried < all && pairs; i++)
        if (tells_the_same(between, square, &clusters->levels[i])) {
            pairs = pairs_of(&clusters->levels[i], square->count);
            method = "adds that fill a core, on both against alone; and pairs as near";
            break;
        }
    return sonde_infer_find(findings, "c2c.sibling_pairs", "count", (double)pairs,
                            (double)pairs, (double)pairs, 0.9, method);
}

static struct finding *give_up(const struct between *between, const struct tally *tally,
                               struct findings *findings)
{
    if (tally->unknown > tally->unsure)
        return sonde_infer_give_up(findings, "c2c.sibling_pairs", "count",
                                   "%zu of %zu pairs have no figures: %s", tally->unknown,
                                   tally->tried,
                                   sonde_infer_why_no_series(between->wide));
    return sonde_infer_give_up(findings, "c2c.sibling_pairs", "count",
                               "%zu of the pairs are neither clearly siblings nor "
                               "clearly separate (least share of a core %.2f)",
                               tally->unsure, tally->least);
}

static void hold_against(struct finding *finding, const struct tally *tally,
                         double declared)
{
    finding->declared = declared;
    finding->verdict = tally->differing ? VERDICT_CONTRADICTS : VERDICT_AGREES;
    if (tally->differing)
        sonde_infer_explain(
            finding, "%zu of %zu pairs differ from what is declared: %s%s",
            tally->differing, tally->tried, tally->names.data ? tally->names.data : "",
            tally->differing > NAMED_MOST ? "; ..." : "");
}

static int report(const struct between *between, const struct square *square,
                  const struct clusters *clusters, const struct tally *tally,
                  double declared, struct findings *findings)
{
    size_t all = square->count * (square->count - 1) / 2;
    bool known =
        tally->tried < all ? 2 * tally->unknown <= tally->tried : !tally->unknown;
    struct finding *finding;

    if (tally->unsure || !known || !tally->tried)
        return give_up(between, tally, findings) ? 0 : -ENOMEM;
    finding = add_count(between, square, clusters, tally, findings);
    if (!finding)
        return -ENOMEM;
    sonde_infer_explain(finding,
                        "%zu of %zu pairs tried; the least share of a core that one of a "
                        "pair got is %.2f",
                        tally->tried, all, tally->least);
    if (isfinite(declared))
        hold_against(finding, tally, declared);
    return 0;
}

static double chain_slowdown(const struct series *chain)
{
    double least = NAN, most = NAN;

    for (size_t i = 0; chain && i < chain->count; i++)
        if (chain->points[i].n) {
            least = fmin(least, chain->points[i].best);
            most = fmax(most, chain->points[i].best);
        }
    return most / least;
}

static int control_chain(const struct between *between, struct findings *findings)
{
    double slowdown = chain_slowdown(between->chain);

    if (isnan(slowdown))
        return 0;
    return sonde_infer_control(findings, slowdown < 1.3,
                               "a chain of dependent adds slows on no pair",
                               "within 1.3 times of each other", "%.2f times", slowdown)
               ? 0
               : -ENOMEM;
}

int sonde_infer_siblings(const struct between *between, const struct square *square,
                         const struct clusters *clusters, struct findings *findings)
{
    int *core = calloc(square->count + 1, sizeof *core);
    struct tally tally = {.least = NAN};
    long declared;
    int error = -ENOMEM;

    if (!core)
        return -ENOMEM;
    declared = sonde_infer_cores(between->cores, square->cpus, square->count, core);
    if (declared != -ENOMEM) {
        weigh(between, square, core, &tally);
        error = tally.names.failed
                    ? -ENOMEM
                    : report(between, square, clusters, &tally,
                             declared >= 0 ? (double)declared : NAN, findings);
    }
    if (!error)
        error = control_chain(between, findings);
    sonde_base_text_free(&tally.names);
    free(core);
    return error;
}

/* --- from ways alone --- */

bool sonde_infer_siblings_doubtful(const struct cluster_level *level, size_t cpus)
{
    return level->largest == 2 && 2 * level->groups < cpus &&
           level->open_near_ns < sibling_way_ns;
}

/* As files of other tools have them: pairs that are nearer to each other than siblings of
 * one core ever are to another core. */
int sonde_infer_siblings_guess(const struct clusters *clusters, size_t cpus,
                               struct findings *findings)
{
    const struct cluster_level *first = clusters->count ? &clusters->levels[0] : NULL;
    struct finding *finding;

    if (!first || first->largest != 2 || first->near_ns >= sibling_way_ns)
        return sonde_infer_give_up(findings, "c2c.sibling_pairs", "count",
                                   "no pairs stand out from the others below %.0f ns: "
                                   "there are no siblings, or they are no nearer",
                                   sibling_way_ns)
                   ? 0
                   : -ENOMEM;
    if (sonde_infer_siblings_doubtful(first, cpus))
        return sonde_infer_give_up(findings, "c2c.sibling_pairs", "count",
                                   "%zu pairs are near, others at %.1f ns are not told "
                                   "apart from CPUs of other cores",
                                   first->groups, first->open_near_ns)
                   ? 0
                   : -ENOMEM;
    finding =
        sonde_infer_find(findings, "c2c.sibling_pairs", "count", (double)first->groups,
                         (double)first->groups, (double)first->groups, 0.8,
                         "pairs of CPUs that are far nearer than all others");
    if (!finding)
        return -ENOMEM;
    sonde_infer_explain(finding, "up to %.1f ns within a pair, from %.1f ns beyond",
                        first->near_ns, first->far_ns);
    return 0;
}
