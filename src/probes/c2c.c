/* Probe `c2c`: the ways between CPUs, and which of them are siblings of one core.
 *
 *   A --release--> line --acquire--> B --release--> line --acquire--> A     two ways
 *
 * For every pair the ping-pong on one line; for every pair independent adds that fill a
 * core, on both at once, against alone: siblings get about half each, separate cores all
 * of it. A chain of dependent adds, which leaves room for a sibling, is the control: it
 * must slow on neither. What can fool it: a hypervisor that moves virtual CPUs (a pair
 * then has two modes, which is flagged), and one that runs them in turn (refused: they
 * did not overlap). With many CPUs only some, evenly spread, are looked at; it is said.
 */
#include "probes/teams.h"

#include "infer/clusters.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAIRS, WIDE, CHAIN, ALONE, KINDS, LOOKED_AT_MOST = 16, ROUND_TRIPS = 512 };
/* Share of a core each got: below, the two are siblings; above, they are not. */
static const double sibling_share = 0.7, separate_share = 0.9;

/* Siblings exchange a line within their core, in 4 to 17 ns; no two cores of any part are
 * nearer than this save on parts with slower clocks, which then abstain. */
static const double sibling_way_ns = 25;

static const char *const names[KINDS] = {"pairs", "wide", "chain", "alone"};

static int add_series(struct plan *plan)
{
    for (size_t i = 0; i < KINDS; i++) {
        struct series_plan series = {
            .name = names[i],
            .axes = {{"cpu", "", "linear"}, {"other", "", "linear"}},
            .axis_count = 2,
            .quantity = i == PAIRS ? "latency" : "cost",
            .unit = "ns",
            .statistic = STATISTIC_Q25};

        if (sonde_measure_plan_series(plan, &series) < 0)
            return -ENOMEM;
    }
    return 0;
}

static int add_adds(struct plan *plan, unsigned series, const char *kernel,
                    const struct team *team)
{
    struct point *point =
        sonde_measure_plan_point(plan, series, sonde_kernel_find(kernel));

    if (!point)
        return -ENOMEM;
    point->team = team;
    point->argument = 3;
    point->at[0] = (double)team->cpus[0];
    point->at[1] = (double)team->cpus[team->members - 1];
    return 0;
}

static int add_pair(struct plan *plan, unsigned a, unsigned b)
{
    struct cpulist cpus = {0};
    int error = sonde_base_cpulist_add(&cpus, a);
    const struct team *team = NULL;
    struct point *point = NULL;

    if (!error)
        error = sonde_base_cpulist_add(&cpus, b);
    if (!error)
        team = sonde_measure_plan_team(plan, &cpus);
    sonde_base_cpulist_free(&cpus);
    if (team)
        point = sonde_probe_team_point(plan, PAIRS, "ping_pong", team, 0);
    if (!point)
        return -ENOMEM;
    point->argument = 1;
    point->roles = true;
    point->count = ROUND_TRIPS;
    point->operations = 2;
    point->at[0] = a;
    point->at[1] = b;
    error = add_adds(plan, WIDE, "add_wide", team);
    return error ? error : add_adds(plan, CHAIN, "add_chain", team);
}

static int add_alone(struct plan *plan, unsigned cpu)
{
    struct cpulist cpus = {0};
    int error = sonde_base_cpulist_add(&cpus, cpu);
    const struct team *team = error ? NULL : sonde_measure_plan_team(plan, &cpus);

    sonde_base_cpulist_free(&cpus);
    return team ? add_adds(plan, ALONE, "add_wide", team) : -ENOMEM;
}

static size_t looked_at(const struct probe_context *context)
{
    size_t allowed = sonde_base_cpulist_count(&context->machine->allowed);

    return allowed < LOOKED_AT_MOST ? allowed : LOOKED_AT_MOST;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    int error = sonde_probe_need_two(context, why);
    const struct team *all;

    (void)so_far;
    if (error || stage > 0)
        return error;
    all = sonde_probe_team(context, plan, looked_at(context));
    error = all ? add_series(plan) : -ENOMEM;
    for (size_t a = 0; !error && a < all->members; a++) {
        error = add_alone(plan, all->cpus[a]);
        for (size_t b = a + 1; !error && b < all->members; b++)
            error = add_pair(plan, all->cpus[a], all->cpus[b]);
    }
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

/* --- what comes of it ----------------------------------------------------------------
 */

struct view {
    const struct series *pairs, *wide, *chain, *alone;
    unsigned *cpus; /* owned */
    size_t count;
    double *way_ns; /* count x count; owned */
};

static int by_number(const void *a, const void *b)
{
    const unsigned *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Every CPU that a pair names, once, in ascending order. */
static int list_cpus(struct view *view)
{
    size_t all = 2 * view->pairs->count, kept = 0;

    view->cpus = calloc(all + 1, sizeof *view->cpus);
    if (!view->cpus)
        return -ENOMEM;
    for (size_t i = 0; i < view->pairs->count; i++)
        for (size_t k = 0; k < 2; k++) {
            double cpu = view->pairs->points[i].at[k];

            view->cpus[2 * i + k] = cpu >= 0 && cpu < 1e6 ? (unsigned)cpu : 0;
        }
    qsort(view->cpus, all, sizeof *view->cpus, by_number);
    for (size_t i = 0; i < all; i++)
        if (i == 0 || view->cpus[i] != view->cpus[kept - 1])
            view->cpus[kept++] = view->cpus[i];
    view->count = kept;
    return 0;
}

static size_t place_of(const struct view *view, double cpu)
{
    unsigned wanted = cpu >= 0 && cpu < 1e6 ? (unsigned)cpu : 0;
    const unsigned *found =
        bsearch(&wanted, view->cpus, view->count, sizeof *view->cpus, by_number);

    return (size_t)(found - view->cpus);
}

static void fill_ways(struct view *view)
{
    for (size_t i = 0; i < view->count * view->count; i++)
        view->way_ns[i] = NAN;
    for (size_t i = 0; i < view->pairs->count; i++) {
        const struct series_point *point = &view->pairs->points[i];
        size_t a = place_of(view, point->at[0]), b = place_of(view, point->at[1]);

        if (point->n)
            view->way_ns[a * view->count + b] = view->way_ns[b * view->count + a] =
                point->best;
    }
}

static int open_view(const struct series_list *list, struct view *view)
{
    view->pairs = sonde_measure_series_find(list, names[PAIRS]);
    view->wide = sonde_measure_series_find(list, names[WIDE]);
    view->chain = sonde_measure_series_find(list, names[CHAIN]);
    view->alone = sonde_measure_series_find(list, names[ALONE]);
    if (!view->pairs || view->pairs->count == 0)
        return -ENODATA;
    if (list_cpus(view))
        return -ENOMEM;
    view->way_ns = calloc(view->count * view->count + 1, sizeof *view->way_ns);
    if (!view->way_ns)
        return -ENOMEM;
    fill_ways(view);
    return 0;
}

static int report_ways(const struct view *view, struct findings *findings)
{
    const struct series_point *near = NULL, *far = NULL;

    for (size_t i = 0; i < view->pairs->count; i++) {
        const struct series_point *point = &view->pairs->points[i];

        if (!point->n)
            continue;
        near = !near || point->best < near->best ? point : near;
        far = !far || point->best > far->best ? point : far;
    }
    if (!near)
        return sonde_infer_give_up(findings, "c2c.nearest", "ns", "%s",
                                   sonde_probe_team_why(view->pairs, view->cpus[0],
                                                        view->cpus[view->count > 1]))
                   ? 0
                   : -ENOMEM;
    return sonde_infer_find(findings, "c2c.nearest", "ns", near->best, near->low,
                            near->high, 0.9, "ping-pong on one line, one way") &&
                   sonde_infer_find(findings, "c2c.farthest", "ns", far->best, far->low,
                                    far->high, 0.9, "ping-pong on one line, one way")
               ? 0
               : -ENOMEM;
}

/* Share of a core that each of the two got; NaN: not known. */
static double share_of(const struct view *view, size_t a, size_t b)
{
    const struct series_point *one =
        sonde_probe_team_at(view->alone, view->cpus[a], view->cpus[a]);
    const struct series_point *other =
        sonde_probe_team_at(view->alone, view->cpus[b], view->cpus[b]);
    const struct series_point *both =
        sonde_probe_team_at(view->wide, view->cpus[a], view->cpus[b]);

    return one && other && both ? fmax(one->best, other->best) / both->best : NAN;
}

static double chain_slowdown(const struct view *view)
{
    double least = NAN, most = NAN;

    for (size_t i = 0; i < view->chain->count; i++)
        if (view->chain->points[i].n) {
            least = fmin(least, view->chain->points[i].best);
            most = fmax(most, view->chain->points[i].best);
        }
    return most / least;
}

static int report_siblings(const struct view *view, struct findings *findings)
{
    size_t siblings = 0, unsure = 0;
    double least = NAN;
    struct finding *finding;

    for (size_t a = 0; a < view->count; a++)
        for (size_t b = a + 1; b < view->count; b++) {
            double share = share_of(view, a, b);

            siblings += share < sibling_share;
            unsure += isnan(share) || (share >= sibling_share && share <= separate_share);
            least = fmin(least, share);
        }
    if (unsure)
        finding = sonde_infer_give_up(findings, "c2c.sibling_pairs", "count",
                                      "%zu of the pairs are neither clearly siblings nor "
                                      "clearly separate (least share of a core %.2f)",
                                      unsure, least);
    else
        finding = sonde_infer_find(findings, "c2c.sibling_pairs", "count",
                                   (double)siblings, (double)siblings, (double)siblings,
                                   0.9, "adds that fill a core, on both against alone");
    if (finding && !unsure)
        sonde_infer_explain(
            finding, "the least share of a core that one of a pair got is %.2f", least);
    sonde_infer_control(findings, chain_slowdown(view) < 1.3,
                        "a chain of dependent adds slows on no pair",
                        "within 1.3 times of each other", "%.2f times",
                        chain_slowdown(view));
    return finding ? 0 : -ENOMEM;
}

/* Some CPUs are in near pairs; others next to as near are not told apart. */
static bool doubtful_pairs(const struct cluster_level *level, size_t cpus)
{
    return level->largest == 2 && 2 * level->groups < cpus &&
           level->open_near_ns < sibling_way_ns;
}

/* From ways alone, as files of other tools have them: pairs that are nearer to each other
 * than siblings of one core ever are to another core. */
static int guess_siblings(const struct clusters *clusters, size_t cpus,
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
    if (doubtful_pairs(first, cpus))
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

static int report_level(const struct cluster_level *level, size_t number,
                        const struct probe_context *context, size_t looked,
                        struct findings *findings)
{
    size_t allowed = sonde_base_cpulist_count(&context->machine->allowed);
    struct finding *finding;
    char name[32];

    allowed = allowed > looked ? allowed : looked;
    snprintf(name, sizeof name, "c2c.groups%zu", number + 1);
    finding = sonde_infer_find(findings, name, "count", (double)level->groups,
                               (double)level->groups, (double)level->groups, 0.9,
                               "a jump in the ways between CPUs");
    if (!finding)
        return -ENOMEM;
    sonde_infer_explain(finding,
                        "%zu to %zu CPUs each; up to %.0f ns within, from %.0f ns beyond"
                        "; %zu of %zu CPUs looked at",
                        level->smallest, level->largest, level->near_ns, level->far_ns,
                        looked, allowed);
    return 0;
}

/* Ways belong to CPUs only where the threads were bound to them. */
static int report_open(const struct clusters *clusters, struct findings *findings)
{
    bool open = isfinite(clusters->open_near_ns) && !clusters->count;

    return sonde_infer_control(findings, !open,
                               "CPUs that are near one another form closed groups",
                               "no CPU is near to only a part of its group",
                               open ? "ways jump from %.1f to %.1f ns, yet give no "
                                      "groups: were the threads bound, is the clock "
                                      "fine enough?"
                                    : "so it is",
                               clusters->open_near_ns, clusters->open_far_ns)
               ? 0
               : -ENOMEM;
}

static int report_groups(const struct view *view, const struct probe_context *context,
                         struct findings *findings)
{
    struct clusters clusters;
    int error = sonde_infer_clusters(view->way_ns, view->count, &clusters);

    if (error == -EINVAL)
        return 0; /* no way was measured, which is said already */
    if (!error && !view->wide)
        error = guess_siblings(&clusters, view->count, findings);
    if (!error)
        error = report_open(&clusters, findings);
    for (size_t i = 0; !error && i < clusters.count; i++)
        if (i > 0 || !doubtful_pairs(&clusters.levels[0], view->count))
            error = report_level(&clusters.levels[i], i, context, view->count, findings);
    sonde_infer_clusters_free(&clusters);
    return error;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    struct view view = {0};
    int error = open_view(series, &view);

    if (!error)
        error = report_ways(&view, findings);
    if (!error && view.wide && view.chain && view.alone)
        error = report_siblings(&view, findings);
    if (!error)
        error = report_groups(&view, context, findings);
    free(view.cpus);
    free(view.way_ns);
    return error;
}

const struct probe sonde_probe_c2c = {
    .name = "c2c",
    .summary = "the ways between CPUs, their groups, and which are siblings",
    .asks = "How far is it from one CPU to another, and which share a core?",
    .seconds = 3,
    .plan = plan,
    .infer = infer,
};
