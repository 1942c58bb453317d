/* Probe `locks`: an acquisition of a mutex, a spin lock, and a reader-writer lock taken
 * for reading and for writing, by one thread and by all; and waking another by futex.
 *
 * All threads draw from one pool until it is empty, so they end together however unfair
 * the lock is; fairness is the least share over the most. The control is one thread,
 * which pays no waiting. What can fool it: with the lock in one core's cache a thread may
 * win many times in a row: fast and unfair, which is why both are told. */
#include "probes/teams.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

static const char *const kernels[] = {"lock_mutex", "lock_spin", "lock_read",
                                      "lock_write"};
static const char *const titles[] = {"mutex", "spin", "read", "write"};
enum { LOCKS = sizeof kernels / sizeof kernels[0], HANDOFFS = 64 };

static const struct series_plan shapes[] = {
    {.name = "locks",
     .axes = {{"threads", "count", "log2"}, {"lock", "", "category"}},
     .axis_count = 2,
     .quantity = "cost",
     .unit = "ns",
     .statistic = STATISTIC_MEDIAN},
    {.name = "handoff",
     .axes = {{"threads", "count", "linear"}},
     .axis_count = 1,
     .quantity = "latency",
     .unit = "ns",
     .statistic = STATISTIC_MEDIAN},
};

static int add_locks(struct plan *plan, const struct team *team)
{
    for (size_t i = 0; i < LOCKS; i++) {
        struct point *point = sonde_probe_team_point(plan, 0, kernels[i], team, 0);

        if (!point)
            return -ENOMEM;
        point->argument = team->members;
        point->operations = (double)team->members;
        point->options = POINT_POOLED;
        point->at[0] = (double)team->members;
        point->at[1] = (double)i;
        point->label = titles[i];
    }
    return 0;
}

static int add_handoff(struct plan *plan, const struct team *pair)
{
    struct point *point = sonde_probe_team_point(plan, 1, "futex_handoff", pair, 0);

    if (!point)
        return -ENOMEM;
    point->argument = 1;
    point->roles = true;
    point->count = HANDOFFS;
    point->operations = 2;
    point->options = POINT_KEEP_SWITCHED;
    point->at[0] = 2;
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

        error = team ? add_locks(plan, team) : -ENOMEM;
        if (members == most)
            break;
    }
    if (!error) {
        const struct team *pair = sonde_probe_team(context, plan, 2);

        error = pair ? add_handoff(plan, pair) : -ENOMEM;
    }
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int report(struct findings *findings, const char *title, const char *what,
                  const struct series *series, double threads, double lock)
{
    const struct series_point *point = sonde_probe_team_at(series, threads, lock);
    struct finding *finding;
    char name[48];

    snprintf(name, sizeof name, "locks.%s.%s", title, what);
    if (point)
        finding = sonde_infer_find(findings, name, "ns", point->best, point->low,
                                   point->high, 0.9, "median of the samples");
    else
        finding = sonde_infer_give_up(findings, name, "ns", "%s",
                                      sonde_probe_team_why(series, threads, lock));
    return finding ? 0 : -ENOMEM;
}

static int report_fairness(struct findings *findings, const char *title,
                           const struct series *locks, double threads, double lock)
{
    const struct series_point *point = sonde_probe_team_at(locks, threads, lock);
    double sum = 0, least = 1, most = 0;
    char name[48];

    snprintf(name, sizeof name, "locks.%s.fairness", title);
    if (!point || !point->samples)
        return sonde_infer_give_up(findings, name, "ratio", "%s",
                                   sonde_probe_team_why(locks, threads, lock))
                   ? 0
                   : -ENOMEM;
    for (size_t i = 0; i < point->n; i++) {
        sum += point->samples[i].fairness;
        least = fmin(least, point->samples[i].fairness);
        most = fmax(most, point->samples[i].fairness);
    }
    return sonde_infer_find(
               findings, name, "ratio", sum / (double)point->n, least, most, 0.8,
               "least over most acquisitions of the threads, mean of the samples")
               ? 0
               : -ENOMEM;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct series *locks = sonde_measure_series_find(series, "locks");
    const struct series *handoff = sonde_measure_series_find(series, "handoff");
    double most = (double)sonde_probe_team_most(context), least_ratio = NAN;
    int error = 0;

    if (!locks || !handoff)
        return -ENODATA;
    for (size_t i = 0; i < LOCKS && !error; i++) {
        const struct series_point *alone = sonde_probe_team_at(locks, 1, (double)i);
        const struct series_point *all = sonde_probe_team_at(locks, most, (double)i);

        error = report(findings, titles[i], "alone", locks, 1, (double)i);
        if (!error)
            error = report(findings, titles[i], "contended", locks, most, (double)i);
        if (!error)
            error = report_fairness(findings, titles[i], locks, most, (double)i);
        if (alone && all)
            least_ratio = fmin(least_ratio, all->best / alone->best);
    }
    if (!isnan(least_ratio))
        sonde_infer_control(findings, least_ratio > 0.8,
                            "no lock gets cheaper by contention", "above 0.8 times",
                            "%.2f times at least", least_ratio);
    return error ? error : report(findings, "futex", "handoff", handoff, 2, 0);
}

const struct probe sonde_probe_locks = {
    .name = "locks",
    .summary = "locks alone and contended, their fairness, waking by futex",
    .asks = "What does a lock cost, and does every thread get its turn?",
    .seconds = 1.5,
    .plan = plan,
    .infer = infer,
};
