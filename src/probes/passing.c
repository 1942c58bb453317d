/* What passes through the caches, and how much.
 *
 *   kept   an eighth of the level above the last, twice the first one if that is more and
 *          a quarter at most: lines in use
 *   piece  three eighths of it, and half of that: together they fill half of it, since
 *          pages fall into its sets by chance
 *   near   three times that level: it comes from the last one, again and again
 *   far    three times the last level, 256 MiB at least: it comes from memory
 *
 * Declared sizes decide how far to look, never what is found: they bound from above what
 * a last level can hold, and a smaller one only shows more. */
#include "probes/passing.h"

#include "probes/streams.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

static const double mib = 1024.0 * 1024;
/* Beyond, touching it takes longer than what is measured. */
static const double far_most = 1024 * 1024.0 * 1024;
/* Of a level: what is kept, and what passes by at most. */
static const double kept_part = 0.125, kept_most = 0.25, piece_part = 0.375;
/* Of a level: what comes from the next one, and from beyond it. */
static const double near_times = 3, far_times = 3, far_times_least = 2;
/* What is walked at a time fits the first translation level of any core. */
static const uint64_t window_bytes = 128 << 10;
/* Sizes are multiples of this, as those of streams are. */
static const double grain = 4096;
static const double traffic_s = 1, stirred_s = 0.6;

static double declared(const struct probe_context *context, const char *name,
                       bool plausible)
{
    struct declaration found = sonde_machine_declared(context->facts, name);

    return found.value > 0 && !(plausible && found.implausible) ? found.value : NAN;
}

static double whole(double bytes)
{
    return fmax(1, floor(bytes / grain)) * grain;
}

/* The last level and the one above it. */
static void find_levels(const struct probe_context *context, struct passing *passing)
{
    double second = declared(context, "l2.size", true),
           third = fmax(declared(context, "l3.size", false),
                        declared(context, "l4.size", false));

    passing->last = third > 0 ? third : second;
    passing->inner = third > 0 ? second : passing->first;
}

void sonde_probe_passing_sizes(const struct probe_context *context, double first,
                               struct passing *passing)
{
    double room = context->memory_bytes * 0.9, wanted = SONDE_INFER_MEMORY_FROM;

    *passing = (struct passing){.first = first > 0 ? first : NAN};
    find_levels(context, passing);
    passing->near = passing->inner > 0 ? whole(near_times * passing->inner) : 0;
    if (passing->last > 0)
        wanted = fmax(wanted, far_times * passing->last);
    passing->far = whole(fmin(fmin(wanted, far_most), room));
    if (passing->far < SONDE_INFER_MEMORY_FROM ||
        passing->far < far_times_least * passing->last)
        snprintf(passing->why_far, sizeof passing->why_far,
                 "%.0f MiB of memory may be used, which caches may hold",
                 passing->far / mib);
    if (passing->why_far[0])
        snprintf(passing->why, sizeof passing->why, "%s", passing->why_far);
    else if (!(passing->inner > 0) || !(passing->last > 0))
        snprintf(passing->why, sizeof passing->why,
                 "the size of the last level, or of the one above it, is neither found "
                 "nor declared");
    else if (passing->near > passing->last / 2)
        snprintf(passing->why, sizeof passing->why,
                 "the last level is hardly larger than the one above it");
}

/* --- traffic --------------------------------------------------------------------------
 */

static int add_stream(struct plan *plan, unsigned series, unsigned operation,
                      double bytes, bool from_memory)
{
    const struct stream_ports ports = sonde_infer_stream_ports(NULL, NAN);
    struct stream_point stream = {
        .kernel = sonde_probe_stream_best(NULL, &ports, operation),
        .bytes = bytes,
        .total = from_memory ? bytes : 0,
        .ports = ports,
    };
    struct point *point;

    if (!stream.kernel)
        return 0; /* this core has no such stores */
    point = sonde_probe_stream_point(plan, series, &stream);
    if (!point)
        return -ENOMEM;
    point->at[1] = operation;
    point->label = sonde_infer_stream_name(operation);
    return 0;
}

int sonde_probe_passing_traffic(const struct passing *passing, struct plan *plan)
{
    static const struct axis axes[] = {{"footprint", "bytes", "log2"},
                                       {"operation", "", "category"}};
    double small = passing->first > 0 ? passing->first / 2 : 4 * grain;
    const struct {
        unsigned operation;
        double bytes;
        bool from_memory;
    } rows[] = {
        {STREAM_READ, passing->far, true},     {STREAM_WRITE, passing->far, true},
        {STREAM_NT_WRITE, passing->far, true}, {STREAM_WRITE, small, false},
        {STREAM_NT_WRITE, small, false},       {STREAM_READ, passing->near, false},
    };
    int series, error = 0;

    if (passing->why_far[0])
        return 0;
    series = sonde_probe_stream_series(plan, "traffic", axes, 2);
    if (series < 0)
        return series;
    plan->budget_s = traffic_s;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && !error; i++)
        if (rows[i].bytes > 0)
            error = add_stream(plan, (unsigned)series, rows[i].operation, rows[i].bytes,
                               rows[i].from_memory);
    return error;
}

/* Of the first level nothing is left when a piece has passed: what would fit there would
 * seem disturbed by that alone. */
static uint64_t kept_bytes(const struct passing *passing)
{
    double kept = fmax(kept_part * passing->inner, 2 * passing->first);

    return (uint64_t)whole(fmin(kept, kept_most * passing->inner));
}

/* --- stirred ---------------------------------------------------------------------------
 */

static int add_kept(const struct passing *passing, struct plan *plan, unsigned series,
                    uint64_t line, double stretch, double part)
{
    const struct stream_ports ports = sonde_infer_stream_ports(NULL, NAN);
    const struct kernel *kernel = sonde_probe_stream_best(NULL, &ports, STREAM_READ);
    struct point *point =
        sonde_measure_plan_point(plan, series, sonde_kernel_find("chase"));
    uint64_t kept = kept_bytes(passing);
    uint64_t piece = (uint64_t)whole(part * passing->inner);
    uint64_t width = kernel->bytes_read / kernel->loads;

    if (!point)
        return -ENOMEM;
    point->layout = (struct layout){.kind = LAYOUT_RING,
                                    .order = ORDER_RANDOM,
                                    .pages = PAGES_HUGE,
                                    .bytes = kept,
                                    .nodes = kept / line,
                                    .pitch = line,
                                    .window = window_bytes,
                                    .beside = (uint64_t)stretch};
    /* One cycle: in the next one all would be at hand again. */
    point->count = kept / line / point->kernel->unroll * point->kernel->unroll;
    if (stretch > 0)
        point->stir = (struct stir){.kernel = kernel,
                                    .steps = piece / width,
                                    .argument = piece,
                                    .bytes = (uint64_t)stretch,
                                    .piece = piece};
    point->at[0] = stretch;
    point->at[1] = stretch > 0 ? (double)piece : 0;
    point->at[2] = (double)kept;
    return 0;
}

int sonde_probe_passing_stirred(const struct passing *passing, double line_bytes,
                                struct plan *plan)
{
    static const struct series_plan stirred = {.name = "stirred",
                                               .axes = {{"stretch", "bytes", "log2"},
                                                        {"piece", "bytes", "log2"},
                                                        {"kept", "bytes", "log2"}},
                                               .axis_count = 3,
                                               .quantity = "latency",
                                               .unit = "ns",
                                               .statistic = STATISTIC_Q25};
    const double stretches[] = {0, passing->near, passing->far};
    int series, error = 0;

    if (passing->why[0])
        return 0;
    series = sonde_measure_plan_series(plan, &stirred);
    if (series < 0)
        return series;
    plan->budget_s = stirred_s;
    for (size_t i = 0; i < 3 && !error; i++)
        for (double part = piece_part; part >= piece_part / 2 && !error; part /= 2)
            if (i > 0 || part == piece_part)
                error = add_kept(passing, plan, (unsigned)series, (uint64_t)line_bytes,
                                 stretches[i], part);
    return error;
}
