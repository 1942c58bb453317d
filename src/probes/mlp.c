/* Probe `mlp`: how many misses one core keeps in flight, level by level.
 *
 * One ring is walked by 1 to 64 cursors at once, all in one thread. The cursors are
 * spread over the first half of the cycle, so that none meets soon what another has
 * loaded. Up to 12 live in registers; more are kept in an array, which costs each a load
 * and a store of the first level.
 *
 *   footprint   l1d |    l2    | last level |   memory
 *                      ^            ^            ^
 *                   between two levels by what the ladder found, or by what is declared,
 *                   or by what is usual
 *
 * What can fool it: a last level shared with neighbours (part of its loads then come from
 * memory: the control against the ladder shows it), page walks (their number is limited
 * too; memory is walked in windows that keep them rare), and a prefetcher that guesses.
 */
#include "probes/probe.h"

#include "infer/mlp.h"

#include <errno.h>
#include <math.h>

enum { L2, LLC, MEMORY, LEVELS };

static const char *const names[LEVELS] = {"l2", "llc", "memory"};
static const struct {
    unsigned cursors;
    const char *kernel;
    bool is_fine; /* left out for memory, whose rings take long to link */
} walks[] = {{1, "chase", false},      {2, "chase_x2", false},   {4, "chase_x4", false},
             {6, "chase_x6", true},    {8, "chase_x8", false},   {12, "chase_x12", true},
             {16, "chase_x16", false}, {24, "chase_x24", false}, {32, "chase_x32", false},
             {48, "chase_x48", false}, {64, "chase_x64", false}};
/* Loads a sample, all cursors together: some 100 µs each. */
static const uint64_t llc_loads = 12288, memory_loads = 8192;
/* What is usual, where neither the ladder nor the machine says anything. */
static const double usual_l1 = 32 << 10, usual_l2 = 512 << 10;
/* Memory's ring: beyond most last levels, and quick to link. */
static const double memory_bytes_least = 32 << 20;
static const uint64_t line_bytes = 64, window_bytes = 128 << 10;

/* Capacities in bytes; NaN: there is none, or nothing is known. */
struct capacities {
    double l1, l2, llc_low, llc_high;
};

static const struct finding *found(const struct probe_context *context, const char *name)
{
    const struct finding *finding =
        context->passport ? sonde_passport_finding(context->passport, name) : NULL;

    return finding && (finding->value > 0 || finding->low > 0) ? finding : NULL;
}

static double capacity(const struct probe_context *context, const char *name)
{
    const struct finding *finding = found(context, name);
    struct declaration declared = sonde_machine_declared(context->facts, name);

    if (finding)
        return finding->value > 0 ? finding->value : finding->low;
    return declared.value > 0 && !declared.implausible ? declared.value : NAN;
}

/* A machine of two levels has a first and a last. */
static struct capacities read_capacities(const struct probe_context *context)
{
    const struct finding *last = found(context, "llc.effective");
    struct capacities sizes = {.l1 = capacity(context, "l1d.size"),
                               .l2 = capacity(context, "l2.size"),
                               .llc_low = capacity(context, "l3.size")};

    if (isnan(sizes.l1))
        sizes.l1 = usual_l1;
    if (last && !found(context, "l2.size"))
        sizes.l2 = NAN; /* what the ladder did not find is not there */
    else if (isnan(sizes.l2))
        sizes.l2 = usual_l2;
    sizes.llc_high = sizes.llc_low;
    if (last) {
        sizes.llc_low = last->low > 0 ? last->low : last->value;
        sizes.llc_high = last->high > 0 ? last->high : sizes.llc_low;
    }
    return sizes;
}

/* A footprint that `inner` cannot hold and `outer` can: their mean in logarithms, two to
 * four times the one (the other may be shared) and at most 0.7 of the other; NaN where
 * there is no room between. */
static double between(double inner, double outer)
{
    double bytes = fmin(sqrt(inner * outer), 4 * inner);

    bytes = fmin(fmax(bytes, 2 * inner), 0.7 * outer);

    return bytes >= 1.9 * inner ? bytes : NAN;
}

static double footprint(const struct probe_context *context, int level)
{
    struct capacities sizes = read_capacities(context);
    double largest = sonde_probe_largest_footprint(context), bytes;

    if (level == L2)
        return between(sizes.l1, sizes.l2);
    if (level == LLC)
        return between(sizes.l2 > 0 ? sizes.l2 : sizes.l1, sizes.llc_low);
    bytes = fmin(fmax(memory_bytes_least, 2 * sizes.llc_high), largest);
    return bytes >= 1.5 * sizes.llc_high || isnan(sizes.llc_high) ? bytes : NAN;
}

static void describe_ring(struct point *point, int level, double bytes, uint64_t cursors)
{
    uint64_t loads = level == MEMORY ? memory_loads : llc_loads, unroll;

    point->layout = (struct layout){
        .kind = LAYOUT_RING,
        .pages = PAGES_HUGE,
        .pitch = level == MEMORY ? 2 * line_bytes : line_bytes,
        .window = level == MEMORY ? window_bytes : 0,
        .cursors = cursors > 1 ? cursors : 0,
    };
    point->layout.nodes = (uint64_t)(bytes / (double)point->layout.pitch);
    point->layout.bytes = point->layout.nodes * point->layout.pitch;
    point->operations = (double)cursors;
    point->at[0] = (double)cursors;
    unroll = point->kernel->unroll;
    if (level != L2)
        point->count = (loads / cursors + unroll - 1) / unroll * unroll;
}

static int add_level(struct plan *plan, int level, double bytes)
{
    struct series_plan shape = {
        .name = names[level],
        .axes = {{"chains", "count", "log2"}},
        .axis_count = 1,
        .quantity = "cost of a load",
        .unit = "ns",
        .statistic = level == L2 ? STATISTIC_Q25 : STATISTIC_MEDIAN,
    };
    int series = sonde_measure_plan_series(plan, &shape);

    for (size_t i = 0; series >= 0 && i < sizeof walks / sizeof walks[0]; i++) {
        struct point *point;

        if (level == MEMORY && walks[i].is_fine)
            continue;
        point = sonde_measure_plan_point(plan, (unsigned)series,
                                         sonde_kernel_find(walks[i].kernel));
        if (!point)
            return -ENOMEM;
        describe_ring(point, level, bytes, walks[i].cursors);
    }
    return series < 0 ? series : 0;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    int error = 0;

    (void)so_far;
    if (stage > 0)
        return 0;
    for (int level = 0; level < LEVELS && !error; level++) {
        double bytes = footprint(context, level);

        if (bytes > 0 && bytes <= context->memory_bytes)
            error = add_level(plan, level, bytes);
    }
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static double ladder_said(const struct probe_context *context, int level)
{
    static const char *const latencies[LEVELS] = {"l2.latency", "llc.latency",
                                                  "memory.latency"};
    const struct finding *latency = found(context, latencies[level]);

    return latency ? latency->value : NAN;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    int error = 0;

    for (int level = 0; level < LEVELS && !error; level++) {
        const struct series *chains = sonde_measure_series_find(series, names[level]);

        if (chains)
            error = sonde_infer_mlp(chains, names[level], ladder_said(context, level),
                                    findings);
        else if (level == MEMORY)
            error =
                sonde_infer_give_up(findings, "mlp.memory", "count",
                                    "not enough memory is granted to leave the caches")
                    ? 0
                    : -ENOMEM;
    }
    return error;
}

const struct probe sonde_probe_mlp = {
    .name = "mlp",
    .summary = "how many misses one core keeps in flight, level by level",
    .asks = "How much does it help to have many independent loads?",
    .seconds = 2.5,
    .plan = plan,
    .infer = infer,
};
