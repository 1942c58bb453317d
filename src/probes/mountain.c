/* Probe `mountain`: read throughput over sizes and strides.
 *
 * Words a stride apart are added up in four accumulators, pass after pass over a block.
 * Along sizes the rate falls where caches end; along strides, where fewer words share a
 * line, until each has its own. A pass warms the block before it is timed, and a sample
 * shorter than a pass goes on where the last one ended, so that blocks beyond the caches
 * stay beyond them. The rate counts the 8 bytes that each load asks for, not the line
 * that it brings in.
 *
 * What can fool it: a neighbour on the core, which takes part of its issue (samples
 * without the whole core are set aside, and the best tenth of the others counts), and
 * strides that are no divisor of a block, whose pass ends up to 31 steps early. Control:
 * plain loads of words at hand say what the load ports allow. */
#include "probes/probe.h"

#include "infer/mountain.h"

#include <errno.h>
#include <math.h>

static const double smallest_bytes = 16 << 10, largest_bytes = 128 << 20;
static const uint64_t word_bytes = 8;
/* Strides in words. */
static const uint64_t strides_default = 15, strides_full = 32;
static const unsigned per_octave_full = 2;
static const uint64_t ports_steps = 131072;

static uint64_t steps_of_pass(double bytes, uint64_t stride, unsigned unroll)
{
    return (uint64_t)(bytes / (double)stride) / unroll * unroll;
}

/* So much of a block is read before it is timed: what the last level could hold. A
 * declaration decides how long that takes, not what is found: caches that are larger than
 * declared, and than 32 MiB, would show a cliff there. */
static double warm_bytes(const struct probe_context *context)
{
    static const double usual = 32 << 20;
    struct declaration declared = sonde_machine_declared(context->facts, "l3.size");

    return declared.value > usual && !declared.implausible ? declared.value : usual;
}

static int add_point(struct plan *plan, unsigned series, double bytes, uint64_t stride,
                     double warm)
{
    const struct kernel *kernel = sonde_kernel_find("stride_words");
    struct point *point = sonde_measure_plan_point(plan, series, kernel);
    uint64_t pass = steps_of_pass(bytes, stride, kernel->unroll);

    if (!point)
        return -ENOMEM;
    point->layout = (struct layout){
        .kind = LAYOUT_BLOCK,
        .pages = PAGES_HUGE,
        .bytes = (uint64_t)bytes,
        .pitch = stride,
        .pass = pass,
        .warm = steps_of_pass(warm, stride, kernel->unroll),
        .content = CONTENT_TILED,
    };
    point->argument = pass << 32 | stride;
    point->operations = (double)word_bytes;
    point->at[0] = bytes;
    point->at[1] = (double)stride;
    return 0;
}

static int add_ports(struct plan *plan)
{
    static const struct series_plan loads = {
        .name = "loads",
        .axes = {{"size", "bytes", "log2"}},
        .axis_count = 1,
        .quantity = "loads",
        .unit = "1/s",
        .statistic = STATISTIC_Q90,
        .rate = true,
    };
    int index = sonde_measure_plan_series(plan, &loads);
    struct point *point = index < 0
                              ? NULL
                              : sonde_measure_plan_point(plan, (unsigned)index,
                                                         sonde_kernel_find("load_wide"));

    if (!point)
        return -ENOMEM;
    point->layout = (struct layout){.kind = LAYOUT_BLOCK,
                                    .pages = PAGES_HUGE,
                                    .bytes = (uint64_t)smallest_bytes,
                                    .content = CONTENT_TILED};
    point->count = ports_steps;
    point->at[0] = 256;
    return 0;
}

static int add_grid(struct plan *plan, const struct probe_context *context,
                    unsigned series)
{
    bool full = context->effort.level == EFFORT_FULL;
    uint64_t strides = full ? strides_full : strides_default;
    double most = fmin(largest_bytes, context->memory_bytes);
    double step = 1.0 / (full ? per_octave_full : 1);
    int error = 0;

    for (double octave = log2(smallest_bytes); !error; octave += step) {
        double bytes = floor(exp2(octave) / 4096) * 4096;

        if (bytes > most)
            break;
        for (uint64_t words = 1; words <= strides && !error; words++)
            error =
                add_point(plan, series, bytes, words * word_bytes, warm_bytes(context));
    }
    return error;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    static const struct series_plan mountain = {
        .name = "mountain",
        .axes = {{"size", "bytes", "log2"}, {"stride", "bytes", "linear"}},
        .axis_count = 2,
        .quantity = "throughput",
        .unit = "bytes/s",
        .statistic = STATISTIC_Q90,
        .rate = true,
    };
    int index, error;

    (void)so_far;
    if (stage > 0)
        return 0;
    index = sonde_measure_plan_series(plan, &mountain);
    error = index < 0 ? index : add_grid(plan, context, (unsigned)index);
    if (!error)
        error = add_ports(plan);
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct series *mountain = sonde_measure_series_find(series, "mountain");

    (void)context;
    if (!mountain)
        return -ENODATA;
    return sonde_infer_mountain(mountain, sonde_measure_series_find(series, "loads"),
                                findings);
}

const struct probe sonde_probe_mountain = {
    .name = "mountain",
    .summary = "read throughput over sizes and strides",
    .asks = "How fast can words be read, from where, and how far apart?",
    .seconds = 7.4,
    .plan = plan,
    .infer = infer,
};
