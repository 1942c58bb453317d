/* Probe `alias`: what a line costs that is used by several addresses.
 *
 * One page is mapped 1 to 32 times. 512 pointers fill 4 KiB of it, in a random cycle,
 * each used through a view drawn for it: cores that look the first level up by a hash of
 * the last address do not find a line through another view, and ask the second level.
 *
 *   views    each pointer through a view of its own, five seeds
 *   by_line  each line through one view: the control, as many mappings and no change
 *   levels   the first and the second level, on private memory: what is mixed
 *
 * What can fool it: views whose hashes are the same (side by side they differ), and a
 * second level that others disturb. Interruptions cost whole trials of a million loads,
 * so real-time priority is asked for. */
#include "probes/probe.h"

#include "infer/alias.h"
#include "measure/ring.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum alias_series { VIEWS, BY_LINE, LEVELS };

static const char *const series_names[] = {
    [VIEWS] = "views", [BY_LINE] = "by_line", [LEVELS] = "levels"};

enum {
    POINTERS = 512,
    POINTER_BYTES = 8,
    SEEDS = 5,
    TRIALS = 10,
    VISIT_TRIALS = 5,
    WARM_UPS = 3
};

/* Of the time by default, for the views. */
static const double views_s = 3;
/* Multiples of the chase's 16 steps. */
static const uint64_t loads = 1000000, loads_quick = 100000;
/* What pages of a ring in the second level fit the first translation level of any core.
 */
static const uint64_t window_bytes = 128 << 10;
/* Four times the most common first levels, within the smallest second ones. */
static const double second_level_bytes = 128 << 10;

static uint64_t line_bytes(const struct probe_context *context)
{
    const struct finding *line =
        context->passport ? sonde_passport_finding(context->passport, "line.size") : NULL;

    return line && line->value >= 16 && line->value <= 1024 ? (uint64_t)line->value : 64;
}

static struct layout views_layout(const struct probe_context *context, double views,
                                  uint64_t seed, bool by_line)
{
    return (struct layout){
        .kind = LAYOUT_RING,
        .order = ORDER_RANDOM,
        .nodes = POINTERS,
        .pitch = POINTER_BYTES,
        .bytes = POINTERS * POINTER_BYTES,
        .views = (unsigned)views,
        .view_bytes = context->machine->page_bytes,
        .view_group = by_line ? line_bytes(context) : POINTER_BYTES,
        .seed = seed,
    };
}

static int add_views(const struct probe_context *context, struct plan *plan, int series,
                     unsigned views, uint64_t seed, uint64_t steps)
{
    struct point *point =
        sonde_measure_plan_point(plan, (unsigned)series, sonde_kernel_find("chase"));
    bool by_line = plan->series[series].name == series_names[BY_LINE];

    if (!point)
        return -ENOMEM;
    point->layout = views_layout(context, views, seed, by_line);
    point->count = steps;
    point->samples = TRIALS;
    point->warm_ups = WARM_UPS;
    point->per_visit = VISIT_TRIALS;
    point->at[0] = views;
    point->at[1] = (double)seed;
    return 0;
}

/* Twice the first level at least; more than a small second level would not stay in it. */
static double second_bytes(const struct probe_context *context)
{
    const struct finding *first =
        context->passport ? sonde_passport_finding(context->passport, "l1d.size") : NULL;

    return first && 2 * first->value > second_level_bytes ? 2 * first->value
                                                          : second_level_bytes;
}

static int add_level(struct plan *plan, int series, const char *label, double bytes,
                     uint64_t pitch)
{
    struct point *point =
        sonde_measure_plan_point(plan, (unsigned)series, sonde_kernel_find("chase"));

    if (!point)
        return -ENOMEM;
    point->label = label;
    point->at[0] = (double)(strcmp(label, "first") != 0);
    point->layout = (struct layout){.kind = LAYOUT_RING,
                                    .order = ORDER_RANDOM,
                                    .pages = PAGES_HUGE,
                                    .nodes = (uint64_t)bytes / pitch,
                                    .bytes = (uint64_t)bytes / pitch * pitch,
                                    .pitch = pitch,
                                    .window = window_bytes};
    return 0;
}

static int add_series(struct plan *plan, enum alias_series which)
{
    static const struct axis views = {"views", "count", "log2"};
    static const struct axis seed = {"seed", "", "category"};
    static const struct axis level = {"level", "", "category"};
    struct series_plan series = {.name = series_names[which],
                                 .axes = {which == LEVELS ? level : views, seed},
                                 .axis_count = which == LEVELS ? 1 : 2,
                                 .quantity = "latency",
                                 .unit = "ns",
                                 .statistic = STATISTIC_Q25};

    return sonde_measure_plan_series(plan, &series);
}

static int plan_views(const struct probe_context *context, struct plan *plan)
{
    int series = add_series(plan, VIEWS), error = series < 0 ? series : 0;
    bool quick = context->effort.level == EFFORT_QUICK;

    for (unsigned views = 1; !error && views <= VIEWS_MAX; views *= 2)
        for (uint64_t seed = 1; !error && seed <= SEEDS; seed++)
            error = add_views(context, plan, series, views, seed,
                              quick ? loads_quick : loads);
    return error;
}

static int plan_controls(const struct probe_context *context, struct plan *plan)
{
    int by_line = add_series(plan, BY_LINE), levels = add_series(plan, LEVELS);
    int error = by_line < 0 || levels < 0 ? -ENOMEM : 0;

    for (uint64_t seed = 1; !error && seed <= 2; seed++) {
        error = add_views(context, plan, by_line, 2, seed, loads_quick);
        if (!error)
            error = add_views(context, plan, by_line, VIEWS_MAX, seed, loads_quick);
    }
    if (!error)
        error = add_level(plan, levels, "first", POINTERS * POINTER_BYTES, POINTER_BYTES);
    if (!error)
        error =
            add_level(plan, levels, "second", second_bytes(context), line_bytes(context));
    return error;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    int error = 0;

    (void)so_far;
    plan->budget_s = stage == 0 ? views_s : 0;
    if (stage == 0)
        error = plan_views(context, plan);
    else if (stage == 1)
        error = plan_controls(context, plan);
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static double *count_switches(const struct probe_context *context,
                              const struct series *views)
{
    double *share = malloc((views->count + 1) * sizeof *share);

    for (size_t i = 0; share && i < views->count; i++) {
        const struct series_point *point = &views->points[i];
        double at = fmax(1, fmin(point->at[0], VIEWS_MAX));
        struct layout layout =
            views_layout(context, at, (uint64_t)fmax(1, point->at[1]), false);

        share[i] =
            sonde_measure_ring_switching(&layout, layout.seed, line_bytes(context));
    }
    return share;
}

/* Interruptions are refused sample by sample in any case; priority makes them rare. */
static bool find_priority(const struct probe_context *context, struct findings *findings)
{
    struct finding *finding;

    if (context->real_time > 0)
        return true;
    finding = sonde_infer_find_text(findings, "alias.priority",
                                    context->real_time == 0 ? "real-time" : "ordinary",
                                    NAN, "asked for, and asked back");
    if (finding && context->real_time < 0)
        sonde_infer_explain(finding, "real-time priority was refused: %s",
                            strerror(-context->real_time));
    return finding != NULL;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    struct alias alias = {.views = sonde_measure_series_find(series, "views"),
                          .by_line = sonde_measure_series_find(series, "by_line"),
                          .levels = sonde_measure_series_find(series, "levels")};
    double *share;
    int error;

    if (!alias.views)
        return -ENODATA;
    share = count_switches(context, alias.views);
    if (!share)
        return -ENOMEM;
    alias.share = share;
    error = sonde_infer_alias(&alias, findings);
    if (!error && !find_priority(context, findings))
        error = -ENOMEM;
    free(share);
    return error;
}

const struct probe sonde_probe_alias = {
    .name = "alias",
    .summary = "one page mapped many times: latency, and what is predicted",
    .asks = "What does it cost to use one page by several addresses?",
    .seconds = 3.4,
    .real_time = true,
    .plan = plan,
    .infer = infer,
};
