/* Probe `sharing`: two threads, each with a counter of its own, at growing distance.
 *
 *   | a b         |             | one line: it goes to and fro between the cores
 *   | a           | b           | two lines: fast, unless lines are fetched in pairs
 *
 * The control is a split that is sure, 4 KiB. The same with all threads, side by side and
 * apart. What can fool it: members that did not run at once (refused by the harness), and
 * siblings, which share the first level. */
#include "probes/teams.h"

#include "infer/sharing.h"

#include <errno.h>

static const uint64_t distances[] = {8, 16, 32, 64, 128, 256, 512, 4096};
static const double usual_line_bytes = 64, sure_bytes = 4096;

static const struct series_plan shapes[] = {
    {.name = "pair",
     .axes = {{"distance", "bytes", "log2"}},
     .axis_count = 1,
     .quantity = "cost",
     .unit = "ns",
     .statistic = STATISTIC_Q25},
    {.name = "all",
     .axes = {{"distance", "bytes", "log2"}},
     .axis_count = 1,
     .quantity = "cost",
     .unit = "ns",
     .statistic = STATISTIC_Q25},
};

static int add_points(struct plan *plan, const struct team *pair, const struct team *all)
{
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++) {
        struct point *point =
            sonde_probe_team_point(plan, 0, "count_plain", pair, distances[i]);

        if (!point)
            return -ENOMEM;
        point->at[0] = (double)distances[i];
        if (pair->members == all->members ||
            (i > 0 && distances[i] != (uint64_t)sure_bytes))
            continue;
        point = sonde_probe_team_point(plan, 1, "count_plain", all, distances[i]);
        if (!point)
            return -ENOMEM;
        point->at[0] = (double)distances[i];
    }
    return 0;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    int error = sonde_probe_need_two(context, why);
    const struct team *pair, *all;

    (void)so_far;
    if (error || stage > 0)
        return error;
    pair = sonde_probe_team(context, plan, 2);
    all = sonde_probe_team(context, plan, sonde_probe_team_most(context));
    error = sonde_measure_plan_all_series(plan, shapes, 2);
    if (!error)
        error = pair && all ? add_points(plan, pair, all) : -ENOMEM;
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int report_all(const struct series *all, struct findings *findings)
{
    const struct series_point *together =
        sonde_probe_team_at(all, (double)distances[0], 0);
    const struct series_point *apart = sonde_probe_team_at(all, sure_bytes, 0);
    double loss;

    if (!all || !all->count)
        return 0; /* all are two */
    if (!together || !apart)
        return sonde_infer_give_up(
                   findings, "sharing.cost_all", "ratio", "%s",
                   sonde_probe_team_why(all, together ? sure_bytes : (double)distances[0],
                                        0))
                   ? 0
                   : -ENOMEM;
    loss = together->best / apart->best;
    return sonde_infer_find(findings, "sharing.cost_all", "ratio", loss, loss * 0.8,
                            loss * 1.25, 0.8,
                            "all threads, counters side by side against 4 KiB apart")
               ? 0
               : -ENOMEM;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct series *pair = sonde_measure_series_find(series, "pair");
    int error;

    (void)context;
    if (!pair)
        return -ENODATA;
    error = report_all(sonde_measure_series_find(series, "all"), findings);
    return error ? error : sonde_infer_sharing(pair, usual_line_bytes, findings);
}

const struct probe sonde_probe_sharing = {
    .name = "sharing",
    .summary = "what counters of two threads cost each other, by distance",
    .asks = "How far apart must the data of two threads lie?",
    .seconds = 0.8,
    .plan = plan,
    .infer = infer,
};
