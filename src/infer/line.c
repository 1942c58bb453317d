/* The line as a step in the cost of a pair.
 *
 *   cost of a pair
 *     |         _________  two lines: both loads miss
 *     |________/           one line: the second load hits
 *     +--------+---------  distance
 *              line (less the shift, in the control)
 *
 * Lines are powers of two. Of those the one is taken that leaves the fewest points of
 * both walks on the wrong side of half the step, so that one disturbed point moves
 * nothing. Moving all blocks by a part of a line must move the step by as much; a step
 * that stays is something else (a page, a bank, a prefetcher).
 *
 * What can fool it: a prefetcher that brings neighbours into the first level itself,
 * which looks like a longer line; the same beyond the private levels is reported as what
 * comes in together, apart from the line. A line larger than half of the largest
 * distance. */
#include "infer/line.h"

#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A hit costs a third of a miss or less, so a pair of misses is at least 1.3 times a miss
 * and a hit; half of that is above what noise does to low quartiles. */
static const double step_least = 1.12;
/* Points on the wrong side, as a share of all: beyond it there is no step. */
static const double strays_most = 0.15;
/* Lines that a core may have. */
static const double shortest_bytes = 32, longest_bytes = 256;
/* The plateau that ends a curve starts here at the latest: 256 bytes are the longest line
 * of any core, twice that the longest pair of lines. */
static const double apart_bytes = 512;
/* And the one that begins it ends here at the earliest, off the base or not. */
static const double near_bytes = 24;

/* A walk, and what it costs on one line and on two. */
struct pairs {
    const struct series *series;
    double low, high;
    double seen; /* points */
};

static bool usable(const struct series_point *point)
{
    return point->n && point->best > 0 && !(point->flags & POINT_WRONG);
}

static bool in_cycles(const struct series *series)
{
    for (size_t i = 0; i < series->count; i++)
        if (usable(&series->points[i]) && !(series->points[i].cycles > 0))
            return false;
    return true;
}

static double cost_of(const struct series *series, size_t i)
{
    return in_cycles(series) ? series->points[i].cycles : series->points[i].best;
}

/* Low quartile of the costs from `from` to below `to` bytes: points that never had the
 * core alone cost more, and may be most. */
static double cost_between(const struct series *series, double from, double to,
                           double *buffer)
{
    size_t count = 0;

    for (size_t i = 0; i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (usable(point) && point->at[0] >= from && point->at[0] < to)
            buffer[count++] = cost_of(series, i);
    }
    sonde_measure_sort(buffer, count);
    return sonde_measure_quantile(buffer, count, 0.25);
}

static int open_pairs(const struct series *series, struct pairs *pairs)
{
    double *buffer = malloc((series->count + 1) * sizeof *buffer);

    *pairs = (struct pairs){.series = series};
    if (!buffer)
        return -ENOMEM;
    pairs->low = cost_between(series, 0, near_bytes + 1, buffer);
    pairs->high = cost_between(series, apart_bytes, INFINITY, buffer);
    free(buffer);
    for (size_t i = 0; i < series->count; i++)
        pairs->seen += usable(&series->points[i]);
    return 0;
}

/* Points on the wrong side of half the height, were the step at `at`. */
static double strays_at(const struct pairs *pairs, double at)
{
    const struct series *series = pairs->series;
    double middle = sqrt(pairs->low * pairs->high), strays = 0;

    for (size_t i = 0; i < series->count; i++)
        if (usable(&series->points[i]))
            strays += (series->points[i].at[0] < at) != (cost_of(series, i) < middle);
    return strays;
}

static bool has_step(const struct pairs *pairs)
{
    return pairs->high >= step_least * pairs->low;
}

static double moved(double line_bytes, double shift_bytes)
{
    return line_bytes - fmod(shift_bytes, line_bytes);
}

/* The line that leaves the fewest points of both walks astray. */
static double best_line(const struct pairs *near, const struct pairs *shifted,
                        double shift_bytes)
{
    double best = NAN, fewest = INFINITY;

    for (double line = shortest_bytes; line <= longest_bytes; line *= 2) {
        double strays =
            strays_at(near, line) + strays_at(shifted, moved(line, shift_bytes));

        if (strays < fewest) {
            fewest = strays;
            best = line;
        }
    }
    return best;
}

/* The shifted walk has its step where the line says, and not where the other has it. */
static bool control(const struct pairs *shifted, double line, double shift_bytes,
                    struct findings *findings, bool *agrees)
{
    double to = moved(line, shift_bytes);
    double strays = strays_at(shifted, to), unmoved = strays_at(shifted, line);
    char text[64];

    *agrees = strays <= strays_most * shifted->seen && unmoved >= strays + 2;
    snprintf(text, sizeof text, "the step moves from %.0f to %.0f bytes", line, to);
    return sonde_infer_control(findings, *agrees, "every block moved by a part of a line",
                               text,
                               "%.0f of %.0f points astray with the step there, %.0f "
                               "with the step where it was",
                               strays, shifted->seen, unmoved) != NULL;
}

static struct finding *find_line(const struct pairs *near, double line, double strays,
                                 struct findings *findings)
{
    struct finding *finding = sonde_infer_find(
        findings, "line.size", "bytes", line, line, line, 0.99 - 0.05 * strays,
        "pairs of loads a distance apart: on one line or on two");

    sonde_infer_explain(finding, "a pair costs %.1f on one line and %.1f on two",
                        near->low, near->high);
    return finding;
}

/* The first power of two at which that share of the step is climbed for good. */
static double rises_at(const struct pairs *far, double share)
{
    double last_below = 0, bytes = shortest_bytes;

    for (size_t i = 0; i < far->series->count; i++)
        if (usable(&far->series->points[i]) &&
            cost_of(far->series, i) < far->low + share * (far->high - far->low))
            last_below = far->series->points[i].at[0];
    while (bytes <= last_below)
        bytes *= 2;
    return bytes;
}

/* Beyond the private levels, a neighbour that came in along costs less than its own
 * miss. */
static struct finding *find_granule(const struct pairs *far, double line,
                                    struct findings *findings)
{
    double best = NAN, fewest = INFINITY, low, high;
    struct finding *finding;

    for (double bytes = line; bytes <= apart_bytes; bytes *= 2) {
        double strays = strays_at(far, bytes);

        if (strays < fewest) {
            fewest = strays;
            best = bytes;
        }
    }
    if (!has_step(far) || fewest > strays_most * far->seen)
        return sonde_infer_give_up(findings, "line.granule", "bytes",
                                   "beyond the private levels no clear step was seen: "
                                   "%.0f of %.0f points astray",
                                   fewest, far->seen);
    low = fmin(best, rises_at(far, 0.25));
    high = fmax(best, rises_at(far, 0.75));
    finding = sonde_infer_find(findings, "line.granule", "bytes", low < high ? NAN : best,
                               low, high, low < high ? 0.5 : 0.9 - 0.1 * fewest,
                               "pairs of loads beyond the private levels");
    if (low < high)
        sonde_infer_explain(finding,
                            "some misses bring neighbours along, as far as %.0f "
                            "bytes",
                            high);
    else
        sonde_infer_explain(finding, best > line ? "a miss brings its neighbours along"
                                                 : "a miss brings in its own line alone");
    return finding;
}

static struct finding *no_step(const struct pairs *near, double strays,
                               struct findings *findings)
{
    return sonde_infer_give_up(findings, "line.size", "bytes",
                               "a pair far apart costs %.2f times a pair side by side, "
                               "%.0f of %.0f points astray: no clear step",
                               near->high / near->low, strays, near->seen);
}

int sonde_infer_line(const struct series *near, const struct series *shifted,
                     const struct series *far, double shift_bytes,
                     struct findings *findings)
{
    struct pairs at_base, off_base, beyond;
    double line, strays;
    bool agrees;
    int error = open_pairs(near, &at_base);

    if (!error)
        error = open_pairs(shifted, &off_base);
    if (!error && far)
        error = open_pairs(far, &beyond);
    if (error)
        return error;
    /* Moved by most of a line, a short one leaves no pair of its own on one line. */
    off_base.low = at_base.low;
    off_base.high = at_base.high;
    line = best_line(&at_base, &off_base, shift_bytes);
    strays = strays_at(&at_base, line);
    if (!has_step(&at_base) || !(strays <= strays_most * at_base.seen))
        return no_step(&at_base, strays, findings) ? 0 : -ENOMEM;
    if (!control(&off_base, line, shift_bytes, findings, &agrees))
        return -ENOMEM;
    if (!agrees)
        return sonde_infer_give_up(findings, "line.size", "bytes",
                                   "the step does not move with the base")
                   ? 0
                   : -ENOMEM;
    if (!find_line(&at_base, line, strays, findings) ||
        (far && !find_granule(&beyond, line, findings)))
        return -ENOMEM;
    return 0;
}
