/* What a mountain of throughput says: its peak and bottom, its ridge, its cliffs, and the
 * line.
 *
 *   peak      the best rate of all; against the core clock, words a cycle
 *   ridge     what the smallest stride keeps at sizes beyond every cache
 *   cliffs    of each stride on its own (cliffs.c)
 *   line      over strides, an access costs more while fewer of them share a line, and
 *             hardly more once each has its own: the knee (mountain_line.c)
 *
 * What can fool it: a core that is shared (both modes are then given), call overhead in
 * the smallest sizes, and an unoptimised or disturbed program, whose plain has no cliff.
 * The last two are controls. */
#include "infer/mountain.h"

#include "base/units.h"
#include "infer/figures.h"
#include "infer/slices.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double word_bytes = 8;
/* Of what plain loads reach: an accumulator waits for its last add now and then. */
static const double words_least = 0.88;
/* Rates of memory, beside neighbours, differ by less; those of two levels by more, or it
 * hardly matters which one was met. */
static const double level_even = 0.75;
/* A first row lower than the next ones by more than that is not the cache's doing. */
static const double first_row_least = 0.95;
/* Of the sizes so many times the smallest one at least one must have left a cache. */
static const double reach_least = 64;

/* The best of hundreds of points is also the luckiest. */
static const double luck = 0.02;

static struct finding *find_rate(struct findings *findings, const char *name,
                                 const struct series_point *point, const char *method)
{
    bool interval = isfinite(point->low) && isfinite(point->high);
    double low = (1 - luck) * point->best, high = (1 + luck) * point->best;
    struct finding *finding = sonde_infer_find(
        findings, name, "bytes/s", point->best, interval ? fmin(low, point->low) : low,
        interval ? fmax(high, point->high) : high, 0.9, method);

    if (finding && (point->flags & POINT_BIMODAL))
        sonde_infer_explain(finding, "two modes, %s and %s: the core was shared",
                            sonde_base_format_rate(point->mode_low).text,
                            sonde_base_format_rate(point->mode_high).text);
    else if (finding)
        sonde_infer_explain(finding, "at %s, stride %.0f bytes",
                            sonde_base_format_bytes(point->at[0]).text, point->at[1]);
    return finding;
}

static bool find_extremes(const struct slices *slices, struct findings *findings)
{
    const struct series_point *peak = slices->peak, *bottom = slices->bottom;
    double ratio = peak->best / bottom->best;
    const char *shared = sonde_infer_why_shared(peak);

    if (shared)
        return sonde_infer_give_up(findings, "mountain.peak", "bytes/s", "%s", shared) &&
               find_rate(findings, "mountain.bottom", bottom, "the lowest of all rates");
    return find_rate(findings, "mountain.peak", peak, "the highest of all rates") &&
           find_rate(findings, "mountain.bottom", bottom, "the lowest of all rates") &&
           sonde_infer_find(findings, "mountain.ratio", "ratio", ratio, 0.97 * ratio,
                            1.03 * ratio, 0.9, "peak over bottom");
}

/* --- the ridge ------------------------------------------------------------------------
 */

/* The last three sizes of the smallest stride: memory, if they are even. */
static struct finding *find_ridge(const struct slices *slices, struct findings *findings)
{
    double least = INFINITY, most = 0, peak = slices->peak->best, percent;
    size_t first = slices->sizes > 3 ? slices->sizes - 3 : 0;
    struct finding *finding;

    for (size_t i = first; i < slices->sizes; i++) {
        double rate = sonde_infer_slices_rate(slices, i, 0);

        least = fmin(least, rate);
        most = fmax(most, rate);
    }
    if (first == 0 || !(least > 0))
        return sonde_infer_give_up(findings, "mountain.ridge", "percent",
                                   "fewer than four sizes, or holes at the largest ones");
    if (least < level_even * most)
        return sonde_infer_give_up(
            findings, "mountain.ridge", "percent",
            "at stride %.0f the rate still changes at the largest sizes, from %s to %s: "
            "no plateau beyond the caches was reached",
            slices->stride[0], sonde_base_format_rate(most).text,
            sonde_base_format_rate(least).text);
    percent = 100 * sonde_infer_slices_rate(slices, slices->sizes - 1, 0) / peak;
    finding = sonde_infer_find(findings, "mountain.ridge", "percent", percent,
                               100 * least / peak, 100 * most / peak, 0.85,
                               "the smallest stride at the largest sizes, of the peak");
    if (finding)
        sonde_infer_explain(
            finding, "%s at %s; larger caches than that would not show",
            sonde_base_format_rate(percent * peak / 100).text,
            sonde_base_format_bytes(slices->size[slices->sizes - 1]).text);
    return finding;
}

/* --- words per cycle
 * --------------------------------------------------------------------
 */

/* Why the top stays below what the load ports allow. */
static void explain_top(struct finding *finding, const struct series_point *top,
                        double ports)
{
    double words = top->cycles / word_bytes;

    if (!(ports > 0))
        sonde_infer_explain(finding, "what the load ports allow was not measured");
    else if (words >= words_least * ports)
        sonde_infer_explain(finding, "%.2f of the %.2f that plain loads reach",
                            words / ports, ports);
    else if (top->flags & POINT_BIMODAL)
        sonde_infer_explain(
            finding,
            "limited by the share of the core: two modes, and %.2f of the "
            "%.2f that plain loads reach",
            words / ports, ports);
    else if (top->flags & POINT_FEW)
        sonde_infer_explain(
            finding,
            "limited by neighbours and interruptions: %zu of %zu samples were set aside; "
            "%.2f of the %.2f that plain loads reach",
            top->rejected, top->rejected + top->n, words / ports, ports);
    else
        sonde_infer_explain(finding,
                            "limited by the additions or their issue: %.2f of the %.2f "
                            "that plain loads reach",
                            words / ports, ports);
}

static const struct series_point *top_by_cycles(const struct slices *slices)
{
    const struct series_point *top = NULL;

    for (size_t i = 0; i < slices->sizes * slices->strides; i++) {
        const struct series_point *point = slices->point[i];

        if (point && point->cycles > 0 &&
            sonde_infer_slices_outdoes(point, point->cycles, top, top ? top->cycles : 0))
            top = point;
    }
    return top;
}

static double loads_per_cycle(const struct series *loads)
{
    if (!loads || !loads->count || !loads->points[0].n)
        return NAN;
    return loads->points[0].cycles;
}

static bool find_words(const struct slices *slices, const struct series *loads,
                       struct findings *findings)
{
    const struct series_point *top = top_by_cycles(slices);
    double ports = loads_per_cycle(loads), words, spread;
    struct finding *finding;

    if (!top)
        return sonde_infer_give_up(findings, "mountain.words_per_cycle", "words/cycle",
                                   "the core clock is not known") != NULL;
    if (sonde_infer_why_shared(top))
        return sonde_infer_give_up(findings, "mountain.words_per_cycle", "words/cycle",
                                   "%s", sonde_infer_why_shared(top)) != NULL;
    words = top->cycles / word_bytes;
    spread = top->high > top->low ? (top->high - top->low) / (2 * top->best) : luck;
    spread = fmax(spread, luck);
    finding = sonde_infer_find(findings, "mountain.words_per_cycle", "words/cycle", words,
                               words * (1 - spread), words * (1 + spread), 0.9,
                               "words of 8 bytes a cycle at the best place");
    if (!finding)
        return false;
    explain_top(finding, top, ports);
    if (!(ports > 0))
        return true;
    return sonde_infer_find(findings, "mountain.load_ports", "loads/cycle", ports,
                            0.98 * ports, 1.02 * ports, 0.9,
                            "loads of the same words that wait for nothing") &&
           sonde_infer_control(findings, words <= 1.05 * ports,
                               "no more words a cycle than plain loads reach",
                               "at most as many", "%.2f and %.2f", words, ports);
}

/* --- cliffs ---------------------------------------------------------------------------
 */

/* The cliffs of stride number `k` as text; answers how many. */
static size_t list_cliffs(const struct slices *slices, size_t k, double *sizes,
                          double *rates, char *text, size_t room)
{
    struct cliff cliffs[CLIFFS_MAX];
    size_t count = 0, found, used = 0;

    for (size_t i = 0; i < slices->sizes; i++)
        if (sonde_infer_slices_rate(slices, i, k) > 0) {
            sizes[count] = slices->size[i];
            rates[count++] = sonde_infer_slices_rate(slices, i, k);
        }
    found = sonde_infer_cliffs(sizes, rates, count, cliffs);
    snprintf(text, room, "none");
    for (size_t c = 0; c < found && used < room; c++)
        used += (size_t)snprintf(text + used, room - used, "%s%s–%s", c ? ", " : "",
                                 sonde_base_format_bytes(cliffs[c].low).text,
                                 sonde_base_format_bytes(cliffs[c].high).text);
    return found;
}

static bool find_cliffs_of(const struct slices *slices, size_t k, size_t count,
                           const char *text, struct findings *findings)
{
    struct finding *finding;
    char name[48];

    snprintf(name, sizeof name, "mountain.cliffs.%.0f", slices->stride[k]);
    finding = sonde_infer_find(findings, name, "count", (double)count, (double)count,
                               (double)count, 0.8, "falls by a fifth and more");
    if (!finding)
        return false;
    finding->text = strdup(text);
    if (count == 0)
        sonde_infer_explain(finding, "prefetching hides the levels at this stride");
    return finding->text != NULL;
}

static int find_cliffs(const struct slices *slices, struct findings *findings)
{
    double *buffer = malloc(2 * slices->sizes * sizeof *buffer);
    size_t total = 0;
    int error = buffer ? 0 : -ENOMEM;
    bool ok;

    for (size_t k = 0; k < slices->strides && !error; k++) {
        char text[160];
        size_t count =
            list_cliffs(slices, k, buffer, buffer + slices->sizes, text, sizeof text);

        total += count;
        if (!find_cliffs_of(slices, k, count, text, findings))
            error = -ENOMEM;
    }
    free(buffer);
    if (error)
        return error;
    ok = total > 0 || slices->size[slices->sizes - 1] < reach_least * slices->size[0];
    return sonde_infer_control(findings, ok, "the mountain has cliffs",
                               "at least one stride falls by a fifth",
                               total ? "%zu cliffs at %zu strides"
                                     : "%zu cliffs at %zu strides: a plain, as of an "
                                       "unoptimised program or a busy machine",
                               total, slices->strides)
               ? 0
               : -ENOMEM;
}

/* A call and its first misses, spread over few loads, lower the smallest sizes. */
static bool control_first_row(const struct slices *slices, struct findings *findings)
{
    double first = sonde_infer_slices_rate(slices, 0, 0), next = 0;

    for (size_t i = 1; i < slices->sizes && i < 3; i++)
        next = fmax(next, sonde_infer_slices_rate(slices, i, 0));
    if (!(first > 0) || !(next > 0))
        return true;
    return sonde_infer_control(findings, first >= first_row_least * next,
                               "the smallest size is not slower than the next ones",
                               "within 5 % (else calls cost part of it)", "%s against %s",
                               sonde_base_format_rate(first).text,
                               sonde_base_format_rate(next).text) != NULL;
}

int sonde_infer_mountain(const struct series *mountain, const struct series *loads,
                         struct findings *findings)
{
    struct slices slices;
    int error = sonde_infer_slices_open(mountain, &slices);

    if (!error && !slices.peak)
        error = -ENODATA;
    if (!error && (!find_extremes(&slices, findings) || !find_ridge(&slices, findings) ||
                   !find_words(&slices, loads, findings) ||
                   !sonde_infer_slices_line(&slices, findings)))
        error = -ENOMEM;
    if (!error)
        error = find_cliffs(&slices, findings);
    if (!error && !control_first_row(&slices, findings))
        error = -ENOMEM;
    sonde_infer_slices_close(&slices);
    return error;
}
