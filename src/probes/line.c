/* Probe `line`: what one miss brings in.
 *
 * Blocks of 1 KiB are met in a random cycle that the first level cannot hold; of each,
 * two words are loaded, `distance` bytes apart. On one line the second load hits; on two
 * it misses like the first.
 *
 *   near     inside the second level: the line of the first
 *   shifted  the same with every block moved by 24 bytes: the step must move as much
 *   far      beyond the private levels: what comes in together
 *
 * What can fool it: prefetchers that bring neighbours into the first level. Both words of
 * a pair lie on one page, and few pages are touched, so translation costs each pair the
 * same. */
#include "probes/probe.h"

#include "infer/line.h"

#include <errno.h>
#include <math.h>

enum pair_series { NEAR, SHIFTED, FAR };

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Of a far walk, whose placement takes as long as all of them. */
static const unsigned far_samples = 7;
/* Of the time by default, for the near walks. */
static const double near_s = 1.2;
static const uint64_t block_bytes = 1024;
/* 256 blocks are twice the lines that any first level has in the sets they fall into, and
 * a quarter of those that a second level of 256 KiB has. */
static const uint64_t near_blocks = 256;
/* Four times what a second level of 4 MiB has there. */
static const uint64_t far_blocks = 16384;
/* Less than any line, and no power of two: the step lands where no other effect does. */
static const uint64_t shift_bytes = 24;

/* Word by word around every power of two, and around each less the shift. */
static const uint64_t distances[] = {8,   16,  24,  32,  40,  48,  56,  64,  72,
                                     96,  104, 112, 120, 128, 136, 192, 224, 232,
                                     240, 248, 256, 264, 512, 640, 768, 896, 960};

/* Placing takes longer than walking there: only what tells powers of two apart. */
static const uint64_t far_distances[] = {8,   24,  56,  64,  96,  128, 192,
                                         256, 384, 512, 640, 768, 896, 960};

static const char *const series_names[] = {
    [NEAR] = "near", [SHIFTED] = "shifted", [FAR] = "far"};

static int add_point(struct plan *plan, unsigned series, enum pair_series kind,
                     uint64_t distance)
{
    struct point *point =
        sonde_measure_plan_point(plan, series, sonde_kernel_find("chase"));
    uint64_t blocks = kind == FAR ? far_blocks : near_blocks;

    if (!point)
        return -ENOMEM;
    point->layout = (struct layout){
        .kind = LAYOUT_RING,
        .order = ORDER_RANDOM,
        .pages = PAGES_HUGE,
        .bytes = (blocks + 1) * block_bytes,
        .nodes = blocks,
        .pitch = block_bytes,
        .pair = distance,
        .shift = kind == SHIFTED ? shift_bytes : 0,
    };
    point->operations = 0.5; /* a pair is two steps */
    if (kind == FAR)
        point->per_visit = far_samples;
    point->at[0] = (double)distance;
    return 0;
}

static int add_walk(struct plan *plan, enum pair_series kind, const uint64_t *at,
                    size_t count)
{
    struct series_plan series = {
        .name = series_names[kind],
        .axes = {{"distance", "bytes", "log2"}},
        .axis_count = 1,
        .quantity = "cost of a pair",
        .unit = "ns",
        .statistic = kind == FAR ? STATISTIC_MEDIAN : STATISTIC_Q25,
    };
    int index = sonde_measure_plan_series(plan, &series), error = index < 0 ? index : 0;

    for (size_t i = 0; i < count && !error; i++)
        error = add_point(plan, (unsigned)index, kind, at[i]);
    return error;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    int error = 0;

    (void)context, (void)so_far;
    /* The far walk takes most of the time; by itself, it keeps none from the near ones.
     */
    if (stage == 0) {
        plan->budget_s = near_s;
        error = add_walk(plan, NEAR, distances, COUNT(distances));
        if (!error)
            error = add_walk(plan, SHIFTED, distances, COUNT(distances));
    } else if (stage == 1) {
        error = add_walk(plan, FAR, far_distances, COUNT(far_distances));
    }
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct series *near = sonde_measure_series_find(series, series_names[NEAR]);
    const struct series *shifted =
        sonde_measure_series_find(series, series_names[SHIFTED]);

    (void)context;
    if (!near || !shifted)
        return -ENODATA;
    return sonde_infer_line(near, shifted,
                            sonde_measure_series_find(series, series_names[FAR]),
                            (double)shift_bytes, findings);
}

double sonde_probe_line_bytes(const struct probe_context *context)
{
    const struct finding *finding =
        context->passport ? sonde_passport_finding(context->passport, "line.size") : NULL;
    struct declaration declared = sonde_machine_declared(context->facts, "l1d.line");

    if (finding && finding->value > 0)
        return finding->value;
    return declared.value > 0 && !declared.implausible ? declared.value : NAN;
}

const struct probe sonde_probe_line = {
    .name = "line",
    .summary = "the line, and how many lines come in together",
    .asks = "How much does one miss bring in?",
    .seconds = 2.2,
    .plan = plan,
    .infer = infer,
};
