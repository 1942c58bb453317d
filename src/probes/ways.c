/* Probe `ways`: associativity of the first level by conflicts.
 *
 * Lines at one stride are chased in a random cycle. While they fit the sets they fall
 * into, every access hits; one line more, and (with anything like LRU) every access
 * misses. At large strides all lines share one set, and the number that fits is the
 * number of ways; the smallest stride at which that is so is the span of a way.
 *
 * It works where the ladder does not: footprints of a few kilobytes, so neighbours, pages
 * and translation have little say. What can fool it: hashed set indices and way
 * predictors that key on address bits (then strides disagree, and nothing is claimed),
 * and a translation buffer whose sets collide at the same strides (so strides of several
 * pages are only part of the evidence). Control: below the span the knee doubles with
 * every halving of the stride. */
#include "probes/probe.h"

#include "infer/conflicts.h"

#include <errno.h>

/* From well below any first level's span to sixteen times the usual 4 KiB one, four times
 * the 16 KiB of cores with larger pages. Beyond, a translation buffer of 16 sets would be
 * what conflicts. */
static const uint64_t stride_first = 512, stride_last = 65536;
/* Every count up to 40 (no first level has more ways), then an eighth more each time, up
 * to what a first level of 192 KiB would hold at this stride. */
static const uint64_t lines_each = 40, largest_first_level = 192 << 10;
/* Pointer chases assume nothing smaller; a larger line shows as neighbours that hit. */
static const uint64_t line_bytes = 64;

static int add_point(struct plan *plan, uint64_t stride, uint64_t lines)
{
    struct point *point = sonde_measure_plan_point(plan, 0, sonde_kernel_find("chase"));

    if (!point)
        return -ENOMEM;
    point->layout = (struct layout){
        .kind = LAYOUT_RING,
        .order = ORDER_RANDOM,
        .pages = PAGES_HUGE,
        .bytes = lines * stride,
        .nodes = lines,
        .pitch = stride,
    };
    point->at[0] = (double)stride;
    point->at[1] = (double)lines;
    return 0;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    static const struct series_plan conflicts = {
        .name = "conflicts",
        .axes = {{"stride", "bytes", "log2"}, {"lines", "count", "linear"}},
        .axis_count = 2,
        .quantity = "latency",
        .unit = "ns",
        .statistic = STATISTIC_Q25,
    };

    (void)context, (void)so_far;
    if (stage > 0)
        return 0;
    if (sonde_measure_plan_series(plan, &conflicts) < 0)
        return sonde_base_fail(why, -ENOMEM, "out of memory");
    for (uint64_t stride = stride_first; stride <= stride_last; stride *= 2) {
        uint64_t most = largest_first_level / stride;

        for (uint64_t lines = 2; lines <= lines_each || lines <= most;
             lines += lines < lines_each ? 1 : lines / 8)
            if (add_point(plan, stride, lines))
                return sonde_base_fail(why, -ENOMEM, "out of memory");
    }
    return 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct series *conflicts = sonde_measure_series_find(series, "conflicts");

    (void)context;
    if (!conflicts)
        return -ENODATA;
    return sonde_infer_conflicts(conflicts, "l1d", (double)line_bytes, findings);
}

const struct probe sonde_probe_ways = {
    .name = "ways",
    .summary = "associativity and size of the first level, by conflicts",
    .asks = "How many lines of one set fit?",
    .seconds = 4,
    .plan = plan,
    .infer = infer,
};
