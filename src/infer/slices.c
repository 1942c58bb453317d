/* A mountain as a grid, and the line as the knee over its strides.
 *
 *   cost of   |        ______  each access has a line to itself
 *   an access |     __/
 *             |  __/           fewer accesses share a line
 *             +-------|------  stride
 *                   line
 *
 * For each size the cost over strides is fitted by two straight lines that meet at a
 * power of two; sizes at which the first is steep and the second is not vote for where
 * they meet. What can fool it: levels whose lines come faster than loads issue (no slope,
 * no vote), and neighbours that come in along, which look like a longer line far out:
 * near levels outvote them. */
#include "infer/slices.h"

#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Lines that a core may have. */
static const double shortest_bytes = 32, longest_bytes = 256;
/* A vote: the first line climbs by a third at least, the second is at most a third as
 * steep, and points lie on them within a tenth. */
static const double climb_least = 1.33, second_most = 1.0 / 3, scatter_most = 0.1;
enum { VOTES_LEAST = 3, KNEES = 4 };
/* Of the votes the winner must have so many. */
static const double votes_share = 0.6;

/* --- the grid -------------------------------------------------------------------------
 */

static bool usable(const struct series_point *point)
{
    return point->n && point->best > 0 && isfinite(point->best) && point->at[0] > 0 &&
           point->at[1] > 0 && !(point->flags & (POINT_WRONG | POINT_UNLAWFUL));
}

static size_t distinct(const struct series *series, unsigned axis, double *values)
{
    size_t count = 0, kept = 0;

    for (size_t i = 0; i < series->count; i++)
        if (usable(&series->points[i]))
            values[count++] = series->points[i].at[axis];
    sonde_measure_sort(values, count);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || values[i] != values[kept - 1])
            values[kept++] = values[i];
    return kept;
}

static size_t index_of(const double *values, size_t count, double value)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool sonde_infer_slices_outdoes(const struct series_point *point, double value,
                                const struct series_point *than, double than_value)
{
    bool shared = point->flags & POINT_SHARED, than_shared;

    if (!than)
        return true;
    than_shared = than->flags & POINT_SHARED;
    return shared == than_shared ? value > than_value : than_shared;
}

static void place(struct slices *slices, const struct series_point *point)
{
    size_t i = index_of(slices->size, slices->sizes, point->at[0]);
    size_t k = index_of(slices->stride, slices->strides, point->at[1]);

    slices->point[i * slices->strides + k] = point;
    if (sonde_infer_slices_outdoes(point, point->best, slices->peak,
                                   slices->peak ? slices->peak->best : 0))
        slices->peak = point;
    if (!slices->bottom || point->best < slices->bottom->best)
        slices->bottom = point;
}

int sonde_infer_slices_open(const struct series *mountain, struct slices *slices)
{
    size_t cells;

    *slices = (struct slices){0};
    slices->size = malloc((mountain->count + 1) * sizeof *slices->size);
    slices->stride = malloc((mountain->count + 1) * sizeof *slices->stride);
    if (!slices->size || !slices->stride)
        return -ENOMEM;
    slices->sizes = distinct(mountain, 0, slices->size);
    slices->strides = distinct(mountain, 1, slices->stride);
    /* A table without a single full row would be almost all holes. */
    cells = slices->sizes * slices->strides;
    if (slices->strides && cells / slices->strides != slices->sizes)
        return -ENOMEM;
    slices->point = calloc(cells + 1, sizeof *slices->point);
    if (!slices->point)
        return -ENOMEM;
    for (size_t i = 0; i < mountain->count; i++)
        if (usable(&mountain->points[i]))
            place(slices, &mountain->points[i]);
    return 0;
}

void sonde_infer_slices_close(struct slices *slices)
{
    free(slices->size);
    free(slices->stride);
    free(slices->point);
    *slices = (struct slices){0};
}

double sonde_infer_slices_rate(const struct slices *slices, size_t size, size_t stride)
{
    const struct series_point *point;

    if (size >= slices->sizes || stride >= slices->strides)
        return NAN;
    point = slices->point[size * slices->strides + stride];
    return point ? point->best : NAN;
}

/* --- the line -------------------------------------------------------------------------
 */

/* cost = base + first * min(stride, knee) + second * max(0, stride - knee) */
struct bend {
    double base, first, second;
    double scatter; /* root of the mean square, relative to the mean cost */
};

/* Sums of the normal equations of three unknowns. */
struct normal {
    double matrix[3][4];
    double mean;
    size_t below, beyond, count;
};

static void add_up(struct normal *normal, const double row[3], double cost)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            normal->matrix[i][j] += row[i] * row[j];
        normal->matrix[i][3] += row[i] * cost;
    }
    normal->mean += cost;
    normal->count++;
}

/* By elimination; false when the points do not decide. */
static bool solve(double matrix[3][4])
{
    for (int i = 0; i < 3; i++) {
        if (fabs(matrix[i][i]) < 1e-12)
            return false;
        for (int row = 0; row < 3; row++) {
            double factor = matrix[row][i] / matrix[i][i];

            for (int column = i; row != i && column < 4; column++)
                matrix[row][column] -= factor * matrix[i][column];
        }
    }
    return true;
}

static double cost_at(const struct slices *slices, size_t size, size_t stride)
{
    return 1e9 / sonde_infer_slices_rate(slices, size, stride);
}

static bool fit(const struct slices *slices, size_t size, double knee, struct bend *bend)
{
    struct normal normal = {{{0}}, 0, 0, 0, 0};
    double squares = 0;

    for (size_t k = 0; k < slices->strides; k++) {
        double stride = slices->stride[k], cost = cost_at(slices, size, k);
        /* In units of the knee, so that the sums stay of one size. */
        double row[3] = {1, fmin(stride, knee) / knee, fmax(0, stride - knee) / knee};

        if (!(cost > 0))
            continue;
        normal.below += stride < knee;
        normal.beyond += stride > knee;
        add_up(&normal, row, cost);
    }
    if (normal.below < 2 || normal.beyond < 3 || !solve(normal.matrix))
        return false;
    bend->base = normal.matrix[0][3] / normal.matrix[0][0];
    bend->first = normal.matrix[1][3] / normal.matrix[1][1];
    bend->second = normal.matrix[2][3] / normal.matrix[2][2];
    for (size_t k = 0; k < slices->strides; k++) {
        double stride = slices->stride[k], cost = cost_at(slices, size, k);
        double line = bend->base + bend->first * fmin(stride, knee) / knee +
                      bend->second * fmax(0, stride - knee) / knee;

        if (cost > 0)
            squares += (cost - line) * (cost - line);
    }
    bend->scatter =
        sqrt(squares / (double)normal.count) / normal.mean * (double)normal.count;
    return true;
}

static bool is_vote(const struct slices *slices, double knee, const struct bend *bend)
{
    double start = bend->base + bend->first * slices->stride[0] / knee;

    return bend->base + bend->first >= climb_least * start &&
           bend->second <= second_most * bend->first && bend->scatter <= scatter_most;
}

/* Number of the knee that fits this size best; KNEES: none does. */
static size_t vote(const struct slices *slices, size_t size)
{
    size_t best = KNEES;
    double least = INFINITY;

    for (size_t i = 0; i < KNEES; i++) {
        double knee = shortest_bytes * exp2((double)i);
        struct bend bend;

        if (knee > longest_bytes || !fit(slices, size, knee, &bend) ||
            bend.scatter >= least)
            continue;
        least = bend.scatter;
        best = is_vote(slices, knee, &bend) ? i : KNEES;
    }
    return best;
}

bool sonde_infer_slices_line(const struct slices *slices, struct findings *findings)
{
    size_t votes[KNEES + 1] = {0}, all = 0, best = 0;
    struct finding *finding;
    double bytes;

    for (size_t i = 0; i < slices->sizes; i++)
        votes[vote(slices, i)]++;
    for (size_t i = 0; i < KNEES; i++) {
        all += votes[i];
        best = votes[i] > votes[best] ? i : best;
    }
    if (all < VOTES_LEAST || (double)votes[best] < votes_share * (double)all)
        return sonde_infer_give_up(
                   findings, "mountain.line", "bytes",
                   "over strides up to %.0f bytes, %zu of %zu sizes show a "
                   "knee, and %zu agree",
                   slices->strides ? slices->stride[slices->strides - 1] : 0, all,
                   slices->sizes, votes[best]) != NULL;
    bytes = shortest_bytes * exp2((double)best);
    finding = sonde_infer_find(findings, "mountain.line", "bytes", bytes, bytes, bytes,
                               fmin(0.9, (double)votes[best] / (double)(all + 1)),
                               "the knee of the cost of an access over strides");
    if (finding)
        sonde_infer_explain(finding, "%zu of the %zu sizes that show a knee", votes[best],
                            all);
    return finding != NULL;
}
