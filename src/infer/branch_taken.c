/* How many taken branches a core knows the targets of in time, by their spacing.
 *
 *   cost of a branch, less what the same code costs when none is taken
 *    |              ____ found out late
 *    |             /
 *    |   ---------/----- half of it
 *    |      _____/       a slower buffer, here and there
 *    |_____/
 *    +----------+------- branches in a row, again and again
 *            capacity
 *
 * A front end looks up where a branch leads before it has read it; one whose target is in
 * no buffer is found out when it is decoded or executed. That costs a third of a
 * misprediction or more, a further buffer less. The value is the longest row that costs
 * less than half of what the longest of all costs; buffers forget some branches before
 * they forget most, so the interval begins at a quarter. Buffers are looked up by
 * address, so the spacing decides how many of their sets serve: each has a figure of its
 * own.
 *
 * What can fool it: the first level of the instruction cache, which long rows leave too.
 * The same code with no branch taken shows what that costs; it is taken off, and where it
 * alone costs a quarter of a misprediction at the end, the figure is doubted. A buffer so
 * slow that it costs a third of a misprediction passes for none. */
#include "infer/branch.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

enum { ROW_MAX = 32 };

static const char method[] =
    "rows of taken branches, longer and longer, until most are found out late";
/* Of the shortest rows, which any core holds. */
static const size_t short_rows = 3;
/* Of a misprediction: what a branch costs more at least whose target is not known. */
static const double late_least = 1.0 / 3;
/* Of a misprediction: what the code alone may cost more where the branches fail. */
static const double code_alone = 0.25;

struct row {
    size_t count;
    double branches[ROW_MAX]; /* ascending */
    double taken[ROW_MAX], straight[ROW_MAX];
};

static double cost_at(const struct series *series, double branches, double spacing)
{
    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (point->at[0] == branches && point->at[1] == spacing)
            return point->n > 0 && point->cycles > 0 && !(point->flags & POINT_WRONG)
                       ? point->cycles
                       : NAN;
    }
    return NAN;
}

static void insert(struct row *row, double branches, double taken, double straight)
{
    size_t at = row->count;

    if (at == ROW_MAX)
        return;
    for (; at > 0 && row->branches[at - 1] > branches; at--) {
        row->branches[at] = row->branches[at - 1];
        row->taken[at] = row->taken[at - 1];
        row->straight[at] = row->straight[at - 1];
    }
    row->branches[at] = branches;
    row->taken[at] = taken;
    row->straight[at] = straight;
    row->count++;
}

/* What was timed both ways. */
static void read_row(const struct history_series *series, double spacing, struct row *row)
{
    const struct series *taken = series->taken;

    row->count = 0;
    for (size_t i = 0; taken && i < taken->count; i++) {
        double branches = taken->points[i].at[0];
        double cost = cost_at(taken, branches, spacing);
        double straight = cost_at(series->straight, branches, spacing);

        if (taken->points[i].at[1] == spacing && cost > 0 && straight > 0)
            insert(row, branches, cost, straight);
    }
}

static double least_of(const double *costs)
{
    double least = costs[0];

    for (size_t i = 1; i < short_rows; i++)
        least = fmin(least, costs[i]);
    return least;
}

/* What the code alone costs more than in short rows. */
static double code_excess(const struct row *row, size_t at)
{
    return fmax(0, row->straight[at] - least_of(row->straight));
}

static double excess(const struct row *row, size_t at)
{
    return row->taken[at] - least_of(row->taken) - code_excess(row, at);
}

/* The first row from which on the branches never cost less than `limit` more. */
static size_t reaches(const struct row *row, double limit)
{
    size_t at = row->count;

    while (at > 0 && excess(row, at - 1) >= limit)
        at--;
    return at;
}

static int report_all_known(const struct row *row, const char *name,
                            struct findings *findings)
{
    double last = row->branches[row->count - 1];
    struct finding *finding =
        sonde_infer_find(findings, name, "count", NAN, last, NAN, 0.8, method);

    if (!finding)
        return -ENOMEM;
    sonde_infer_explain(finding, "all that were tried are known, up to %.0f", last);
    return 0;
}

static int report(const struct row *row, const char *name, double penalty,
                  struct findings *findings)
{
    double late = excess(row, row->count - 1), alone;
    size_t quarter = reaches(row, late / 4), half = reaches(row, late / 2);
    struct finding *finding;
    bool doubted;

    if (late < late_least * penalty)
        return report_all_known(row, name, findings);
    alone = code_excess(row, half) / penalty;
    doubted = alone > code_alone;
    finding =
        sonde_infer_find(findings, name, "count", row->branches[half > 0 ? half - 1 : 0],
                         row->branches[quarter > 0 ? quarter - 1 : 0],
                         row->branches[half], doubted ? 0.4 : 0.8, method);
    if (!finding)
        return -ENOMEM;
    if (doubted)
        sonde_infer_explain(finding, "at least: the code of so many leaves the "
                                     "instruction cache, which costs as much");
    else
        sonde_infer_explain(finding, "of %.0f most are found out late, %.1f cycles each",
                            row->branches[half], excess(row, half));
    return sonde_infer_control(
               findings, !doubted, "the code of those branches, run straight through",
               "costs at most a quarter of a misprediction more than that of few",
               "%.2f of one", alone)
               ? 0
               : -ENOMEM;
}

int sonde_infer_taken(const struct history_series *series, unsigned spacing,
                      double penalty, struct findings *findings)
{
    struct row row;
    char name[32];

    snprintf(name, sizeof name, "history.btb.%u", spacing);
    read_row(series, spacing, &row);
    if (!(penalty > 0))
        return sonde_infer_give_up(
                   findings, name, "count",
                   "a misprediction costs less than 3 cycles or could not "
                   "be timed: nothing shows which targets are known")
                   ? 0
                   : -ENOMEM;
    if (row.count < short_rows + 1)
        return sonde_infer_give_up(findings, name, "count",
                                   "too few rows of branches were timed")
                   ? 0
                   : -ENOMEM;
    return report(&row, name, penalty, findings);
}
