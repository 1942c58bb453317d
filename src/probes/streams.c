/* Points of streams: which loop, how large its arrays, what it may move at most.
 *
 * A footprint is all arrays together. Arrays are multiples of the largest iteration, so
 * that a pass ends with one. From memory a sample is one pass over the next part of the
 * whole, so that a short sample meets what was not touched for a long time. What can fool
 * it: while the ports are being measured themselves, only what no core can is refused. */
#include "probes/streams.h"

#include "arch/arch.h"
#include "kernels/operands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the largest iteration: 16 accesses of 64 bytes. */
static const uint64_t grain = 1024;
/* From memory a sample is so long: some 200 µs, short enough to fit between the spells of
 * a neighbour. */
static const uint64_t part_bytes = 4 << 20;
/* Of a footprint that is not much smaller, as many passes as make it so long: samples of
 * some time would all see the same beginning of it. */
static const double whole_bytes = 1 << 20;
/* Of a team, all members together: beginning and end at once matter more. */
static const uint64_t team_part_bytes = 16 << 20;
/* No core starts more loads, or stores, a cycle. */
static const double ports_most = 4;
/* Members of a team are held to the clock of the first: others may turn faster. */
static const double team_slack = 1.15;

static const char *const shapes[] = {"u4s1", "u16s1", "u16s2"};

/* What the places on category axes are called. */
static const char *const place_names[][2] = {
    {"operation", "read|write|copy|triad|nt_write|nt_copy|nt_triad"},
    {"shape", "unrolled by 4|unrolled by 16|unrolled by 16, two streams|a loop in C"},
    {"placement", "spread|packed"},
};

static const char *names_of(const struct axis *axis)
{
    for (size_t i = 0; i < sizeof place_names / sizeof place_names[0]; i++)
        if (strcmp(place_names[i][0], axis->name) == 0)
            return place_names[i][1];
    return NULL;
}

static bool can_run(const struct kernel *kernel)
{
    return kernel && !(kernel->features & ~sonde_arch_features());
}

const struct kernel *sonde_probe_stream_kernel(unsigned operation, unsigned width,
                                               unsigned shape)
{
    const char *operation_name = sonde_infer_stream_name(operation);
    const struct kernel *kernel;
    char name[48];

    if (shape == STREAM_SHAPE_C)
        snprintf(name, sizeof name, "%s_c", operation_name);
    else
        snprintf(name, sizeof name, "%s_w%u_%s", operation_name, width, shapes[shape]);
    kernel = sonde_kernel_find(name);
    if (!can_run(kernel) || (shape != STREAM_SHAPE_C && kernel->instructions == 0))
        return NULL;
    return kernel;
}

const struct kernel *sonde_probe_stream_ports(bool stores, unsigned width)
{
    const struct kernel *kernel;
    char name[32];

    snprintf(name, sizeof name, "ports_%s_w%u", stores ? "store" : "load", width);
    kernel = sonde_kernel_find(name);
    return can_run(kernel) && kernel->instructions ? kernel : NULL;
}

/* The same by normal stores, where an operation is one past the caches. */
static unsigned plain_of(unsigned operation)
{
    return operation < STREAM_NT_WRITE ? operation
                                       : operation - STREAM_NT_WRITE + STREAM_WRITE;
}

const struct kernel *sonde_probe_stream_best(const struct series *series,
                                             const struct stream_ports *ports,
                                             unsigned operation)
{
    unsigned as = plain_of(operation);
    struct stream_choice choice = sonde_infer_stream_choice(series, ports, as);
    const struct kernel *kernel = NULL;

    if (choice.unlawful)
        return NULL; /* the others may be as wrong, only less so */
    if (!(choice.width > 0))
        choice = (struct stream_choice){.width = 64, .shape = 1};
    for (unsigned width = (unsigned)choice.width; !kernel && width >= 8; width /= 2)
        kernel = sonde_probe_stream_kernel(operation, width, choice.shape);
    /* Arm stores past the caches in pairs only. */
    for (unsigned width = (unsigned)choice.width; !kernel && width <= 64; width *= 2)
        kernel = sonde_probe_stream_kernel(operation, width, choice.shape);
    return kernel ? kernel : sonde_probe_stream_kernel(operation, 8, STREAM_SHAPE_C);
}

static double at_most(const double known[STREAM_WIDTHS], double width)
{
    double accesses = sonde_infer_stream_most(known, width);

    return accesses > 0 ? accesses : ports_most;
}

static double most_per_cycle(const struct kernel *kernel,
                             const struct stream_ports *ports)
{
    double loads = (double)kernel->loads / kernel->unroll;
    double stores = (double)kernel->stores / kernel->unroll;
    double bytes = (double)(kernel->bytes_read + kernel->bytes_written) / kernel->unroll;
    double width = bytes / (loads + stores), steps = INFINITY;

    if (kernel->instructions == 0)
        return 0; /* a compiler may have made other accesses of it */
    if (loads > 0)
        steps = fmin(steps, at_most(ports->loads, width) / loads);
    if (stores > 0)
        steps = fmin(steps, at_most(ports->stores, width) / stores);
    return steps * bytes;
}

static uint64_t array_bytes(double bytes, unsigned arrays)
{
    uint64_t grains = (uint64_t)(bytes / arrays / (double)grain);

    return (grains > 0 ? grains : 1) * grain;
}

/* Steps of a sample; 0: the harness sizes it. */
static uint64_t steps_of(const struct stream_point *stream, uint64_t pass, double part)
{
    if (stream->total > 0)
        return pass;
    return stream->bytes < whole_bytes ? 0 : pass * (uint64_t)ceil(part / stream->bytes);
}

struct point *sonde_probe_stream_point(struct plan *plan, unsigned series,
                                       const struct stream_point *stream)
{
    const struct kernel *kernel = stream->kernel;
    unsigned accesses = kernel->loads + kernel->stores;
    unsigned arrays = accesses / kernel->unroll;
    unsigned bytes = kernel->bytes_read + kernel->bytes_written;
    double members = stream->team ? (double)stream->team->members : 1;
    double part = stream->team ? (double)team_part_bytes / members : (double)part_bytes;
    double footprint = stream->total > 0 ? part : stream->bytes;
    struct point *point = sonde_measure_plan_point(plan, series, kernel);

    if (!point)
        return NULL;
    point->argument = array_bytes(footprint, arrays);
    point->operations = (double)bytes / kernel->unroll * members;
    point->most_per_cycle = most_per_cycle(kernel, &stream->ports) *
                            (stream->team ? members * team_slack : 1);
    point->team = stream->team;
    point->spacing = (point->argument * arrays + 4095) / 4096 * 4096;
    point->layout = (struct layout){
        .kind = LAYOUT_BLOCK,
        .pages = PAGES_HUGE,
        .bytes = point->spacing * (uint64_t)members,
        .align = 4096,
        .content = CONTENT_UNIFORM,
        .word = BANDWIDTH_WORD,
    };
    point->at[0] = (double)(point->argument * arrays);
    point->count = steps_of(stream, point->argument / (bytes / accesses), part);
    if (stream->total > 0) {
        point->layout.part = point->layout.bytes;
        point->layout.bytes *=
            (uint64_t)fmax(1, floor(stream->total / (double)point->layout.bytes));
        point->at[0] = stream->total;
    }
    return point;
}

int sonde_probe_stream_series(struct plan *plan, const char *name,
                              const struct axis *axes, unsigned axis_count)
{
    struct series_plan series = {
        .name = name,
        .axis_count = axis_count,
        .quantity = "rate",
        .unit = "bytes/s",
        .statistic = STATISTIC_Q90,
        .rate = true,
    };

    for (unsigned i = 0; i < axis_count; i++) {
        series.axes[i] = axes[i];
        series.place_names[i] = names_of(&axes[i]);
    }
    return sonde_measure_plan_series(plan, &series);
}
