/* Probe `forward`: what it costs to load what was just stored, and what crosses a line or
 * a page.
 *
 *   pairs   chains of a store, a load and an add: by how much is stored and loaded, and
 * by where the load begins same    the same at one address by one register: what renaming
 * takes out apart   loads that wait for one another, each after a store elsewhere:
 * distances of a multiple of 4 KiB against others splits  dependent loads that begin
 * anywhere in a line, and at the end of a page
 *
 * What can fool it: see infer/forward.c. */
#include "probes/probe.h"

#include "infer/forward.h"
#include "kernels/forward.h"

#include <errno.h>

static const char *const pair_kernels[FORWARD_PAIRS] = {
    [PAIR_8_8] = "forward_8_8",   [PAIR_8_4] = "forward_8_4",
    [PAIR_8_1] = "forward_8_1",   [PAIR_4_8] = "forward_4_8",
    [PAIR_4_4] = "forward_4_4",   [PAIR_16_16] = "forward_16_16",
    [PAIR_16_8] = "forward_16_8",
};
/* Where the stores go: in the middle of a line, whatever a load of 16 bytes around them
 * crosses. */
static const uint64_t store_at = 32;
/* No place of a store lies at the others (places are 128 bytes apart). */
static const uint64_t distances[] = {64,   2112, 4032,  4096,  4160,
                                     8192, 8256, 12352, 16384, 16448};
static const uint64_t line_bytes = 64;

/* Steps a sample: 10 to 200 µs. */
static const uint64_t steps = 32768;

enum { PAIRS, SAME, APART, SPLITS };

static const struct series_plan series_plans[] = {
    [PAIRS] = {.name = "pairs",
               .axes = {{"offset", "bytes", "linear"}, {"pair", "", "category"}},
               .axis_count = 2,
               .quantity = "time of a step",
               .unit = "ns",
               .statistic = STATISTIC_Q25},
    [SAME] = {.name = "same",
              .axes = {{"address", "", "category"}},
              .axis_count = 1,
              .place_names = {"the same address"},
              .quantity = "time of a step",
              .unit = "ns",
              .statistic = STATISTIC_Q25},
    [APART] = {.name = "apart",
               .axes = {{"distance", "bytes", "linear"}},
               .axis_count = 1,
               .quantity = "time of a step",
               .unit = "ns",
               .statistic = STATISTIC_Q25},
    [SPLITS] = {.name = "splits",
                .axes = {{"offset", "bytes", "linear"}},
                .axis_count = 1,
                .quantity = "time of a load",
                .unit = "ns",
                .statistic = STATISTIC_Q25},
};

/* A block of zeros with places for the farther of both. */
static struct point *add_point(const struct probe_context *context, struct plan *plan,
                               unsigned series, const char *kernel, uint64_t store,
                               uint64_t load)
{
    struct point *point =
        sonde_measure_plan_point(plan, series, sonde_kernel_find(kernel));
    uint64_t farther = store > load ? store : load;

    if (!point)
        return NULL;
    point->argument = store | load << FORWARD_LOAD_SHIFT;
    point->count = steps;
    point->layout.kind = LAYOUT_BLOCK;
    point->layout.align = context->machine->page_bytes;
    point->layout.zero = true;
    point->layout.bytes = farther + FORWARD_PLACES * FORWARD_PITCH + line_bytes;
    return point;
}

static int add_pairs(const struct probe_context *context, struct plan *plan)
{
    for (int pair = 0; pair < FORWARD_PAIRS; pair++) {
        struct forward_widths widths =
            sonde_infer_forward_widths((enum forward_pair)pair);
        int step = widths.stored == 16 ? 4 : 1;

        for (int offset = -(int)widths.loaded; offset <= (int)widths.stored;
             offset += step) {
            struct point *point = add_point(context, plan, PAIRS, pair_kernels[pair],
                                            store_at, (uint64_t)((int)store_at + offset));

            if (!point)
                return -ENOMEM;
            point->at[0] = offset;
            point->at[1] = pair;
            point->label = pair_kernels[pair];
        }
    }
    return 0;
}

static int add_apart(const struct probe_context *context, struct plan *plan)
{
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++) {
        struct point *point =
            add_point(context, plan, APART, "forward_apart", 0, distances[i]);

        if (!point)
            return -ENOMEM;
        point->at[0] = (double)distances[i];
    }
    return 0;
}

static int add_split(const struct probe_context *context, struct plan *plan, uint64_t at)
{
    struct point *point = add_point(context, plan, SPLITS, "load_at", 0, at);

    if (!point)
        return -ENOMEM;
    point->at[0] = (double)at;
    return 0;
}

static int add_splits(const struct probe_context *context, struct plan *plan)
{
    static const uint64_t inside[] = {0, 8, 24, 40, 56, 57, 59, 60, 61, 63};
    static const uint64_t before_end[] = {7, 4, 1};
    uint64_t page = context->machine->page_bytes;
    int error = 0;

    for (size_t i = 0; i < sizeof inside / sizeof inside[0] && !error; i++)
        error = add_split(context, plan, inside[i]);
    for (size_t i = 0; i < sizeof before_end / sizeof before_end[0] && !error; i++)
        error = add_split(context, plan, page - before_end[i]);
    return error;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    int error;

    (void)so_far;
    if (stage > 0)
        return 0;
    if (sonde_kernel_find("load_at")->instructions == 0)
        return sonde_base_fail(why, -ENOTSUP,
                               "this instruction set has no kernels in assembly, and a "
                               "compiler keeps no store that is loaded again");
    error = sonde_measure_plan_all_series(plan, series_plans,
                                          sizeof series_plans / sizeof series_plans[0]);
    if (!error)
        error = add_pairs(context, plan);
    if (!error && !add_point(context, plan, SAME, "forward_same", store_at, store_at))
        error = -ENOMEM;
    if (!error)
        error = add_apart(context, plan);
    if (!error)
        error = add_splits(context, plan);
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    struct forward_series all = {
        .pairs = sonde_measure_series_find(series, series_plans[PAIRS].name),
        .same = sonde_measure_series_find(series, series_plans[SAME].name),
        .apart = sonde_measure_series_find(series, series_plans[APART].name),
        .splits = sonde_measure_series_find(series, series_plans[SPLITS].name),
    };

    return sonde_infer_forward(&all, (double)line_bytes,
                               (double)context->machine->page_bytes, findings);
}

const struct probe sonde_probe_forward = {
    .name = "forward",
    .summary = "loads of what was just stored, by size and place; loads across lines",
    .asks = "What does it cost to read what was just written?",
    .seconds = 2.4,
    .plan = plan,
    .infer = infer,
};
