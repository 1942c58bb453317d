/* Probe `traps`: the three classic errors of a home-made benchmark, shown on this
 * machine.
 *
 * 1. The compiler deletes work whose result nobody uses: a sum thrown away against the
 * same sum kept.
 * 2. The first round pays for page faults: the first touch of memory against the second.
 * 3. One interruption spoils a mean: minimum, median, mean, 99th percentile and maximum
 * of 201 rounds of the same short work, none set aside.
 *
 * What can fool it: a compiler that keeps the dead sum (then the ratio is 1, and it says
 * so), and memory the kernel had cleared in advance. */
#include "probes/probe.h"

#include "base/text.h"

#include <errno.h>
#include <math.h>

enum { WORDS = 8192, PAGES = 64, ROUNDS = 201 };

enum trap_series { DELETED, FIRST_TOUCH, INTERRUPTED };

static const struct series_plan trap_plans[] = {
    [DELETED] = {.name = "deleted",
                 .axes = {{"loop", "", "category"}},
                 .axis_count = 1,
                 .quantity = "time per word",
                 .unit = "ns",
                 .statistic = STATISTIC_Q25},
    [FIRST_TOUCH] = {.name = "first_touch",
                     .axes = {{"touch", "", "category"}},
                     .axis_count = 1,
                     .quantity = "time per page",
                     .unit = "ns",
                     .statistic = STATISTIC_MEDIAN},
    [INTERRUPTED] = {.name = "interrupted",
                     .axes = {{"loop", "", "category"}},
                     .axis_count = 1,
                     .quantity = "time per word",
                     .unit = "ns",
                     .statistic = STATISTIC_MEDIAN},
};

static struct point *add_sum(struct plan *plan, enum trap_series series,
                             const char *kernel, double at)
{
    struct point *point =
        sonde_measure_plan_point(plan, series, sonde_kernel_find(kernel));

    if (point) {
        point->layout.kind = LAYOUT_BLOCK;
        point->layout.bytes = WORDS * 8;
        point->at[0] = at;
        point->label = at > 0 ? "sum thrown away" : "sum kept";
        point->count = WORDS;
    }
    return point;
}

static struct point *add_touch(struct plan *plan, const struct machine *machine,
                               bool cold)
{
    struct point *point =
        sonde_measure_plan_point(plan, FIRST_TOUCH, sonde_kernel_find("touch"));

    if (point) {
        point->layout.kind = LAYOUT_BLOCK;
        point->layout.bytes = PAGES * machine->page_bytes;
        point->layout.pages = PAGES_SMALL;
        point->layout.cold = cold;
        point->argument = machine->page_bytes;
        point->at[0] = cold ? 0 : 1;
        point->label = cold ? "first touch" : "second touch";
        point->count = PAGES;
        point->samples = 21;
    }
    return point;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    struct point *shown;

    (void)so_far;
    if (stage > 0)
        return 0;
    if (sonde_measure_plan_all_series(plan, trap_plans,
                                      sizeof trap_plans / sizeof trap_plans[0]))
        return sonde_base_fail(why, -ENOMEM, "out of memory");
    if (!add_sum(plan, DELETED, "sum_kept", 0) ||
        !add_sum(plan, DELETED, "sum_discarded", 1) ||
        !add_touch(plan, context->machine, true) ||
        !add_touch(plan, context->machine, false))
        return sonde_base_fail(why, -ENOMEM, "out of memory");
    shown = add_sum(plan, INTERRUPTED, "sum_kept", 0);
    if (!shown)
        return sonde_base_fail(why, -ENOMEM, "out of memory");
    shown->samples = ROUNDS;
    shown->options = POINT_ONE_ROUND | POINT_KEEP_SWITCHED;
    return 0;
}

static const struct series_point *point_at(const struct series_list *list,
                                           const char *name, size_t index)
{
    const struct series *series = sonde_measure_series_find(list, name);

    if (!series || index >= series->count || series->points[index].n == 0)
        return NULL;
    return &series->points[index];
}

static void infer_deleted(const struct series_list *series, struct findings *findings)
{
    const struct series_point *kept = point_at(series, "deleted", 0);
    const struct series_point *gone = point_at(series, "deleted", 1);
    struct finding *finding;

    if (!kept) {
        sonde_infer_give_up(findings, "traps.deleted_work", "ratio",
                            "the loop was not timed");
        return;
    }
    /* A loop that is gone may take less than the clock can tell: then the ratio is at
     * least what one step of the clock makes of it. */
    finding = sonde_infer_find(findings, "traps.deleted_work", "ratio",
                               gone ? kept->best / gone->best : NAN, NAN, NAN, NAN,
                               "a sum kept over the same sum thrown away");
    if (!gone)
        sonde_infer_explain(finding,
                            "the loop whose sum is thrown away took no time that "
                            "the clock can tell: the compiler deleted it");
    else if (finding && finding->value > 10)
        sonde_infer_explain(finding, "the compiler deleted the loop whose sum is unused");
    else
        sonde_infer_explain(finding,
                            "the compiler kept the loop though its sum is unused");
}

static void infer_first_touch(const struct series_list *series, struct findings *findings)
{
    const struct series_point *first = point_at(series, "first_touch", 0);
    const struct series_point *second = point_at(series, "first_touch", 1);

    if (!first || !second) {
        sonde_infer_give_up(findings, "traps.first_round", "ratio",
                            "the first or the second touch was not timed");
        return;
    }
    sonde_infer_find(findings, "traps.first_round", "ratio", first->best / second->best,
                     first->q25 / second->q75, first->q75 / second->q25, NAN,
                     "first touch of a page over the second");
}

static void infer_interrupted(const struct series_list *series, struct findings *findings)
{
    const struct series_point *point = point_at(series, "interrupted", 0);

    if (!point) {
        sonde_infer_give_up(findings, "traps.interruption", "ratio",
                            "the rounds were not timed");
        return;
    }
    sonde_infer_find(findings, "traps.interruption", "ratio", point->max / point->median,
                     point->p99 / point->median, point->max / point->median, NAN,
                     "slowest over median of 201 rounds");
    sonde_infer_find(findings, "traps.mean_error", "ratio", point->mean / point->median,
                     NAN, NAN, NAN, "mean over median of 201 rounds");
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    (void)context;
    infer_deleted(series, findings);
    infer_first_touch(series, findings);
    infer_interrupted(series, findings);
    return 0;
}

const struct probe sonde_probe_traps = {
    .name = "traps",
    .summary = "three classic errors: deleted work, the first round, one interruption",
    .asks = "What would a careless benchmark get wrong here?",
    .seconds = 0.3,
    .plan = plan,
    .infer = infer,
};
