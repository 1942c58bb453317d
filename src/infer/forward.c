/* What it costs to load what was just stored.
 *
 *   store  |--------|          load inside it: forwarded from the store buffer
 *   load       |----|
 *   load          |--------|   needs more than the store: waits until it is written
 *   load   ....................|----|  4 KiB further: the same low bits, another address
 *
 * All are chains: a step is a store, a load and an add of one cycle, which is taken off.
 * Cycles are those of the pulses around each sample.
 *
 * What can fool it: cores that learn which load follows which store and pass the register
 * on without the memory (a chain under 4 cycles is no access of a first level: it is
 * called renamed); and stores still under way when a failure is timed, so that its cost
 * depends on what surrounds it. */
#include "infer/forward.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "measure/statistics.h"

/* The add of a step. */
static const double beside_cycles = 1;
/* No first level answers faster. */
static const double renamed_below = 4;
/* What a control allows of a quiet reference. */
static const double same_within = 0.1;
/* An interval wider than this share of the value tells nothing. */
static const double widest_interval = 0.5;
/* Loads and stores whose low bits are alike: what cores compare first. */
static const double alias_bytes = 4096;
enum { VALUES_MAX = 128 };

struct forward_widths sonde_infer_forward_widths(enum forward_pair pair)
{
    static const struct forward_widths widths[FORWARD_PAIRS] = {
        [PAIR_8_8] = {8, 8},   [PAIR_8_4] = {8, 4}, [PAIR_8_1] = {8, 1},
        [PAIR_4_8] = {4, 8},   [PAIR_4_4] = {4, 4}, [PAIR_16_16] = {16, 16},
        [PAIR_16_8] = {16, 8},
    };

    return widths[pair];
}

/* --- values of several points --------------------------------------------------------
 */

/* Cycles of the points that were chosen: their median, and how far they reach. */
struct group {
    double values[VALUES_MAX];
    size_t count;
    double median, low, high; /* NaN: none */
};

static bool usable(const struct series_point *point)
{
    return point->n > 0 && point->cycles > 0 && !(point->flags & POINT_WRONG) &&
           point->high - point->low <= widest_interval * point->best;
}

static void add(struct group *group, const struct series_point *point)
{
    if (usable(point) && group->count < VALUES_MAX)
        group->values[group->count++] = point->cycles;
}

static void close_group(struct group *group)
{
    sonde_measure_sort(group->values, group->count);
    group->median = sonde_measure_median(group->values, group->count);
    group->low = group->count ? group->values[0] : NAN;
    group->high = group->count ? group->values[group->count - 1] : NAN;
}

static int report(struct findings *findings, const char *name, double value, double low,
                  double high, const char *method)
{
    if (isnan(value))
        return sonde_infer_give_up(findings, name, "cycles",
                                   "too disturbed, not timed, or the core clock is not "
                                   "known")
                   ? 0
                   : -ENOMEM;
    return sonde_infer_find(findings, name, "cycles", value, low, high, 0.85, method)
               ? 0
               : -ENOMEM;
}

/* --- stores and loads of one place ---------------------------------------------------
 */

enum overlap { OVERLAP_NONE, OVERLAP_INSIDE, OVERLAP_SAME, OVERLAP_PARTIAL };

static enum overlap overlap_of(const struct series_point *point)
{
    struct forward_widths widths =
        sonde_infer_forward_widths((enum forward_pair)point->at[1]);
    double offset = point->at[0];

    if (offset >= widths.stored || offset + widths.loaded <= 0)
        return OVERLAP_NONE;
    if (offset < 0 || offset + widths.loaded > widths.stored)
        return OVERLAP_PARTIAL;
    return offset == 0 && widths.loaded == widths.stored ? OVERLAP_SAME : OVERLAP_INSIDE;
}

static struct group collect(const struct series *pairs, enum overlap wanted,
                            unsigned widest)
{
    struct group group = {.median = NAN};

    for (size_t i = 0; pairs && i < pairs->count; i++) {
        const struct series_point *point = &pairs->points[i];
        struct forward_widths widths =
            sonde_infer_forward_widths((enum forward_pair)point->at[1]);

        if (overlap_of(point) == wanted && widths.stored <= widest)
            add(&group, point);
    }
    close_group(&group);
    return group;
}

static void label(struct findings *findings, double cycles)
{
    if (findings->count && cycles < renamed_below)
        sonde_infer_explain(&findings->rows[findings->count - 1],
                            "renamed: under 4 cycles, the value did not pass through "
                            "memory");
}

/* The one point where a pair meets at the same place. */
static struct group meet(const struct series *pairs, enum forward_pair pair)
{
    struct group group = {.median = NAN};

    for (size_t i = 0; pairs && i < pairs->count; i++)
        if (pairs->points[i].at[1] == pair && pairs->points[i].at[0] == 0)
            add(&group, &pairs->points[i]);
    close_group(&group);
    return group;
}

static int report_latency(const struct series *pairs, struct findings *findings)
{
    struct group same = meet(pairs, PAIR_8_8);
    struct group inside = collect(pairs, OVERLAP_INSIDE, 8);
    int error = report(findings, "forward.latency_cycles", same.median - beside_cycles,
                       same.low - beside_cycles, same.high - beside_cycles,
                       "a store and a load of the same bytes, by two registers and in 16 "
                       "places in turn");

    if (error)
        return error;
    label(findings, same.median - beside_cycles);
    /* The dearest of all parts: what a program may meet. */
    return report(findings, "forward.inside_cycles", inside.high - beside_cycles,
                  inside.low - beside_cycles, inside.high - beside_cycles,
                  "the dearest load of a part of what was stored");
}

static int report_vector(const struct series *pairs, struct findings *findings)
{
    struct group vector = meet(pairs, PAIR_16_16);

    return report(findings, "forward.vector_cycles", vector.median, vector.low,
                  vector.high,
                  "a store and a load of 16 bytes and an add of vectors: all of it");
}

static int report_failure(const struct series *pairs, struct findings *findings)
{
    struct group partial = collect(pairs, OVERLAP_PARTIAL, 8);
    struct group same = meet(pairs, PAIR_8_8);
    int error = report(findings, "forward.failure_cycles", partial.median - beside_cycles,
                       partial.low - beside_cycles, partial.high - beside_cycles,
                       "a load that needs more than the last store");

    if (!error && partial.median < 1.2 * same.median)
        sonde_infer_explain(&findings->rows[findings->count - 1],
                            "no failure: it costs no more than the same bytes");
    return error;
}

static int report_same(const struct series *same, struct findings *findings)
{
    struct group group = {.median = NAN};
    int error;

    if (same && same->count)
        add(&group, &same->points[0]);
    close_group(&group);
    error = report(findings, "forward.same_cycles", group.median - beside_cycles,
                   group.low - beside_cycles, group.high - beside_cycles,
                   "a store and a load of one address by one register");
    if (!error)
        label(findings, group.median - beside_cycles);
    return error;
}

/* --- differences ---------------------------------------------------------------------
 */

static int report_difference(struct findings *findings, const char *name,
                             const struct group *with, const struct group *without,
                             const char *method)
{
    double noise = without->high - without->low;
    int error = report(findings, name, with->median - without->median,
                       with->low - without->high, with->high - without->low, method);

    if (!error &&
        with->median - without->median <= fmax(noise, same_within * without->median))
        sonde_infer_explain(&findings->rows[findings->count - 1],
                            "no penalty beyond the spread of the others");
    return error;
}

static int control_flat(struct findings *findings, const struct group *group,
                        const char *what)
{
    bool ok = group->high - group->low <= same_within * group->median;

    if (isnan(group->median))
        return 0;
    return sonde_infer_control(findings, ok, what, "alike within a tenth",
                               "%.2f to %.2f cycles", group->low, group->high)
               ? 0
               : -ENOMEM;
}

static int report_alias(const struct series *apart, struct findings *findings)
{
    struct group alias = {.median = NAN}, other = {.median = NAN};
    int error;

    for (size_t i = 0; apart && i < apart->count; i++) {
        const struct series_point *point = &apart->points[i];

        add(fmod(point->at[0], alias_bytes) == 0 ? &alias : &other, point);
    }
    close_group(&alias);
    close_group(&other);
    error = report_difference(findings, "forward.alias_cycles", &alias, &other,
                              "a load a multiple of 4 KiB from the store before it, over "
                              "other distances");
    return error ? error
                 : control_flat(findings, &other,
                                "loads at other distances, 4160 bytes among them");
}

static int report_splits(const struct series *splits, double line_bytes,
                         double page_bytes, struct findings *findings)
{
    struct group within = {.median = NAN}, line = {.median = NAN}, page = {.median = NAN};
    int error;

    for (size_t i = 0; splits && i < splits->count; i++) {
        const struct series_point *point = &splits->points[i];

        if (fmod(point->at[0], page_bytes) > page_bytes - 8)
            add(&page, point);
        else if (fmod(point->at[0], line_bytes) > line_bytes - 8)
            add(&line, point);
        else
            add(&within, point);
    }
    close_group(&within);
    close_group(&line);
    close_group(&page);
    error = report_difference(findings, "forward.line_split_cycles", &line, &within,
                              "a load that crosses a line over one that does not");
    if (!error)
        error = report_difference(findings, "forward.page_split_cycles", &page, &within,
                                  "a load that crosses a page over one that does not");
    return error ? error
                 : control_flat(findings, &within, "loads that end with their line");
}

int sonde_infer_forward(const struct forward_series *series, double line_bytes,
                        double page_bytes, struct findings *findings)
{
    int error = report_latency(series->pairs, findings);

    if (!error)
        error = report_same(series->same, findings);
    if (!error)
        error = report_vector(series->pairs, findings);
    if (!error)
        error = report_failure(series->pairs, findings);
    if (!error)
        error = report_alias(series->apart, findings);
    return error ? error
                 : report_splits(series->splits, line_bytes, page_bytes, findings);
}
