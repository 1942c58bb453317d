/* Ways, span and size of a level from the strides at which lines conflict.
 *
 *   knee(stride)   64 |.
 *                  32 |  .
 *                  16 |    .            size = ways x span
 *                   8 |      . . . .    ways: the knee that three strides or more share
 *                     +------|-------
 *                          span
 *
 * Per stride the knee is the last number of lines whose cost stays below 1.4 times that
 * of the fewest lines, and so does that of no larger number above it: disturbance only
 * adds, so the cheapest of all larger counts is what a count costs (suffix minimum).
 *
 * What can fool it: way predictors keyed on address bits and hashed indices make strides
 * disagree; a translation buffer of few sets lowers the knee at the largest strides. A
 * third of the strides above the span may disagree; beyond that nothing is claimed. */
#include "infer/conflicts.h"

#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A second level costs 2.5 times a first one at the least; random replacement turns only
 * some of the hits into misses at once. */
static const double knee_ratio = 1.4;

struct row {
    double stride, lines, cost;
};

/* The knee of one stride: between `lines` and the next count that was tried. */
struct knee {
    double stride;
    double lines; /* NaN: every count missed */
    double next;  /* first count above the knee; infinite: none missed */
};

struct evidence {
    struct row *rows;
    struct knee *knees;
    size_t row_count, knee_count;
    double base; /* cost of the fewest lines */
    double ways, span, agreeing, large;
};

static int by_stride_then_lines(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    if (a->stride != b->stride)
        return a->stride < b->stride ? -1 : 1;
    return (a->lines > b->lines) - (a->lines < b->lines);
}

static void read_rows(const struct series *series, struct evidence *evidence)
{
    bool cycles = true;
    for (size_t i = 0; i < series->count; i++) {
        const struct series_point *point = &series->points[i];
        bool known = point->best > 0 && isfinite(point->best);
        cycles = cycles && (!known || (point->cycles > 0 && isfinite(point->cycles)));
    }
    for (size_t i = 0; i < series->count; i++) {
        const struct series_point *point = &series->points[i];
        const unsigned bad = POINT_WRONG | POINT_UNREACHED | POINT_UNLAWFUL;
        double cost = cycles ? point->cycles : point->best;
        if (!(point->flags & bad) && cost > 0 && isfinite(cost) && point->at[0] > 0)
            evidence->rows[evidence->row_count++] =
                (struct row){point->at[0], point->at[1], cost};
    }
    qsort(evidence->rows, evidence->row_count, sizeof *evidence->rows,
          by_stride_then_lines);
}

/* The fewest lines of every stride fit any cache: their median is the cost of a hit. */
static double find_base(const struct evidence *evidence, double *buffer)
{
    size_t count = 0;
    for (size_t i = 0; i < evidence->row_count; i++) {
        if (i == 0 || evidence->rows[i].stride != evidence->rows[i - 1].stride)
            buffer[count++] = evidence->rows[i].cost;
    }
    sonde_measure_sort(buffer, count);
    return sonde_measure_median(buffer, count);
}

/* From the largest count down: the first that is cheap ends the search. */
static struct knee find_knee(const struct evidence *evidence, size_t first, size_t end)
{
    const struct row *rows = evidence->rows;
    struct knee knee = {rows[first].stride, NAN, INFINITY};
    size_t i = end;
    while (i > first && rows[i - 1].cost > knee_ratio * evidence->base)
        i--;
    if (i > first)
        knee.lines = rows[i - 1].lines;
    if (i < end)
        knee.next = rows[i].lines;
    return knee;
}

static void find_knees(struct evidence *evidence)
{
    for (size_t first = 0, end; first < evidence->row_count; first = end) {
        end = first;
        while (end < evidence->row_count &&
               evidence->rows[end].stride == evidence->rows[first].stride)
            end++;
        evidence->knees[evidence->knee_count++] = find_knee(evidence, first, end);
    }
}

/* An exact knee was bracketed by two counts that follow each other. */
static bool exact(const struct knee *knee)
{
    return knee->next - knee->lines == 1;
}

static size_t count_same(const struct evidence *evidence, double lines)
{
    size_t same = 0;
    for (size_t i = 0; i < evidence->knee_count; i++)
        same += exact(&evidence->knees[i]) && evidence->knees[i].lines == lines;
    return same;
}

/* Ways: the exact knee most strides share. Span: the smallest stride that shows it. */
static void find_ways(struct evidence *evidence)
{
    size_t most = 0;
    for (size_t i = 0; i < evidence->knee_count; i++) {
        const struct knee *knee = &evidence->knees[i];
        size_t same = exact(knee) ? count_same(evidence, knee->lines) : 0;
        if (same > most) {
            most = same;
            evidence->ways = knee->lines;
            evidence->span = knee->stride;
        }
    }
    for (size_t i = 0; i < evidence->knee_count; i++) {
        const struct knee *knee = &evidence->knees[i];
        evidence->large += knee->stride >= evidence->span;
    }
    evidence->agreeing = (double)most;
}

static bool knee_holds(const struct knee *knee, double expected)
{
    double low = isnan(knee->lines) ? 0 : knee->lines;
    return expected >= 0.85 * low && expected <= 1.15 * fmax(low, knee->next - 1);
}

/* Below the span every halving of the stride doubles the knee. `*seen`: strides there. */
static bool doubles_below(struct evidence *evidence, size_t *seen, char *text,
                          size_t room)
{
    bool ok = true;
    size_t used = 0;
    *seen = 0;
    text[0] = '\0';
    for (size_t i = evidence->knee_count; i-- > 0;) {
        const struct knee *knee = &evidence->knees[i];
        double expected = evidence->ways * evidence->span / knee->stride;
        if (knee->stride >= evidence->span || *seen == 3)
            continue;
        ok = ok && knee_holds(knee, expected);
        (*seen)++;
        int more = snprintf(text + used, room - used, "%s%.0f lines at stride %.0f",
                            used ? ", " : "", knee->lines, knee->stride);
        used = more > 0 && used + (size_t)more < room ? used + (size_t)more : used;
    }
    return ok;
}

static bool give_up(struct findings *findings, const char *level, const char *what,
                    const char *unit, const char *reason)
{
    char name[48];
    snprintf(name, sizeof name, "%s.%s", level, what);
    return sonde_infer_give_up(findings, name, unit, "%s", reason);
}

static bool find(struct findings *findings, const char *level, const char *what,
                 const char *unit, double value, double confidence)
{
    char name[48];
    snprintf(name, sizeof name, "%s.%s", level, what);
    return sonde_infer_find(findings, name, unit, value, value, value, confidence,
                            "conflicts of lines at one stride, in a random cycle");
}

static int refuse(struct findings *findings, const char *level, const char *reason,
                  bool ways_too)
{
    bool done = (!ways_too || give_up(findings, level, "ways", "count", reason)) &&
                give_up(findings, level, "sets", "count", reason) &&
                give_up(findings, level, "span", "bytes", reason) &&
                give_up(findings, level, "size", "bytes", reason);
    return done ? 0 : -ENOMEM;
}

static int report(struct evidence *evidence, const char *level, double line_bytes,
                  struct findings *findings)
{
    char observed[160], expected[80];
    size_t below;
    bool ok = doubles_below(evidence, &below, observed, sizeof observed);
    double share = evidence->agreeing / evidence->large;
    double confidence = fmin(0.99, share) * (ok && below ? 1 : 0.6);
    double span = evidence->span, ways = evidence->ways;
    snprintf(expected, sizeof expected, "the knee doubles from %.0f with every halving",
             ways);
    if (below && !sonde_infer_control(findings, ok, "strides below the span of a way",
                                      expected, "%s", observed))
        return -ENOMEM;
    if (!find(findings, level, "ways", "count", ways, confidence))
        return -ENOMEM;
    if (below == 0)
        return refuse(findings, level,
                      "every stride showed the same knee: none is below "
                      "the span of a way",
                      false);
    if (!ok)
        return refuse(findings, level, "the knee does not double below the span", false);
    bool done = find(findings, level, "sets", "count", span / line_bytes, confidence) &&
                find(findings, level, "span", "bytes", span, confidence) &&
                find(findings, level, "size", "bytes", ways * span, confidence);
    return done ? 0 : -ENOMEM;
}

static int weigh(struct evidence *evidence, const char *level, double line_bytes,
                 struct findings *findings)
{
    char reason[160];
    if (evidence->knee_count < 3)
        return refuse(findings, level, "fewer than three strides were measured", true);
    find_ways(evidence);
    if (evidence->agreeing < 3) {
        snprintf(reason, sizeof reason, "strides disagree: no three show the same knee");
        return refuse(findings, level, reason, true);
    }
    if (3 * evidence->agreeing < 2 * evidence->large) {
        snprintf(
            reason, sizeof reason,
            "strides disagree: %.0f of %.0f from %.0f bytes up show a knee at %.0f lines",
            evidence->agreeing, evidence->large, evidence->span, evidence->ways);
        return refuse(findings, level, reason, true);
    }
    return report(evidence, level, line_bytes, findings);
}

int sonde_infer_conflicts(const struct series *series, const char *level,
                          double line_bytes, struct findings *findings)
{
    size_t room = series->count + 1;
    struct evidence evidence = {.rows = malloc(room * sizeof(struct row)),
                                .knees = malloc(room * sizeof(struct knee))};
    double *buffer = malloc(room * sizeof *buffer);
    int error = -ENOMEM;
    if (evidence.rows && evidence.knees && buffer) {
        read_rows(series, &evidence);
        evidence.base = find_base(&evidence, buffer);
        find_knees(&evidence);
        error = weigh(&evidence, level, line_bytes, findings);
    }
    free(evidence.rows);
    free(evidence.knees);
    free(buffer);
    return error;
}
