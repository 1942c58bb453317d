/* How a set that overflows gives up lines.
 *
 *   one line more than ways, in a cycle that is walked over and over:
 *     what was used least recently goes    every access misses (each line leaves just
 *                                          before its turn comes again)
 *     a random one goes                    some miss: m = 1 - (1 - 1/ways)^(lines m)
 *
 * The share of misses is read off the cost, between that of a few lines (all hit) and
 * that of three times as many as ways and more (all miss). Played through for 4, 8 and 16
 * ways: LRU, its tree of bits, first-in first-out and ages of two bits all miss in every
 * access; one bit per line misses in 53 to 67 % of them; random choice in 12 to 41 %.
 *
 * What can fool it: it is a hint. Policies that adapt to what is running may behave like
 * either; a way predictor makes conflicting lines dearer than misses (the share is then
 * above 1, and taken for 1). */
#include "infer/replacement.h"

#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Misses must cost so much more than hits for their share to be read off. */
static const double contrast_least = 1.5;
/* What counts as every access, and how near to a prediction a share must be. */
static const double all_least = 0.9, near = 0.12;
/* Strides look at other sets and pages: more apart than this is a disturbance. */
static const double strides_apart = 0.3;
/* From so many times the ways up all miss, whatever the policy: 94 % of random ones. */
static const double beyond = 3;
enum { STRIDES = 3, FIXED_POINT_ROUNDS = 200 };

struct look {
    const struct series *series;
    double *buffer;
    bool cycles;
    double hit, miss; /* what they cost */
};

double sonde_infer_random_misses(double ways, double lines)
{
    double miss = 1;

    if (lines <= ways)
        return 0;
    for (int i = 0; i < FIXED_POINT_ROUNDS; i++)
        miss = 1 - pow(1 - 1 / ways, lines * miss);
    return miss;
}

static bool usable(const struct series_point *point)
{
    const unsigned bad = POINT_WRONG | POINT_UNREACHED | POINT_UNLAWFUL;

    return !(point->flags & bad) && point->best > 0 && isfinite(point->best);
}

static bool in_cycles(const struct series *series)
{
    for (size_t i = 0; i < series->count; i++)
        if (usable(&series->points[i]) && !(series->points[i].cycles > 0))
            return false;
    return true;
}

/* Median cost at a stride of `from` to `to` lines; NaN: fewer than `least` points. */
static double cost(const struct look *look, double stride, double from, double to,
                   size_t least)
{
    size_t count = 0;

    for (size_t i = 0; i < look->series->count; i++) {
        const struct series_point *point = &look->series->points[i];

        if (usable(point) && point->at[0] == stride && point->at[1] >= from &&
            point->at[1] <= to)
            look->buffer[count++] = look->cycles ? point->cycles : point->best;
    }
    if (count < least)
        return NAN;
    sonde_measure_sort(look->buffer, count);
    return sonde_measure_median(look->buffer, count);
}

static double share(const struct look *look, double stride, double lines)
{
    double here = cost(look, stride, lines, lines, 1);

    return (here - look->hit) / (look->miss - look->hit);
}

static int give_up(struct findings *findings, const char *reason)
{
    return sonde_infer_give_up(findings, "ways.replacement", "", "%s", reason) ? 0
                                                                               : -ENOMEM;
}

static int tell(struct findings *findings, const char *text, double confidence,
                double share, double ways, double expected)
{
    struct finding *finding = sonde_infer_find_text(
        findings, "ways.replacement", text, confidence,
        "share of misses with one line more than ways, in a cycle that is repeated");

    if (!finding)
        return -ENOMEM;
    sonde_infer_explain(
        finding,
        "of %.0f lines in %.0f ways %.0f %% miss; of a random choice %.0f "
        "%% would",
        ways + 1, ways, 100 * share, 100 * expected);
    return 0;
}

/* With twice as many lines as ways a random choice misses in some four of five. */
static bool random_at_double(const struct look *look, double stride, double ways)
{
    double seen = share(look, stride, 2 * ways);

    return isnan(seen) ||
           fabs(seen - sonde_infer_random_misses(ways, 2 * ways)) <= 2 * near;
}

static int decide(const struct look *look, double ways, double span, double median,
                  struct findings *findings)
{
    double expected = sonde_infer_random_misses(ways, ways + 1);

    if (median >= all_least)
        return tell(findings, "as LRU", 0.8, fmin(median, 1), ways, expected);
    if (median <= 0.5 && fabs(median - expected) <= near &&
        random_at_double(look, span, ways))
        return tell(findings, "random", 0.7, median, ways, expected);
    return sonde_infer_give_up(findings, "ways.replacement", "",
                               "with one line more than ways %.0f %% of the accesses "
                               "miss: neither all, as with LRU, nor the %.0f %% of a "
                               "random choice",
                               100 * median, 100 * expected)
               ? 0
               : -ENOMEM;
}

static int weigh(struct look *look, double ways, double span, struct findings *findings)
{
    double shares[STRIDES];
    size_t count = 0;

    look->hit = cost(look, span, 1, ways, 1);
    look->miss = cost(look, span, beyond * ways, 5 * ways, 3);
    if (!(look->miss > contrast_least * look->hit))
        return give_up(findings, "what misses costs hardly more than what hits");
    for (int i = 0; i < STRIDES; i++) {
        double seen = share(look, span * (1 << i), ways + 1);

        if (!isnan(seen))
            shares[count++] = fmax(0, fmin(1, seen));
    }
    if (count < 2)
        return give_up(findings, "one line more than ways was measured at one stride");
    sonde_measure_sort(shares, count);
    bool agree = shares[count - 1] - shares[0] <= strides_apart;
    if (!sonde_infer_control(
            findings, agree, "one line more than ways, at several strides",
            "shares of misses within 0.3", "%.2f to %.2f", shares[0], shares[count - 1]))
        return -ENOMEM;
    if (!agree)
        return give_up(findings, "strides disagree about how many accesses miss with one "
                                 "line more than ways");
    return decide(look, ways, span, sonde_measure_median(shares, count), findings);
}

int sonde_infer_replacement(const struct series *conflicts, struct findings *findings)
{
    const struct finding *ways = sonde_infer_finding_get(findings, "l1d.ways");
    const struct finding *span = sonde_infer_finding_get(findings, "l1d.span");
    struct look look = {.series = conflicts, .cycles = in_cycles(conflicts)};
    int error;

    if (!ways || !span || !(ways->value >= 2) || !(span->value > 0))
        return give_up(findings, "the ways of the first level are not known");
    look.buffer = malloc((conflicts->count + 1) * sizeof *look.buffer);
    if (!look.buffer)
        return -ENOMEM;
    error = weigh(&look, ways->value, span->value, findings);
    free(look.buffer);
    return error;
}
