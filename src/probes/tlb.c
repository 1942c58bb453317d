/* Probe `tlb`: how far translation reaches, and what it costs beyond.
 *
 *   spread   one line to a page, side by side pages, in a random cycle
 *   packed   the same number of lines side by side: the same caches, few pages
 *   apart    pages so far apart that no entry can serve two: do neighbours share one?
 *   twice    two lines to a page, about the second edge: a cache's would come at half
 *   strides  lines beyond what the first level holds, at growing strides, on memory asked
 *            for as huge pages: by what is it translated?
 *   huge     one line to a huge page, where those are huge for the hardware too
 *
 * Lines of a page lie at offset line * (page's number modulo lines of a page), so that
 * they use all sets of the first cache. The first two come first; what they show sizes
 * the others.
 *
 * What can fool it: caches (hence packed); entries that serve several pages (hence
 * apart); a second cache that others disturb, since pages enough for the second level
 * touch more lines than the first cache holds. */
#include "probes/probe.h"

#include "infer/translation.h"

#include <errno.h>
#include <math.h>

/* Of the time by default, by stage; the last has what is left. */
static const double stage_s[] = {2, 1.5};
/* The numbers of pages: eight an octave in even steps, so that 40, 48, 72, 96, 1280, 1536
 * and 3072 are among them as well as powers of two. */
static const uint64_t pages_first = 8, pages_last = 12288, steps_per_octave = 8;
/* No more memory than this is spread over: 8192 pages of 64 KiB. */
static const double spread_bytes_most = 512 << 20;
/* Odd, so that all sets of a translation level are used alike; beyond the 16 pages that
 * some cores join in one entry. */
static const uint64_t pages_apart = 17;
/* More than any first level has for huge pages. */
static const uint64_t huge_pages_most = 256;
static const double huge_bytes_most = 640.0 * (1 << 20);

static double line_bytes(const struct probe_context *context)
{
    const struct finding *line =
        context->passport ? sonde_passport_finding(context->passport, "line.size") : NULL;

    return line && line->value >= 16 && line->value <= 1024 ? line->value : 64;
}

static int add_series(struct plan *plan, const char *name, bool strides)
{
    static const struct axis lines = {"lines", "count", "log2"};
    static const struct axis stride = {"stride", "bytes", "log2"};
    struct series_plan series = {.name = name,
                                 .axes = {strides ? stride : lines, lines},
                                 .axis_count = strides ? 2 : 1,
                                 .quantity = "latency",
                                 .unit = "ns",
                                 .statistic = STATISTIC_Q25};

    return sonde_measure_plan_series(plan, &series);
}

/* `lines` lines, `pitch` bytes apart, with the offsets that the lines of pages have. */
static int add_ring(const struct probe_context *context, struct plan *plan, int series,
                    uint64_t lines, uint64_t pitch, enum page_kind pages)
{
    uint64_t line = (uint64_t)line_bytes(context), page = context->machine->page_bytes;
    bool spread = pitch > line;
    struct point *point = series < 0
                              ? NULL
                              : sonde_measure_plan_point(plan, (unsigned)series,
                                                         sonde_kernel_find("chase"));

    if (!point)
        return -ENOMEM;
    point->layout = (struct layout){
        .kind = LAYOUT_RING,
        .order = ORDER_RANDOM,
        .pages = pages,
        .nodes = lines,
        .pitch = pitch,
        .skew = spread ? line : 0,
        .skew_period = page / line,
        .bytes = lines * pitch + (spread ? page : 0),
    };
    point->at[0] = (double)lines;
    return 0;
}

static uint64_t after(uint64_t lines)
{
    uint64_t octave = 1;

    while (2 * octave <= lines)
        octave *= 2;
    return lines + (octave >= steps_per_octave ? octave / steps_per_octave : 1);
}

static uint64_t most_pages(const struct probe_context *context)
{
    double bytes = fmin(context->memory_bytes, spread_bytes_most);
    double pages = bytes / (double)context->machine->page_bytes - 1;

    return pages < (double)pages_last ? (uint64_t)fmax(pages, 0) : pages_last;
}

/* Side by side, and packed. */
static int plan_reach(const struct probe_context *context, struct plan *plan)
{
    uint64_t page = context->machine->page_bytes, most = most_pages(context);
    int spread = add_series(plan, "spread", false);
    int packed = add_series(plan, "packed", false);
    int error = 0;

    for (uint64_t lines = pages_first; !error && lines <= most; lines = after(lines)) {
        error = add_ring(context, plan, spread, lines, page, PAGES_SMALL);
        if (!error)
            error = add_ring(context, plan, packed, lines, (uint64_t)line_bytes(context),
                             PAGES_SMALL);
    }
    return error;
}

static struct translation open_translation(const struct probe_context *context,
                                           const struct series_list *series)
{
    return (struct translation){
        .spread = sonde_measure_series_find(series, "spread"),
        .packed = sonde_measure_series_find(series, "packed"),
        .apart = sonde_measure_series_find(series, "apart"),
        .twice = sonde_measure_series_find(series, "twice"),
        .strides = sonde_measure_series_find(series, "strides"),
        .huge = sonde_measure_series_find(series, "huge"),
        .page_bytes = (double)context->machine->page_bytes,
        .huge_bytes = sonde_probe_huge_bytes(context),
        .huge_share = context->huge_share,
        .nested = context->machine->virtualization[0] != '\0',
    };
}

static int plan_apart(const struct probe_context *context,
                      const struct translation_knee *knee, struct plan *plan)
{
    uint64_t pitch = pages_apart * context->machine->page_bytes;
    double most = 2 * knee->high;
    int series, error = 0;

    if (most * (double)pitch > fmin(context->memory_bytes, spread_bytes_most))
        return 0;
    series = add_series(plan, "apart", false);
    for (uint64_t lines = pages_first; !error && (double)lines <= most;
         lines = after(lines))
        if (lines >= 16 || (double)lines * 4 > knee->low)
            error = add_ring(context, plan, series, lines, pitch, PAGES_SMALL);
    return error;
}

/* From well below half of what one line to a page shows to well beyond it. */
static int plan_twice(const struct probe_context *context,
                      const struct translation_knee *knee, struct plan *plan)
{
    uint64_t page = context->machine->page_bytes, line = (uint64_t)line_bytes(context);
    double most = fmin(1.5 * knee->high, (double)most_pages(context) / 2);
    int series = add_series(plan, "twice", false), error = 0;

    for (uint64_t lines = pages_first; !error && (double)lines <= most;
         lines = after(lines)) {
        if ((double)lines * 3 < knee->low)
            continue;
        error = add_ring(context, plan, series, lines, page, PAGES_SMALL);
        if (!error) {
            struct layout *layout = &plan->points[plan->count - 1].layout;

            /* The second line of each in the other half of its page. */
            layout->pair = page / 2;
            layout->skew_period = page / 2 / line;
        }
    }
    return error;
}

static int plan_strides(const struct probe_context *context,
                        const struct translation_knee *knee, struct plan *plan)
{
    double most = fmin(context->memory_bytes, huge_bytes_most);
    uint64_t lines = (uint64_t)ceil(1.5 * knee->high);
    int series = add_series(plan, "strides", true), error = 0;

    for (uint64_t stride = context->machine->page_bytes;
         !error && (double)stride <= sonde_probe_huge_bytes(context); stride *= 2) {
        if ((double)(lines * stride) > most)
            break;
        error = add_ring(context, plan, series, lines, stride, PAGES_HUGE);
        if (!error) {
            plan->points[plan->count - 1].at[0] = (double)stride;
            plan->points[plan->count - 1].at[1] = (double)lines;
        }
    }
    return error;
}

static int plan_huge(const struct probe_context *context,
                     const struct translation_knee *knee,
                     const struct series_list *so_far, struct plan *plan)
{
    const struct series *strides = sonde_measure_series_find(so_far, "strides");
    double huge = sonde_probe_huge_bytes(context), most, granule = NAN;
    int series, error = 0;

    most = fmin(fmin(context->memory_bytes, huge_bytes_most) / huge - 1,
                (double)huge_pages_most);
    if (strides)
        granule = sonde_infer_translation_granule(strides, knee->half_cost);
    if (!(granule >= huge / 8) || most < (double)pages_first)
        return 0;
    series = add_series(plan, "huge", false);
    for (uint64_t lines = pages_first; !error && (double)lines <= most;
         lines = after(lines))
        error = add_ring(context, plan, series, lines, (uint64_t)huge, PAGES_HUGE);
    return error;
}

static int plan_rest(const struct probe_context *context, unsigned stage,
                     const struct series_list *so_far, struct plan *plan)
{
    struct translation translation = open_translation(context, so_far);
    struct translation_knee knee, second;
    int error = sonde_infer_translation_knee(&translation, 0, &knee);

    if (error)
        return error == -ENODATA ? 0 : error;
    if (stage == 2)
        return plan_huge(context, &knee, so_far, plan);
    error = plan_apart(context, &knee, plan);
    if (!error && !sonde_infer_translation_knee(&translation, 1, &second))
        error = plan_twice(context, &second, plan);
    return error ? error : plan_strides(context, &knee, plan);
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    int error = 0;

    plan->budget_s = stage < sizeof stage_s / sizeof stage_s[0] ? stage_s[stage] : 0;
    if (stage == 0) {
        if (most_pages(context) < 2 * pages_first)
            return sonde_base_fail(why, -ENOTSUP,
                                   "too little memory is granted to spread over pages");
        error = plan_reach(context, plan);
    } else if (stage <= 2) {
        error = plan_rest(context, stage, so_far, plan);
    }
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    struct translation translation = open_translation(context, series);

    if (!translation.spread || !translation.packed)
        return -ENODATA;
    return sonde_infer_translation(&translation, findings);
}

const struct probe sonde_probe_tlb = {
    .name = "tlb",
    .summary = "translation: entries and costs of its levels, and its granule",
    .asks = "Over how many pages may data lie before translation costs?",
    .seconds = 4,
    .plan = plan,
    .infer = infer,
};
