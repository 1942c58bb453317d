/* Probe `latency`: the ladder. A ring of pointers is walked over growing footprints; each
 * load waits for the one before, so the time per load is the latency of wherever the
 * footprint lives.
 *
 *   windowed    random inside windows of 128 KiB that are visited in order: translation
 *               is kept out, since a window's pages fit the first translation level
 *   random      random over all of it: pays translation; the control
 *   sequential  in address order: what prefetchers hide
 *   wide        windowed over every second line: boundaries must stay put in bytes
 *   spread, packed   lines one to a page against the same number side by side: the
 *               effective granule of translation
 *
 * What can fool it: pages that are huge for the guest and small for its host (hence
 * spread and packed), physical indexing of the second level (fresh placements every
 * round), prefetchers that learn a repeated walk (the raw curve then falls, which is
 * flagged), and a last level shared with neighbours (reported as what is effective now).
 */
#include "probes/probe.h"

#include "infer/above.h"
#include "infer/granule.h"
#include "infer/groups.h"
#include "infer/ladder.h"
#include "infer/misses.h"

#include <errno.h>
#include <math.h>

enum walk { WINDOWED, RANDOM, SEQUENTIAL, WIDE, SPREAD, PACKED, WALKS };

static const double smallest_bytes = 4096;
static const uint64_t line_bytes = 64;
/* Half the reach of a first translation level of 64 entries of 4 KiB. */
static const uint64_t window_bytes = 128 << 10;
/* A fully random ring of this size takes as long to draw as to walk; larger ones show
 * nothing that this one does not. */
static const double random_bytes_max = 64 << 20;
/* The control of the boundaries looks at private levels; the last level has no sharp one.
 */
static const double wide_bytes_max = 16 << 20;

/* From here on it matters little what a neighbour on the core leaves of the private
 * levels: most of the accesses go beyond them. */
static const uint64_t outside_bytes = 4 << 20;

struct walk_plan {
    const char *name;
    uint64_t pitch, window;
    enum layout_order order;
    unsigned per_octave;       /* points an octave up to 16 MiB */
    unsigned per_octave_large; /* and beyond */
    double bytes_max;
    /* Its parts of the time: below 4 MiB, where the private levels end; up to 16 MiB; and
     * beyond, where a visit is dear. */
    double weight[3];
};

static const struct walk_plan walks[] = {
    [WINDOWED] =
        {"windowed", line_bytes, window_bytes, ORDER_RANDOM, 8, 4, INFINITY, {4, 1, 6}},
    [RANDOM] =
        {"random", line_bytes, 0, ORDER_RANDOM, 8, 2, random_bytes_max, {1, 0.5, 1}},
    [SEQUENTIAL] =
        {"sequential", line_bytes, 0, ORDER_ASCENDING, 4, 2, INFINITY, {1, 0.5, 0.5}},
    [WIDE] = {"wide",
              2 * line_bytes,
              window_bytes,
              ORDER_RANDOM,
              4,
              4,
              wide_bytes_max,
              {1, 0.5, 1}},
};

static int add_series(struct plan *plan, const char *name, const struct axis *axis)
{
    struct series_plan series = {
        .name = name,
        .axes = {*axis},
        .axis_count = 1,
        .quantity = "latency",
        .unit = "ns",
        .statistic = STATISTIC_Q25,
    };

    return sonde_measure_plan_series(plan, &series);
}

static int add_ring(struct plan *plan, unsigned series, double at, struct layout layout,
                    double weight)
{
    struct point *point =
        sonde_measure_plan_point(plan, series, sonde_kernel_find("chase"));

    if (!point)
        return -ENOMEM;
    layout.kind = LAYOUT_RING;
    layout.pages = PAGES_HUGE;
    layout.bytes = layout.nodes * layout.pitch + 64 * layout.skew;
    point->layout = layout;
    point->at[0] = at;
    point->weight = weight;
    if (layout.bytes >= outside_bytes)
        point->options = POINT_ANY_CORE;
    return 0;
}

static int add_walk(struct plan *plan, const struct walk_plan *walk, double largest)
{
    static const struct axis size = {"size", "bytes", "log2"};
    int series = add_series(plan, walk->name, &size);
    double most = fmin(largest, walk->bytes_max);
    double octave = log2(smallest_bytes);
    int error = series < 0 ? series : 0;

    while (!error) {
        double bytes = exp2(octave);
        uint64_t nodes = (uint64_t)(bytes / (double)walk->pitch + 0.5);
        bool large = bytes >= 16 << 20;

        if (bytes > most * 1.0001)
            break;
        error = add_ring(plan, (unsigned)series, (double)(nodes * walk->pitch),
                         (struct layout){.order = walk->order,
                                         .nodes = nodes,
                                         .pitch = walk->pitch,
                                         .window = walk->window},
                         walk->weight[large ? 2 : bytes >= (double)outside_bytes]);
        octave += 1.0 / (large ? walk->per_octave_large : walk->per_octave);
    }
    return error;
}

/* The skew spreads the lines over the sets of the first level just as packing does. */
static int add_granule(struct plan *plan, double page_bytes)
{
    static const struct axis lines = {"lines", "count", "log2"};
    int spread = add_series(plan, "spread", &lines), packed;
    int error = spread < 0 ? spread : 0;

    packed = add_series(plan, "packed", &lines);
    if (!error && packed < 0)
        error = packed;
    for (uint64_t nodes = 16; !error && nodes <= 512; nodes *= 2) {
        error = add_ring(plan, (unsigned)spread, (double)nodes,
                         (struct layout){.order = ORDER_RANDOM,
                                         .nodes = nodes,
                                         .pitch = (uint64_t)page_bytes,
                                         .skew = line_bytes},
                         1);
        if (!error)
            error =
                add_ring(plan, (unsigned)packed, (double)nodes,
                         (struct layout){
                             .order = ORDER_RANDOM, .nodes = nodes, .pitch = line_bytes},
                         1);
    }
    return error;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    double largest = sonde_probe_largest_footprint(context);
    int error = 0;

    (void)so_far;
    if (stage > 0)
        return 0;
    for (size_t i = 0; !error && i < sizeof walks / sizeof walks[0]; i++)
        error = add_walk(plan, &walks[i], largest);
    if (!error)
        error = add_granule(plan, (double)context->machine->page_bytes);
    if (error)
        return sonde_base_fail(why, error, "out of memory for the plan");
    return 0;
}

static double conflicts_say(const struct passport *passport)
{
    const struct probe_result *ways =
        passport ? sonde_passport_probe(passport, "ways") : NULL;
    const struct finding *size =
        ways ? sonde_infer_finding_get(&ways->findings, "l1d.size") : NULL;

    return size ? size->value : NAN;
}

/* Its upper bound: where only that is known pages may be as large. */
static double granule_found(const struct findings *findings)
{
    const struct finding *granule = sonde_infer_finding_get(findings, "page.granule");

    return granule && isfinite(granule->high) ? granule->high : NAN;
}

static bool was_limited(const struct probe_context *context)
{
    return sonde_probe_largest_footprint(context) >= context->memory_bytes;
}

/* A walk of which a file does not tell the order; NULL: none. */
static const struct series *random_walk(const struct series_list *series)
{
    const struct series *random = sonde_measure_series_find(series, walks[RANDOM].name);

    return random ? random : sonde_measure_series_find(series, "strided");
}

/* A file that tells only what levels take above the first one. */
static const struct series *only_above(const struct series_list *series)
{
    const struct series *huge = sonde_measure_series_find(series, "above-l1-huge");

    if (random_walk(series) || sonde_measure_series_find(series, walks[WINDOWED].name))
        return NULL;
    return huge ? huge : sonde_measure_series_find(series, "above-l1");
}

static double sets_counted(const struct probe_result *conflicts,
                           const struct finding *ways)
{
    const struct series *groups = sonde_measure_series_find(&conflicts->series, "groups"),
                        *partners =
                            sonde_measure_series_find(&conflicts->series, "partners");

    return groups && partners ? sonde_infer_partner_sets(groups, partners, ways->value)
                              : NAN;
}

/* Where the ways of the second level were looked for as well. */
static int find_sets(const struct probe_context *context, struct findings *findings)
{
    const struct probe_result *conflicts =
        context->passport ? sonde_passport_probe(context->passport, "ways") : NULL;
    const struct finding *ways =
        conflicts ? sonde_infer_finding_get(&conflicts->findings, "l2.ways") : NULL;

    return ways && sonde_infer_finding_get(findings, "l2.size")
               ? sonde_infer_sets("l2", ways, sets_counted(conflicts, ways),
                                  (double)line_bytes, findings)
               : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    struct ladder ladder = {
        .windowed = sonde_measure_series_find(series, walks[WINDOWED].name),
        .random = random_walk(series),
        .sequential = sonde_measure_series_find(series, walks[SEQUENTIAL].name),
        .wide = sonde_measure_series_find(series, walks[WIDE].name),
        .l1_by_conflicts = conflicts_say(context->passport),
        .shared_last_level = true,
        .memory_limited = was_limited(context),
    };
    const struct series *spread = sonde_measure_series_find(series, "spread");
    const struct series *packed = sonde_measure_series_find(series, "packed");
    const struct series *above = only_above(series);
    int error = 0;

    if (spread && packed)
        error = sonde_infer_granule(spread, packed, (double)context->machine->page_bytes,
                                    context->huge_share, findings);
    if (error)
        return error;
    ladder.granule_bytes = granule_found(findings);
    error = above ? sonde_infer_above(above, &ladder, findings)
                  : sonde_infer_ladder(&ladder, NULL, findings);
    if (!error)
        error = find_sets(context, findings);
    if (!error && (ladder.windowed || ladder.random))
        error = sonde_infer_misses(ladder.windowed ? ladder.windowed : ladder.random,
                                   findings);
    return error;
}

const struct probe sonde_probe_latency = {
    .name = "latency",
    .summary = "the ladder: sizes and latencies of all levels, and of memory",
    .asks = "Which caches are there, how large and how fast are they?",
    .seconds = 10.5,
    .plan = plan,
    .infer = infer,
};
