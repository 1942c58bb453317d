/* Probe `prefetch`: what the prefetchers see, and what they miss.
 *
 * Chains of dependent loads through the same lines, more than the second level holds, in
 * several orders.
 *
 *   patterns  random (twice), ascending, descending; pages in random order with lines
 *             ascending inside (what a page boundary stops); pages in address order with
 *             lines random inside (what is seen of a region)
 *   strides   64 bytes to several pages: ascending; in random order inside windows that
 *             come in order; and in runs that begin at random places
 *
 * From 256 bytes up the strides differ in nothing but order: one line in each 256 bytes
 * of the same few megabytes, whose pages the second level of translation holds, visited
 * row by row.
 *
 * What can fool it: see infer/prefetch.c. */
#include "probes/probe.h"

#include "infer/prefetch.h"

#include <errno.h>
#include <math.h>

static const uint64_t line_bytes = 64;
/* Lines of a walk: 1 MiB, or twice a second level that was found or declared larger. */
static const double lines_least = 16384, lines_most = 262144;
static const uint64_t strides[] = {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384};
/* Of all strides that are no less: one line in so many bytes. */
static const uint64_t row_step = 256;
/* Of the random walks beside strides: windows come in order, so that walks of the page
 * table find what they need as near as those of the ascending one. */
static const uint64_t window_bytes = 128 << 10, window_nodes = 32;
/* Steps of a run that begins at a random place. */
static const uint64_t run_nodes = 64;
/* Loads a sample: a part of the cycle; the next sample goes on where it ended. */
static const uint64_t loads = 4096;

enum { PATTERNS_SERIES, STRIDES_SERIES };

static const struct series_plan series_plans[] = {
    [PATTERNS_SERIES] = {.name = "patterns",
                         .axes = {{"order", "", "category"}},
                         .axis_count = 1,
                         .quantity = "cost of a load",
                         .unit = "ns",
                         .statistic = STATISTIC_MEDIAN},
    [STRIDES_SERIES] = {.name = "strides",
                        .axes = {{"stride", "bytes", "log2"}, {"order", "", "category"}},
                        .axis_count = 2,
                        .quantity = "cost of a load",
                        .unit = "ns",
                        .statistic = STATISTIC_MEDIAN},
};

static const struct {
    const char *label;
    enum layout_order order;
    bool by_page;
} patterns[PREFETCH_WALKS] = {
    [WALK_RANDOM] = {"random", ORDER_RANDOM, false},
    [WALK_RANDOM_AGAIN] = {"random again", ORDER_RANDOM, false},
    [WALK_ASCENDING] = {"ascending", ORDER_ASCENDING, false},
    [WALK_DESCENDING] = {"descending", ORDER_DESCENDING, false},
    [WALK_SCATTERED] = {"ascending in scattered pages", ORDER_SCATTERED, true},
    [WALK_INSIDE] = {"random inside pages", ORDER_RANDOM, true},
};

static uint64_t lines_of_walk(const struct probe_context *context)
{
    const struct finding *second =
        context->passport ? sonde_passport_finding(context->passport, "l2.size") : NULL;
    struct declaration declared = sonde_machine_declared(context->facts, "l2.size");
    double lines = lines_least, bytes = declared.implausible ? NAN : declared.value;

    if (second && second->value > 0)
        bytes = second->value;
    if (bytes > 0)
        lines = fmax(lines, 2 * bytes / (double)line_bytes);
    lines = exp2(ceil(log2(fmin(lines, lines_most))));
    while (lines > 4096 && lines * (double)line_bytes > context->memory_bytes)
        lines /= 2;
    return (uint64_t)lines;
}

static int add_walk(struct plan *plan, unsigned series, uint64_t lines, uint64_t pitch,
                    const struct layout *how, double at, double order, const char *label)
{
    struct point *point =
        sonde_measure_plan_point(plan, series, sonde_kernel_find("chase"));

    if (!point)
        return -ENOMEM;
    point->layout = *how;
    point->layout.kind = LAYOUT_RING;
    point->layout.pages = PAGES_HUGE;
    point->layout.nodes = lines;
    point->layout.pitch = pitch;
    if (!point->layout.bytes)
        point->layout.bytes = lines * pitch;
    point->at[0] = at;
    point->at[1] = order;
    point->label = label;
    point->count = loads;
    return 0;
}

static int add_patterns(struct plan *plan, uint64_t lines, uint64_t page_bytes)
{
    int error = 0;

    for (int i = 0; i < PREFETCH_WALKS && !error; i++) {
        struct layout how = {.order = patterns[i].order,
                             .window = patterns[i].by_page ? page_bytes : 0};

        error = add_walk(plan, PATTERNS_SERIES, lines, line_bytes, &how, i, 0,
                         patterns[i].label);
    }
    return error;
}

/* The same lines for all strides of a row's step and more. */
static struct layout lines_apart(uint64_t lines, uint64_t stride)
{
    struct layout layout = {.bytes = lines * stride};

    if (stride <= row_step)
        return layout;
    layout.bytes = lines * row_step;
    layout.row = layout.bytes / stride;
    layout.row_step = row_step;
    return layout;
}

static int add_stride(struct plan *plan, uint64_t lines, uint64_t stride)
{
    static const struct {
        enum layout_order order;
        const char *label;
    } walks[] = {
        [STRIDE_ASCENDING] = {ORDER_ASCENDING, "ascending"},
        [STRIDE_RANDOM] = {ORDER_RANDOM, "random"},
        [STRIDE_RUNS] = {ORDER_SCATTERED, "runs from random places"},
    };
    uint64_t window = window_nodes * stride;
    int error = 0;

    for (unsigned i = 0; i < STRIDE_WALKS && !error; i++) {
        struct layout how = lines_apart(lines, stride);

        how.order = walks[i].order;
        if (i == STRIDE_RANDOM)
            how.window = window > window_bytes ? window : window_bytes;
        if (i == STRIDE_RUNS)
            how.window = run_nodes * stride;
        error = add_walk(plan, STRIDES_SERIES, lines, stride, &how, (double)stride, i,
                         walks[i].label);
    }
    return error;
}

/* A row is as long as a run at least. */
static int add_strides(const struct probe_context *context, struct plan *plan,
                       uint64_t lines)
{
    uint64_t region = lines * row_step;
    int error = 0;

    for (size_t i = 0; i < sizeof strides / sizeof strides[0] && !error; i++) {
        if ((double)region > context->memory_bytes || region / strides[i] < run_nodes)
            break;
        error = add_stride(plan, lines, strides[i]);
    }
    return error;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    uint64_t lines = lines_of_walk(context);
    int error;

    (void)so_far;
    if (stage > 0)
        return 0;
    error = sonde_measure_plan_all_series(plan, series_plans, 2);
    if (!error)
        error = add_patterns(plan, lines, context->machine->page_bytes);
    if (!error)
        error = add_strides(context, plan, lines);
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    return sonde_infer_prefetch(
        sonde_measure_series_find(series, series_plans[PATTERNS_SERIES].name),
        sonde_measure_series_find(series, series_plans[STRIDES_SERIES].name),
        (double)context->machine->page_bytes / (double)line_bytes, findings);
}

const struct probe sonde_probe_prefetch = {
    .name = "prefetch",
    .summary = "which orders and strides are fetched ahead, and what a page costs anew",
    .asks = "In which order may data be visited without paying for it?",
    .seconds = 1.8,
    .plan = plan,
    .infer = infer,
};
