/* Probe `numa`: latency and bandwidth between each node's CPUs and each node's memory.
 *
 *   stage 0   latency   a windowed random walk by one CPU of a node
 *   stage 1   rate      reads by all allowed CPUs of a node, at work together
 *
 * Memory is asked for on one node, and each page asked back where it is. What can fool
 * it: see infer/numa.c; and where a node has no room left, its pairs have no figures. */
#include "probes/streams.h"
#include "probes/teams.h"

#include "infer/numa.h"

#include <errno.h>
#include <math.h>

enum { LATENCY, RATE, STAGES, LOOKED_AT_MOST = 8, SECONDS = 3 };

static const char *const names[STAGES] = {"latency", "rate"};
static const uint64_t line_bytes = 64, window_bytes = 128 << 10;
static const double mib = 1024.0 * 1024;
/* Of each node: beyond the last level of most machines, and four times a larger one. */
static const double bytes_wanted = 256 * 1024.0 * 1024, bytes_least = 64 * 1024.0 * 1024;

static size_t nodes_looked_at(const struct probe_context *context)
{
    size_t count = context->machine->node_count;

    return count < LOOKED_AT_MOST ? count : LOOKED_AT_MOST;
}

/* Of the memory of each node. */
static double bytes_of(const struct probe_context *context)
{
    const struct finding *last =
        context->passport ? sonde_passport_finding(context->passport, "llc.effective")
                          : NULL;
    double bytes = bytes_wanted;

    if (last && last->value > 0)
        bytes = fmax(bytes, 4 * last->value);
    return fmin(bytes, context->memory_bytes / (double)nodes_looked_at(context));
}

static const struct team *team_of(const struct memory_node *node, struct plan *plan,
                                  size_t most)
{
    struct cpulist cpus = {0};
    const struct team *team = NULL;
    size_t taken = 0;
    int error = 0;

    for (int cpu = sonde_base_cpulist_next(&node->cpus, 0);
         cpu >= 0 && taken < most && !error;
         cpu = sonde_base_cpulist_next(&node->cpus, (unsigned)cpu + 1), taken++)
        error = sonde_base_cpulist_add(&cpus, (unsigned)cpu);
    if (!error)
        team = sonde_measure_plan_team(plan, &cpus);
    sonde_base_cpulist_free(&cpus);
    return team;
}

static struct point *add_walk(struct plan *plan, double bytes, const struct team *team)
{
    struct point *point = sonde_measure_plan_point(plan, 0, sonde_kernel_find("chase"));

    if (!point)
        return NULL;
    point->team = team;
    point->layout = (struct layout){
        .kind = LAYOUT_RING,
        .pages = PAGES_HUGE,
        .order = ORDER_RANDOM,
        .nodes = (uint64_t)bytes / line_bytes,
        .pitch = line_bytes,
        .bytes = (uint64_t)bytes / line_bytes * line_bytes,
        .window = window_bytes,
    };
    return point;
}

static struct point *add_reads(const struct probe_context *context, struct plan *plan,
                               double bytes, const struct team *team)
{
    const struct probe_result *bandwidth =
        context->passport ? sonde_passport_probe(context->passport, "bandwidth") : NULL;
    struct stream_point stream = {
        .ports = sonde_infer_stream_ports(NULL, NAN), .total = bytes, .team = team};

    stream.kernel = sonde_probe_stream_best(
        bandwidth ? sonde_measure_series_find(&bandwidth->series, "shapes") : NULL,
        &stream.ports, STREAM_READ);
    if (!stream.kernel)
        stream.kernel = sonde_probe_stream_best(NULL, &stream.ports, STREAM_READ);
    return sonde_probe_stream_point(plan, 0, &stream);
}

static int add_pairs(const struct probe_context *context, struct plan *plan,
                     unsigned stage)
{
    const struct memory_node *nodes = context->machine->nodes;
    size_t count = nodes_looked_at(context);

    for (size_t from = 0; from < count; from++) {
        const struct team *team;

        if (!sonde_base_cpulist_count(&nodes[from].cpus))
            continue;
        team = team_of(&nodes[from], plan, stage == LATENCY ? 1 : SONDE_TEAM_MAX);
        if (!team)
            return -ENOMEM;
        for (size_t to = 0; to < count; to++) {
            double bytes = bytes_of(context);
            struct point *point = stage == LATENCY
                                      ? add_walk(plan, bytes, team)
                                      : add_reads(context, plan, bytes, team);

            if (!point)
                return -ENOMEM;
            point->layout.node = (unsigned)to + 1;
            point->at[0] = nodes[from].number;
            point->at[1] = nodes[to].number;
        }
    }
    return 0;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    struct series_plan shape = {
        .axes = {{"node", "", "linear"}, {"memory node", "", "linear"}},
        .axis_count = 2,
        .quantity = stage == LATENCY ? "latency" : "rate",
        .unit = stage == LATENCY ? "ns" : "bytes/s",
        .statistic = STATISTIC_MEDIAN,
        .rate = stage == RATE,
    };
    int error;

    (void)so_far;
    if (stage >= STAGES)
        return 0;
    if (context->machine->node_count < 2)
        return sonde_base_fail(why, -ENOTSUP, "needs two nodes of memory; %s",
                               context->machine->node_count ? "there is one"
                                                            : "none is told of");
    if (bytes_of(context) < bytes_least)
        return sonde_base_fail(why, -ENOTSUP,
                               "needs %.0f MiB of memory for each node; %.0f MiB may be "
                               "used in all",
                               bytes_least / mib, floor(context->memory_bytes / mib));
    shape.name = names[stage];
    error = sonde_measure_plan_series(plan, &shape) < 0 ? -ENOMEM : 0;
    plan->budget_s = 1.5;
    if (!error)
        error = add_pairs(context, plan, stage);
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    (void)context;
    return sonde_infer_numa(sonde_measure_series_find(series, names[LATENCY]),
                            sonde_measure_series_find(series, names[RATE]), findings);
}

/* Of machines with one node there is nothing to measure. */
static double wish(const struct machine *machine)
{
    return machine->node_count < 2 ? 0 : SECONDS;
}

const struct probe sonde_probe_numa = {
    .name = "numa",
    .summary = "latency and bandwidth between each node's CPUs and each node's memory",
    .asks = "What does it cost to use the memory of another node?",
    .seconds = SECONDS,
    .wish = wish,
    .plan = plan,
    .infer = infer,
};
