/* Probe `loaded`: the latency of memory while the other CPUs load it.
 *
 * One CPU chases pointers through memory, windowed so that translation stays out of it;
 * the others stream through memory of their own in short turns, with pauses of 0 to 32768
 * cycles between them: twelve loads, each with all reads, three quarters and half of
 * reads (copies). What they moved is counted while the chase is timed. What can fool it:
 * two CPUs rarely saturate memory (then the most reached is given, not the peak), and
 * writes cost memory a read of their lines beside, which the shares do not count. */
#include "probes/streams.h"
#include "probes/teams.h"

#include "infer/loaded.h"

#include <errno.h>
#include <math.h>

enum { LOADS = 12, SHARES = 3, SAMPLES = 11 };

static const uint64_t line_bytes = 64, window_bytes = 128 << 10;
/* Beyond the last level of most machines; four times a larger one that was found. */
static const double ring_least = 64 * 1024.0 * 1024, ring_most = 256 * 1024.0 * 1024;
/* All stretches together: what is met again was not touched for as long. */
static const double stretches_bytes = 256 * 1024.0 * 1024;
/* A turn moves so much: two hundred nanoseconds or more, so that a pause of the largest
 * kind leaves a hundredth of the rate. */
static const uint64_t piece_bytes = 4096;
static const double shares[SHARES] = {100, 75, 50};

static double ring_bytes(const struct probe_context *context)
{
    const struct finding *last =
        context->passport ? sonde_passport_finding(context->passport, "llc.effective")
                          : NULL;
    double wanted = ring_least;

    if (last && last->value > 0)
        wanted = fmax(wanted, 4 * last->value);
    return fmin(wanted, ring_most);
}

static const struct kernel *loader(const struct probe_context *context,
                                   unsigned operation)
{
    const struct probe_result *bandwidth =
        context->passport ? sonde_passport_probe(context->passport, "bandwidth") : NULL;
    const struct series_list *found = bandwidth ? &bandwidth->series : NULL;
    struct stream_ports ports =
        sonde_infer_stream_ports(found ? sonde_measure_series_find(found, "ports") : NULL,
                                 context->scales->parallelism);
    const struct kernel *kernel = sonde_probe_stream_best(
        found ? sonde_measure_series_find(found, "shapes") : NULL, &ports, operation);

    return kernel ? kernel : sonde_probe_stream_best(NULL, &ports, operation);
}

static struct load_turn turn_of(const struct kernel *kernel)
{
    unsigned accesses = kernel->loads + kernel->stores;
    unsigned width = (kernel->bytes_read + kernel->bytes_written) / accesses;
    uint64_t array = piece_bytes * kernel->unroll / accesses;

    return (struct load_turn){kernel, array / width, array};
}

struct site {
    const struct probe_context *context;
    struct plan *plan;
    const struct team *team;
    double ring, stretch;
    int load, latency, unloaded; /* series */
};

static struct point *add_chase(struct site *site, int series)
{
    struct point *point = sonde_measure_plan_point(site->plan, (unsigned)series,
                                                   sonde_kernel_find("chase"));

    if (!point)
        return NULL;
    point->layout = (struct layout){
        .kind = LAYOUT_RING,
        .pages = PAGES_HUGE,
        .order = ORDER_RANDOM,
        .nodes = (uint64_t)site->ring / line_bytes,
        .pitch = line_bytes,
        .bytes = (uint64_t)site->ring / line_bytes * line_bytes,
        .window = window_bytes,
        .lasting = true,
    };
    point->options = POINT_ONE_ROUND;
    point->samples = SAMPLES;
    return point;
}

static int add_load(struct site *site, unsigned level, unsigned share)
{
    struct load_turn read = turn_of(loader(site->context, STREAM_READ));
    struct load_turn copy = turn_of(loader(site->context, STREAM_COPY));
    struct point *point = add_chase(site, site->latency);
    uint64_t pause = level == 0 ? 0 : UINT64_C(32) << (level - 1);

    if (!point)
        return -ENOMEM;
    point->team = site->team;
    point->load = (struct load){
        .turns = {shares[share] == 50 ? copy : read, {0}},
        .bytes = (uint64_t)site->stretch / piece_bytes * piece_bytes,
        .piece = piece_bytes,
        .pause = sonde_kernel_find("add_chain"),
        .pause_steps = pause,
        .series = (unsigned)site->load,
    };
    if (shares[share] == 75)
        point->load.turns[1] = copy;
    point->layout.beside = point->load.bytes * (site->team->members - 1);
    point->at[0] = (double)pause;
    point->at[1] = shares[share];
    return 0;
}

static int add_series(struct plan *plan, const char *name, const char *quantity,
                      const char *unit)
{
    struct series_plan series = {
        .name = name,
        .axes = {{"pause", "cycles", "log2"}, {"reads", "percent", "category"}},
        .axis_count = 2,
        .quantity = quantity,
        .unit = unit,
        .statistic = STATISTIC_MEDIAN,
    };

    return sonde_measure_plan_series(plan, &series);
}

static int add_all(struct site *site)
{
    int error = 0;

    site->load = add_series(site->plan, "load", "rate", "bytes/s");
    site->latency = add_series(site->plan, "latency", "latency", "ns");
    site->unloaded = add_series(site->plan, "unloaded", "latency", "ns");
    if (site->load < 0 || site->latency < 0 || site->unloaded < 0)
        return -ENOMEM;
    if (!add_chase(site, site->unloaded))
        return -ENOMEM;
    for (unsigned share = 0; share < SHARES; share++)
        for (unsigned level = 0; level < LOADS && !error; level++)
            error = add_load(site, level, share);
    return error;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    struct site site = {.context = context, .plan = plan, .ring = ring_bytes(context)};
    int error = sonde_probe_need_two(context, why);

    (void)so_far;
    if (error || stage > 0)
        return error;
    if (context->memory_bytes < site.ring + stretches_bytes)
        return sonde_base_fail(why, -ENOTSUP,
                               "needs %.0f MiB of memory; %.0f MiB may be used",
                               (site.ring + stretches_bytes) / 1048576,
                               floor(context->memory_bytes / 1048576));
    site.team = sonde_probe_team(context, plan, sonde_probe_team_most(context));
    if (!site.team)
        return sonde_base_fail(why, -ENOMEM, "out of memory for the plan");
    site.stretch = stretches_bytes / (double)(site.team->members - 1);
    error = add_all(&site);
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    (void)context;
    return sonde_infer_loaded(sonde_measure_series_find(series, "latency"),
                              sonde_measure_series_find(series, "load"),
                              sonde_measure_series_find(series, "unloaded"), findings);
}

const struct probe sonde_probe_loaded = {
    .name = "loaded",
    .summary = "latency of memory while the other CPUs load it",
    .asks = "How slow does memory become when it is busy?",
    .seconds = 3.5,
    .plan = plan,
    .infer = infer,
};
