/* Probe `ways`: associativity of the first two levels by conflicts, what a full set gives
 * up, what a write miss does, and whether the last level includes the others.
 *
 * First level: lines at one stride are chased in a random cycle. While they fit the sets
 * they fall into, every access hits; one line more, and (with anything like LRU) every
 * access misses. At large strides all lines share one set, and the number that fits is
 * the number of ways; the smallest stride at which that is so is the span of a way.
 *
 * Second level: it is indexed by physical addresses, which no stride reaches. A search
 * (measure/search.h) finds lines that share a set, and counts how many of them it holds.
 *
 * Then streams over memory, and lines in use as others pass by (passing.h).
 *
 * Footprints are small, so neighbours, pages and translation have little say. What can
 * fool it: hashed set indices and way predictors that key on address bits (strides then
 * disagree, and nothing is claimed), and a translation buffer whose sets collide at the
 * same strides. Control: below the span the knee doubles with every halving of the
 * stride; the lines of a set of the second level are counted twice. */
#include "probes/probe.h"

#include "infer/conflicts.h"
#include "infer/groups.h"
#include "infer/inclusion.h"
#include "infer/replacement.h"
#include "infer/write_miss.h"
#include "probes/passing.h"

#include <errno.h>
#include <math.h>

/* From well below any first level's span to sixteen times the usual 4 KiB one, four times
 * the 16 KiB of cores with larger pages. Beyond, a translation buffer of 16 sets would be
 * what conflicts. */
static const uint64_t stride_first = 512, stride_last = 65536;
/* Every count up to 40 (no first level has more ways), then an eighth more each time, up
 * to what a first level of 192 KiB would hold at this stride. */
static const uint64_t lines_each = 40, largest_first_level = 192 << 10;
/* Pointer chases assume nothing smaller; a larger line shows as neighbours that hit. */
static const uint64_t line_bytes = 64;

/* Pages for lines of many sets, far more than are taken at a time. */
static const double search_bytes = 64 << 20;
/* Beside neighbours one try in three finds a set. */
enum { SEARCH_TRIES = 80, SEARCH_AGREEING = 7 };

static int add_point(struct plan *plan, uint64_t stride, uint64_t lines)
{
    struct point *point = sonde_measure_plan_point(plan, 0, sonde_kernel_find("chase"));

    if (!point)
        return -ENOMEM;
    point->layout = (struct layout){
        .kind = LAYOUT_RING,
        .order = ORDER_RANDOM,
        .pages = PAGES_HUGE,
        .bytes = lines * stride,
        .nodes = lines,
        .pitch = stride,
    };
    point->at[0] = (double)stride;
    point->at[1] = (double)lines;
    return 0;
}

static int plan_first(const struct probe_context *context,
                      const struct series_list *so_far, struct plan *plan)
{
    static const struct series_plan conflicts = {
        .name = "conflicts",
        .axes = {{"stride", "bytes", "log2"}, {"lines", "count", "linear"}},
        .axis_count = 2,
        .quantity = "latency",
        .unit = "ns",
        .statistic = STATISTIC_Q25,
    };

    (void)context;
    (void)so_far;
    if (sonde_measure_plan_series(plan, &conflicts) < 0)
        return -ENOMEM;
    for (uint64_t stride = stride_first; stride <= stride_last; stride *= 2) {
        uint64_t most = largest_first_level / stride;

        for (uint64_t lines = 2; lines <= lines_each || lines <= most;
             lines += lines < lines_each ? 1 : lines / 8)
            if (add_point(plan, stride, lines))
                return -ENOMEM;
    }
    return 0;
}

/* What the conflicts, measured just before, say of the first level. */
static double first_level(const struct series_list *so_far, const char *name)
{
    const struct series *conflicts = sonde_measure_series_find(so_far, "conflicts");
    struct findings found = {0};
    const struct finding *finding;
    double value = NAN;

    if (conflicts &&
        !sonde_infer_conflicts(conflicts, "l1d", (double)line_bytes, &found)) {
        finding = sonde_infer_finding_get(&found, name);
        value = finding ? finding->value : NAN;
    }
    sonde_infer_findings_free(&found);
    return value;
}

static const struct series_plan search_series[] = {
    {.name = "groups",
     .axes = {{"try", "", "category"}, {"count", "", "category"}},
     .axis_count = 2,
     .quantity = "lines of a set",
     .unit = "count",
     .statistic = STATISTIC_MEDIAN},
    {.name = "partners",
     .axes = {{"try", "", "category"}, {"what", "", "category"}},
     .axis_count = 2,
     .place_names = {NULL, "lines at random|partners"},
     .quantity = "lines",
     .unit = "count",
     .statistic = STATISTIC_MEDIAN},
};

/* Where a last level is declared and no second one, what follows the first is shared. */
static bool has_second(const struct probe_context *context)
{
    return sonde_machine_declared(context->facts, "l2.size").value > 0 ||
           !(sonde_machine_declared(context->facts, "l3.size").value > 0);
}

static int plan_search(const struct probe_context *context,
                       const struct series_list *so_far, struct plan *plan)
{
    uint64_t page = context->machine->page_bytes;
    double pages = fmin(search_bytes, context->memory_bytes) / (double)page;
    int error;

    (void)so_far;
    if (!has_second(context) || pages < 1)
        return 0;
    error = sonde_measure_plan_all_series(plan, search_series, 2);
    if (error)
        return error;
    plan->search = (struct search){
        .groups = (unsigned)plan->series_count - 2,
        .partners = (unsigned)plan->series_count - 1,
        .page_bytes = page,
        .line_bytes = line_bytes,
        .pages = (uint64_t)pages,
        .tries = SEARCH_TRIES,
        .agreeing = SEARCH_AGREEING,
    };
    return 0;
}

static void open_passing(const struct probe_context *context,
                         const struct series_list *so_far, struct passing *passing)
{
    sonde_probe_passing_sizes(context, first_level(so_far, "l1d.size"), passing);
}

static int plan_traffic(const struct probe_context *context,
                        const struct series_list *so_far, struct plan *plan)
{
    struct passing passing;

    open_passing(context, so_far, &passing);
    return sonde_probe_passing_traffic(&passing, plan);
}

static int plan_stirred(const struct probe_context *context,
                        const struct series_list *so_far, struct plan *plan)
{
    struct passing passing;

    open_passing(context, so_far, &passing);
    return sonde_probe_passing_stirred(&passing, (double)line_bytes, plan);
}

/* By the first series of each. */
static const struct part {
    const char *series;
    int (*plan)(const struct probe_context *context, const struct series_list *so_far,
                struct plan *plan);
    double seconds; /* 0: the plan says so itself */
} parts[] = {
    {"conflicts", plan_first, 3.6},
    {"groups", plan_search, 3.6},
    {"traffic", plan_traffic, 0},
    {"stirred", plan_stirred, 0},
};

/* The next part that is not done and has something to do: one that has nothing must not
 * end the probe. */
static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    int error = 0;

    (void)stage;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !error; i++) {
        if (sonde_measure_series_find(so_far, parts[i].series))
            continue;
        plan->budget_s = parts[i].seconds;
        error = parts[i].plan(context, so_far, plan);
        if (plan->count > 0 || plan->search.pages > 0)
            break;
    }
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

/* Passports that are older than these parts have none. */
static int infer_passing(const struct probe_context *context,
                         const struct series_list *series, struct findings *findings)
{
    const struct series *traffic = sonde_measure_series_find(series, "traffic");
    const struct series *stirred = sonde_measure_series_find(series, "stirred");
    struct passing passing;
    int error;

    open_passing(context, series, &passing);
    error = sonde_infer_write_miss(
        traffic, !traffic && passing.why_far[0] ? passing.why_far : NULL, findings);
    return error ? error
                 : sonde_infer_inclusion(
                       &(struct inclusion){.stirred = stirred,
                                           .traffic = traffic,
                                           .last_bytes = passing.last,
                                           .why = !stirred && passing.why[0] ? passing.why
                                                                             : NULL},
                       findings);
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct series *conflicts = sonde_measure_series_find(series, "conflicts");
    const struct series *groups = sonde_measure_series_find(series, "groups");
    int error;

    if (!conflicts)
        return -ENODATA;
    error = sonde_infer_conflicts(conflicts, "l1d", (double)line_bytes, findings);
    if (!error)
        error = sonde_infer_replacement(conflicts, findings);
    /* Passports that are older than the search have none. */
    if (!error && groups)
        error = sonde_infer_groups(groups, "l2", findings);
    else if (!error && !has_second(context) &&
             !sonde_infer_give_up(findings, "l2.ways", "count",
                                  "a last level is declared and no second one: what "
                                  "follows the first is shared"))
        error = -ENOMEM;
    return error ? error : infer_passing(context, series, findings);
}

const struct probe sonde_probe_ways = {
    .name = "ways",
    .summary =
        "sets and ways of the first two levels; inclusion, replacement, write misses",
    .asks = "How many lines of one set fit?",
    .seconds = 8.7,
    .plan = plan,
    .infer = infer,
};
