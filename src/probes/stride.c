/* Probe `stride`: what an access costs by its distance from the last one.
 *
 * Single bytes are read in order, 1 to 4096 bytes apart, in two designs:
 *
 *   fixed_count  16384 accesses at every stride; the block grows with it
 *   fixed_span   a block of 4 MiB at every stride; the accesses become fewer
 *
 * Each point says its stride, how many accesses a pass has and over how many bytes; the
 * cost is per access in both, since a total over a fixed span would fall with the stride.
 * Beside them stand the lines that an access touches anew and the bytes that come in
 * without being asked for, computed from the line that was measured (or is declared).
 *
 * What can fool it: all of it is walking in order, so prefetchers have their say.
 * Control: the stride at which both designs walk the same block. */
#include "probes/probe.h"

#include "infer/stride.h"

#include <errno.h>
#include <math.h>

static const uint64_t count_fixed = 16384, span_fixed = 4 << 20;

/* Powers of two, and between them what conflicts less. */
static const uint64_t strides[] = {1,   2,   4,   8,    16,   24,   32,   48,
                                   64,  96,  128, 160,  192,  256,  320,  384,
                                   512, 640, 768, 1024, 1536, 2048, 3072, 4096};
enum { STRIDES = sizeof strides / sizeof strides[0] };

/* --- computed beside the measured -----------------------------------------------------
 */

static int add_computed(struct series_list *list, const char *name, const char *quantity,
                        const char *unit, double line_bytes,
                        double (*compute)(double stride, double line_bytes))
{
    struct series *series = sonde_measure_series_add(list, name);

    if (!series)
        return -ENOMEM;
    series->axes[0] = (struct axis){"stride", "bytes", "log2"};
    series->axis_count = 1;
    series->quantity = quantity;
    series->unit = unit;
    for (size_t i = 0; i < STRIDES; i++) {
        struct series_point *point = sonde_measure_point_add(series);

        if (!point)
            return -ENOMEM;
        point->at[0] = (double)strides[i];
        point->best = compute((double)strides[i], line_bytes);
    }
    return 0;
}

static int tabulate(const struct probe_context *context, struct series_list *series)
{
    double line = sonde_probe_line_bytes(context);
    int error;

    if (!(line > 0))
        return 0;
    error = add_computed(series, "lines", "lines touched by an access", "lines", line,
                         sonde_infer_stride_lines);
    if (!error)
        error = add_computed(series, "vain", "bytes fetched in vain by an access",
                             "bytes", line, sonde_infer_stride_vain);
    return error;
}

/* --- measured -------------------------------------------------------------------------
 */

static int add_point(struct plan *plan, unsigned series, uint64_t stride, uint64_t count)
{
    const struct kernel *kernel = sonde_kernel_find("stride_bytes");
    struct point *point = sonde_measure_plan_point(plan, series, kernel);
    uint64_t pass = count / kernel->unroll * kernel->unroll;

    if (!point)
        return -ENOMEM;
    point->layout = (struct layout){
        .kind = LAYOUT_BLOCK,
        .pages = PAGES_HUGE,
        .bytes = pass * stride,
        .pitch = stride,
        .pass = pass,
        .content = CONTENT_TILED,
    };
    point->argument = pass << 32 | stride;
    point->at[0] = (double)stride;
    point->at[1] = (double)pass;
    point->at[2] = (double)(pass * stride);
    return 0;
}

static int add_design(struct plan *plan, const struct probe_context *context,
                      const char *name, bool span)
{
    struct series_plan series = {
        .name = name,
        .axes = {{"stride", "bytes", "log2"},
                 {"accesses", "count", "log2"},
                 {"size", "bytes", "log2"}},
        .axis_count = 3,
        .quantity = "cost of an access",
        .unit = "ns",
        .statistic = STATISTIC_Q25,
    };
    int index = sonde_measure_plan_series(plan, &series), error = index < 0 ? index : 0;

    for (size_t i = 0; i < STRIDES && !error; i++) {
        uint64_t count = span ? span_fixed / strides[i] : count_fixed;

        if ((double)(count * strides[i]) <= context->memory_bytes)
            error = add_point(plan, (unsigned)index, strides[i], count);
    }
    return error;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    int error;

    (void)so_far;
    if (stage > 0)
        return 0;
    error = add_design(plan, context, "fixed_count", false);
    if (!error)
        error = add_design(plan, context, "fixed_span", true);
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct series *by_count = sonde_measure_series_find(series, "fixed_count");
    const struct series *by_span = sonde_measure_series_find(series, "fixed_span");

    if (!by_count || !by_span)
        return -ENODATA;
    return sonde_infer_stride(by_count, by_span, sonde_probe_line_bytes(context),
                              findings);
}

const struct probe sonde_probe_stride = {
    .name = "stride",
    .summary = "cost of an access by its distance from the last one",
    .asks = "What does it cost to skip data?",
    .seconds = 1.7,
    .tabulate = tabulate,
    .plan = plan,
    .infer = infer,
};
