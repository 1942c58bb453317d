/* Probe `bandwidth`: what streams move, from every level and from memory.
 *
 *   stage 0   shapes   which width and unrolling is fastest in the first level
 *             ports    accesses of each width at places that stay: no stream can do more
 *             ladder   reads over growing footprints, where no level is known yet
 *   stage 1   rates    each operation in each level and from memory, one thread
 *   stage 2   threads  the same on all CPUs, and from memory on 1, 2, 4, ... of them,
 *                      spread and packed
 *   stage 3   ladder   reads over growing footprints
 *
 * Levels are those that earlier probes found; without them the ladder's own. What can
 * fool it: a neighbour on the core (samples with less of the core are set aside), memory
 * that the last level still holds (hence 256 MiB and more, and the plateau), and a level
 * whose share shrinks while it is measured. */
#include "probes/streams.h"
#include "probes/teams.h"

#include "infer/levels.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEVELS_KNOWN = 5 };

static const double mib = 1024.0 * 1024;
/* The smallest first level in use holds twice that. */
static const double first_bytes = 16 * 1024;
static const double ladder_least = 8 * 1024, ladder_most = 64 * 1024.0 * 1024;
/* Beyond, touching and writing it takes longer than what is measured. */
static const double memory_most = 1024 * 1024.0 * 1024;
/* Of all the time by default, by stage. */
static const double stage_s[] = {1.2, 2.3, 1.8, 1.2};

static const struct axis operation_axis = {"operation", "", "category"};
static const struct axis size_axis = {"size", "bytes", "log2"};
static const struct axis threads_axis = {"threads", "count", "log2"};

/* --- levels --- */

struct level_place {
    const char *name; /* a literal */
    double capacity, footprint;
};

struct level_places {
    struct level_place row[LEVELS_KNOWN];
    size_t count;
};

static void add_level(struct level_places *places, const char *name, double capacity)
{
    double before = places->count ? places->row[places->count - 1].capacity : 0;
    double footprint = capacity / 2;

    if (!(capacity > before) || places->count == LEVELS_KNOWN)
        return;
    /* Well beyond the level before it, well inside this one. */
    if (footprint < 2 * before)
        footprint = sqrt(before * capacity);
    places->row[places->count++] = (struct level_place){name, capacity, footprint};
}

static void levels_found(const struct passport *passport, struct level_places *places)
{
    static const char *const rows[][2] = {{"l1d.size", "l1d"},
                                          {"l2.size", "l2"},
                                          {"l3.size", "l3"},
                                          {"llc.effective", "llc"}};

    for (size_t i = 0; passport && i < sizeof rows / sizeof rows[0]; i++) {
        const struct finding *finding = sonde_passport_finding(passport, rows[i][0]);

        if (finding && finding->value > 0 && (i == 0 || places->count > 0))
            add_level(places, rows[i][1], finding->value);
    }
}

/* From the ladder of reads: what a byte takes, level by level. */
static void levels_of_ladder(const struct series *ladder, struct level_places *places)
{
    static const char *const names[] = {"l1d", "l2", "l3", "l4"};
    struct levels_options options = sonde_infer_levels_defaults();
    double size[64], cost[64];
    struct curve curve = {.size = size, .cost = cost};
    struct levels levels;

    options.bootstraps = 0;
    for (size_t i = 0; ladder && i < ladder->count && curve.count < 64; i++)
        if (ladder->points[i].best > 0) {
            size[curve.count] = ladder->points[i].at[0];
            cost[curve.count++] = 1e9 / ladder->points[i].best;
        }
    if (sonde_infer_levels(&curve, &options, &levels, NULL))
        return;
    for (size_t i = 0; i + 1 < levels.count && i < 4; i++)
        add_level(places, names[i], levels.level[i].capacity);
}

static void find_levels(const struct probe_context *context,
                        const struct series_list *so_far, struct level_places *places)
{
    *places = (struct level_places){.count = 0};
    levels_found(context->passport, places);
    if (places->count == 0)
        levels_of_ladder(sonde_measure_series_find(so_far, "ladder"), places);
    if (places->count == 0)
        add_level(places, "l1d", 2 * first_bytes);
}

/* The largest footprint of memory: 384 MiB, four times a larger last level, as far as
 * allowed. NaN: less than 256 MiB is. */
static double memory_bytes(const struct probe_context *context,
                           const struct level_places *places)
{
    double wanted = 1.5 * SONDE_INFER_MEMORY_FROM;

    if (context->effort.level == EFFORT_QUICK)
        wanted = SONDE_INFER_MEMORY_FROM;
    if (places->count)
        wanted = fmax(wanted, 4 * places->row[places->count - 1].capacity);
    wanted = fmin(fmin(wanted, memory_most), context->memory_bytes);
    return wanted >= SONDE_INFER_MEMORY_FROM ? wanted : NAN;
}

/* --- stage 0 --- */

static int add_shape(const struct probe_context *context, struct plan *plan,
                     unsigned series, unsigned operation, unsigned width, unsigned shape)
{
    const struct finding *l1 =
        context->passport ? sonde_passport_finding(context->passport, "l1d.size") : NULL;
    struct stream_point stream = {
        .kernel = sonde_probe_stream_kernel(operation, width, shape),
        .bytes = l1 && l1->value > 0 ? l1->value / 2 : first_bytes,
        .ports = sonde_infer_stream_ports(NULL, NAN),
    };
    struct point *point;

    if (!stream.kernel)
        return 0;
    point = sonde_probe_stream_point(plan, series, &stream);
    if (!point)
        return -ENOMEM;
    point->at[0] = operation;
    point->at[1] = width;
    point->at[2] = shape;
    point->label = sonde_infer_stream_name(operation);
    return 0;
}

static int add_shapes(const struct probe_context *context, struct plan *plan)
{
    static const struct axis axes[] = {{"operation", "", "category"},
                                       {"width", "bytes", "log2"},
                                       {"shape", "", "category"}};
    int series = sonde_probe_stream_series(plan, "shapes", axes, 3);
    int error = series < 0 ? series : 0;

    for (unsigned operation = 0; operation <= STREAM_TRIAD; operation++) {
        size_t before = plan->count;

        for (unsigned width = 8; width <= 64; width *= 2)
            for (unsigned shape = 0; shape < STREAM_SHAPES && !error; shape++)
                error =
                    add_shape(context, plan, (unsigned)series, operation, width, shape);
        if (!error && plan->count == before)
            error =
                add_shape(context, plan, (unsigned)series, operation, 8, STREAM_SHAPE_C);
    }
    return error;
}

/* Accesses at places that stay, by width. They are what all else is held against, so
 * they come first when time is short. */
static int add_ports(struct plan *plan)
{
    static const struct axis axes[] = {{"operation", "", "category"},
                                       {"width", "bytes", "log2"}};
    int series = sonde_probe_stream_series(plan, "ports", axes, 2);

    for (unsigned i = 0; series >= 0 && i < 2 * STREAM_WIDTHS; i++) {
        unsigned width = 8u << i / 2, operation = i % 2 ? STREAM_WRITE : STREAM_READ;
        struct stream_point stream = {
            .kernel = sonde_probe_stream_ports(i % 2, width),
            .ports = sonde_infer_stream_ports(NULL, NAN),
        };
        struct point *point;

        if (!stream.kernel)
            continue;
        point = sonde_probe_stream_point(plan, (unsigned)series, &stream);
        if (!point)
            return -ENOMEM;
        point->at[0] = operation;
        point->at[1] = width;
        point->label = sonde_infer_stream_name(operation);
        point->weight = 2;
    }
    return series < 0 ? series : 0;
}

static const struct kernel *widest_read(void)
{
    const struct kernel *kernel = NULL;

    for (unsigned width = 64; !kernel && width >= 8; width /= 2)
        kernel = sonde_probe_stream_kernel(STREAM_READ, width, 1);
    return kernel ? kernel : sonde_probe_stream_kernel(STREAM_READ, 8, STREAM_SHAPE_C);
}

static int add_ladder(const struct probe_context *context, struct plan *plan)
{
    int series = sonde_probe_stream_series(plan, "ladder", &size_axis, 1);
    double most = fmin(ladder_most, context->memory_bytes);
    struct stream_point stream = {.kernel = widest_read(),
                                  .ports = sonde_infer_stream_ports(NULL, NAN)};

    if (series < 0)
        return series;
    for (double octave = log2(ladder_least); exp2(octave) <= most; octave += 0.25) {
        stream.bytes = exp2(octave);
        if (!sonde_probe_stream_point(plan, (unsigned)series, &stream))
            return -ENOMEM;
    }
    return 0;
}

/* --- stages 1 and 2 --- */

struct stage {
    const struct probe_context *context;
    const struct series *shapes;
    struct plan *plan;
    struct level_places places;
    struct stream_ports ports;
    double memory; /* bytes; NaN: not allowed */
    bool known;    /* an earlier probe found levels */
};

/* Of one operation: `place` NULL is memory, of `bytes`. */
static int add_rate(struct stage *stage, unsigned series, const struct level_place *place,
                    double bytes, unsigned operation, const struct team *team)
{
    struct stream_point stream = {
        .kernel = sonde_probe_stream_best(stage->shapes, &stage->ports, operation),
        .bytes = place ? place->footprint : 0,
        .total = place ? 0 : bytes,
        .team = team,
        .ports = stage->ports,
    };
    struct point *point;

    if (!stream.kernel)
        return 0;
    point = sonde_probe_stream_point(stage->plan, series, &stream);
    if (!point)
        return -ENOMEM;
    point->at[1] = operation;
    point->at[2] = team ? (double)team->members : 1;
    point->label = place ? place->name : "memory";
    return 0;
}

static int add_rates(struct stage *stage, const char *name, const struct team *team)
{
    const struct axis axes[] = {size_axis, operation_axis, threads_axis};
    int series = sonde_probe_stream_series(stage->plan, name, axes, 3);
    int error = series < 0 ? series : 0;

    for (unsigned operation = 0; operation <= STREAM_TRIAD; operation++)
        for (size_t i = 0; i < stage->places.count && !error; i++)
            error = add_rate(stage, (unsigned)series, &stage->places.row[i], 0, operation,
                             team);
    for (unsigned operation = 0;
         !team && !error && operation < STREAM_OPERATIONS && stage->memory > 0;
         operation++)
        error = add_rate(stage, (unsigned)series, NULL, stage->memory, operation, NULL);
    /* The plateau. */
    for (double part = 0.5; !team && !error && stage->memory > 0 && part < 1;
         part += 0.25)
        error = add_rate(stage, (unsigned)series, NULL, part * stage->memory, STREAM_READ,
                         NULL);
    return error;
}

static const struct team *first_cpus(const struct probe_context *context,
                                     struct plan *plan, size_t members)
{
    const struct cpulist *allowed = &context->machine->allowed;
    struct cpulist cpus = {0};
    const struct team *team = NULL;
    int error = 0, cpu = -1;

    for (size_t i = 0; i < members && !error; i++) {
        cpu = sonde_base_cpulist_next(allowed, (unsigned)(cpu + 1));
        error = cpu < 0 ? -EINVAL : sonde_base_cpulist_add(&cpus, (unsigned)cpu);
    }
    if (!error)
        team = sonde_measure_plan_team(plan, &cpus);
    sonde_base_cpulist_free(&cpus);
    return team;
}

static int add_threads(struct stage *stage, unsigned series, size_t members,
                       unsigned placement)
{
    const struct team *team =
        placement ? first_cpus(stage->context, stage->plan, members)
                  : sonde_probe_team(stage->context, stage->plan, members);
    int error = team ? 0 : -ENOMEM;

    for (unsigned operation = 0; operation < STREAM_OPERATIONS && !error; operation++) {
        size_t before = stage->plan->count;
        struct point *point;

        error = add_rate(stage, series, NULL, stage->memory, operation, team);
        if (error || stage->plan->count == before)
            continue;
        point = &stage->plan->points[before];
        point->at[0] = (double)members;
        point->at[1] = placement;
        point->at[2] = operation;
        point->label = sonde_infer_stream_name(operation);
    }
    return error;
}

static int add_scaling(struct stage *stage)
{
    const struct axis axes[] = {threads_axis, {"packed", "", "category"}, operation_axis};
    size_t most = sonde_probe_team_most(stage->context);
    int series = sonde_probe_stream_series(stage->plan, "threads", axes, 3);
    int error = series < 0 ? series : 0;

    for (size_t members = 1; !error; members = 2 * members < most ? 2 * members : most) {
        error = add_threads(stage, (unsigned)series, members, 0);
        if (!error && members > 1 && members < most)
            error = add_threads(stage, (unsigned)series, members, 1);
        if (members == most)
            break;
    }
    return error;
}

static int plan_later(struct stage *stage, unsigned number)
{
    const struct team *all;
    int error;

    if (number == 1)
        return add_rates(stage, "rates", NULL);
    if (number == 3)
        return stage->known ? add_ladder(stage->context, stage->plan) : 0;
    if (sonde_base_cpulist_count(&stage->context->machine->allowed) < 2)
        return 0;
    all = sonde_probe_team(stage->context, stage->plan,
                           sonde_probe_team_most(stage->context));
    error = all ? add_rates(stage, "rates_all", all) : -ENOMEM;
    if (!error && stage->memory > 0)
        error = add_scaling(stage);
    return error;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    struct stage later = {
        .context = context,
        .shapes = sonde_measure_series_find(so_far, "shapes"),
        .plan = plan,
    };
    int error;

    if (stage >= sizeof stage_s / sizeof stage_s[0])
        return 0;
    plan->budget_s = stage_s[stage];
    if (stage == 0) {
        levels_found(context->passport, &later.places);
        error = add_shapes(context, plan);
        if (!error)
            error = add_ports(plan);
        if (!error && later.places.count == 0)
            error = add_ladder(context, plan);
    } else {
        levels_found(context->passport, &later.places);
        later.known = later.places.count > 0;
        find_levels(context, so_far, &later.places);
        later.ports = sonde_infer_stream_ports(sonde_measure_series_find(so_far, "ports"),
                                               context->scales->parallelism);
        later.memory = memory_bytes(context, &later.places);
        error = plan_later(&later, stage);
    }
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    struct level_places places;
    struct bandwidth bandwidth = {
        .shapes = sonde_measure_series_find(series, "shapes"),
        .ports = sonde_measure_series_find(series, "ports"),
        .rates = sonde_measure_series_find(series, "rates"),
        .rates_all = sonde_measure_series_find(series, "rates_all"),
        .threads = sonde_measure_series_find(series, "threads"),
        .parallelism = context->scales->parallelism,
        .cpus = (double)sonde_base_cpulist_count(&context->machine->allowed),
    };
    char why[96];

    find_levels(context, series, &places);
    if (isnan(memory_bytes(context, &places))) {
        snprintf(why, sizeof why, "needs 256 MiB of memory; %.0f MiB may be used",
                 floor(context->memory_bytes / mib));
        bandwidth.why_memory = why;
    }
    return sonde_infer_bandwidth(&bandwidth, findings);
}

const struct probe sonde_probe_bandwidth = {
    .name = "bandwidth",
    .summary = "read, write, copy and triad from every level, by one thread and by all",
    .asks = "How many bytes a second can a program move?",
    .seconds = 6.5,
    .plan = plan,
    .infer = infer,
};
