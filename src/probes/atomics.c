/* Probe `atomics`: what atomic operations cost, alone and contended.
 *
 * Each operation by 1, 2, 4, ... all threads on one word, and by all on words of their
 * own lines: the control, which must cost what one thread pays. What can fool it: members
 * that end at very different times (refused below 90 % of time together), and sharing of
 * a core by siblings, which slows the control. */
#include "probes/teams.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

static const struct {
    const char *kernel, *title; /* title: in the names of the findings */
} operations[] = {
    {"count_plain", "plain"},           {"count_relaxed", "relaxed"},
    {"count_ordered", "ordered"},       {"count_swap", "swap"},
    {"load_acquire", "load"},           {"store_release", "store"},
    {"store_ordered", "store_ordered"}, {"load_fence", "fence_acquire"},
    {"fence_store", "fence_release"},   {"store_fence", "fence"},
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };
static const uint64_t apart_bytes = 4096;

static const struct series_plan shapes[] = {
    {.name = "shared",
     .axes = {{"threads", "count", "log2"}, {"operation", "", "category"}},
     .axis_count = 2,
     .quantity = "cost",
     .unit = "ns",
     .statistic = STATISTIC_Q25},
    {.name = "private",
     .axes = {{"threads", "count", "log2"}, {"operation", "", "category"}},
     .axis_count = 2,
     .quantity = "cost",
     .unit = "ns",
     .statistic = STATISTIC_Q25},
};

static int add_team(struct plan *plan, const struct team *team, unsigned series)
{
    for (size_t i = 0; i < OPERATIONS; i++) {
        struct point *point = sonde_probe_team_point(plan, series, operations[i].kernel,
                                                     team, series ? apart_bytes : 0);

        if (!point)
            return -ENOMEM;
        point->at[0] = (double)team->members;
        point->at[1] = (double)i;
        point->label = operations[i].title;
    }
    return 0;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    size_t most = sonde_probe_team_most(context);
    int error = sonde_probe_need_two(context, why);

    (void)so_far;
    if (error || stage > 0)
        return error;
    error = sonde_measure_plan_all_series(plan, shapes, 2);
    for (size_t members = 1; !error; members = 2 * members < most ? 2 * members : most) {
        const struct team *team = sonde_probe_team(context, plan, members);

        error = team ? add_team(plan, team, 0) : -ENOMEM;
        if (!error && members == most)
            error = add_team(plan, team, 1);
        if (members == most)
            break;
    }
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int report(struct findings *findings, const char *title, const char *what,
                  const struct series *series, double threads, double operation)
{
    const struct series_point *point = sonde_probe_team_at(series, threads, operation);
    struct finding *finding;
    char name[48];

    snprintf(name, sizeof name, "atomics.%s.%s", title, what);
    if (point)
        finding =
            sonde_infer_find(findings, name, "ns", point->best, point->low, point->high,
                             0.9, "low quartile, an operation of each thread");
    else
        finding = sonde_infer_give_up(findings, name, "ns", "%s",
                                      sonde_probe_team_why(series, threads, operation));
    return finding ? 0 : -ENOMEM;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct series *shared = sonde_measure_series_find(series, "shared");
    const struct series *own = sonde_measure_series_find(series, "private");
    double most = (double)sonde_probe_team_most(context), worst = NAN;
    int error = 0;

    if (!shared || !own)
        return -ENODATA;
    for (size_t i = 0; i < OPERATIONS && !error; i++) {
        const struct series_point *alone = sonde_probe_team_at(shared, 1, (double)i);
        const struct series_point *control = sonde_probe_team_at(own, most, (double)i);
        const char *title = operations[i].title;

        error = report(findings, title, "alone", shared, 1, (double)i);
        if (!error)
            error = report(findings, title, "contended", shared, most, (double)i);
        if (!error)
            error = report(findings, title, "private", own, most, (double)i);
        if (alone && control)
            worst = fmax(worst, control->best / alone->best);
    }
    if (!isnan(worst))
        sonde_infer_control(findings, worst < 1.5,
                            "all threads on lines of their own pay what one pays",
                            "below 1.5 times", "%.2f times at worst", worst);
    return error;
}

const struct probe sonde_probe_atomics = {
    .name = "atomics",
    .summary = "atomic operations, alone and contended",
    .asks = "What does an atomic operation cost, and what when all want the same word?",
    .seconds = 1.8,
    .plan = plan,
    .infer = infer,
};
