/* From a series to a curve: which points count, in what unit, and round by round.
 *
 * Points whose kernel went wrong, that broke a law or were never reached are left out,
 * and those that a neighbour on the core disturbed while they are few; a series in ns
 * whose points all carry cycles is looked at in cycles, which a drifting core clock
 * leaves alone. One cost per round and point: the low quartile of the round's samples. */
#include "infer/extract.h"
#include "infer/shape.h"

#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounds beyond this are merged into the earlier ones; no plan has as many. */
enum { ROUNDS_MOST = 512 };

static unsigned size_axis(const struct series *series)
{
    for (unsigned i = 0; i < series->axis_count; i++) {
        if (series->axes[i].name && strcmp(series->axes[i].name, "size") == 0)
            return i;
    }
    return 0;
}

/* Points with a neighbour on the core tell of less cache than there is. They are left out
 * while they are few; where they are not, they are what there is. */
static bool often_shared(const struct series *series)
{
    size_t shared = 0;
    for (size_t i = 0; i < series->count; i++)
        shared += (series->points[i].flags & POINT_SHARED) != 0;
    return 4 * shared > series->count;
}

static bool usable(const struct series_point *point, unsigned bad, unsigned axis)
{
    return !(point->flags & bad) && point->at[axis] >= 1 && isfinite(point->at[axis]) &&
           point->best > 0 && isfinite(point->best);
}

struct row {
    double size;
    const struct series_point *point;
};

static int by_size(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return (a->point->best > b->point->best) - (a->point->best < b->point->best);
}

static size_t gather(const struct series *series, struct row *rows)
{
    unsigned axis = size_axis(series);
    unsigned bad = POINT_WRONG | POINT_UNREACHED | POINT_UNLAWFUL |
                   (often_shared(series) ? 0 : POINT_SHARED);
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < series->count; i++) {
        if (usable(&series->points[i], bad, axis))
            rows[count++] = (struct row){series->points[i].at[axis], &series->points[i]};
    }
    qsort(rows, count, sizeof *rows, by_size);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || rows[i].size > rows[kept - 1].size)
            rows[kept++] = rows[i];
    }
    return kept;
}

static bool all_have_cycles(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(rows[i].point->cycles > 0) || !isfinite(rows[i].point->cycles))
            return false;
    }
    return count > 0;
}

static size_t count_rounds(const struct row *rows, size_t count)
{
    size_t rounds = 0;
    for (size_t i = 0; i < count; i++) {
        const struct series_point *point = rows[i].point;
        for (size_t k = 0; point->samples && k < point->n; k++) {
            size_t round = point->samples[k].round % ROUNDS_MOST;
            rounds = round + 1 > rounds ? round + 1 : rounds;
        }
    }
    return rounds;
}

/* The low quartile of the point's samples of one round; NaN when it has none. */
static double round_cost(const struct series_point *point, size_t round, bool cycles,
                         double *buffer)
{
    size_t known = 0;
    for (size_t k = 0; point->samples && k < point->n; k++) {
        const struct sample *sample = &point->samples[k];
        double value = cycles ? sample->cycles : sample->value;
        if (sample->round % ROUNDS_MOST == round && value > 0 && isfinite(value))
            buffer[known++] = value;
    }
    sonde_measure_sort(buffer, known);
    return sonde_measure_quantile(buffer, known, 0.25);
}

/* The cost of a point is the low quartile over its rounds, as in the draws of the
 * bootstrap: rounds differ by their placements, samples of one do not. */
static int consolidate(struct curve *curve)
{
    double *column = malloc(curve->rounds * sizeof *column);
    double *cost = (double *)curve->cost;
    if (!column)
        return -ENOMEM;
    for (size_t i = 0; i < curve->count; i++) {
        size_t known = sonde_infer_round_costs(curve, i, column);
        sonde_measure_sort(column, known);
        if (known)
            cost[i] = sonde_measure_quantile(column, known, 0.25);
    }
    free(column);
    return 0;
}

static int fill_rounds(struct extract *extract, size_t rounds)
{
    size_t count = extract->curve.count, most = 1;
    for (size_t i = 0; i < count; i++)
        most = extract->point[i]->n > most ? extract->point[i]->n : most;
    double *buffer = malloc(most * sizeof *buffer);
    double *costs = malloc((rounds * count + 1) * sizeof *costs);
    if (!buffer || !costs) {
        free(buffer);
        free(costs);
        return -ENOMEM;
    }
    for (size_t r = 0; r < rounds; r++) {
        for (size_t i = 0; i < count; i++)
            costs[r * count + i] =
                round_cost(extract->point[i], r, extract->in_cycles, buffer);
    }
    free(buffer);
    extract->curve.round_cost = costs;
    extract->curve.rounds = rounds;
    return consolidate(&extract->curve);
}

static int fill(struct extract *extract, const struct row *rows, size_t count)
{
    double *size = malloc((count + 1) * sizeof *size);
    double *cost = malloc((count + 1) * sizeof *cost);
    extract->point = malloc((count + 1) * sizeof *extract->point);
    extract->curve = (struct curve){.count = count, .size = size, .cost = cost};
    if (!size || !cost || !extract->point)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        size[i] = rows[i].size;
        cost[i] = extract->in_cycles ? rows[i].point->cycles : rows[i].point->best;
        extract->point[i] = rows[i].point;
    }
    size_t rounds = count_rounds(rows, count);
    return rounds > 1 ? fill_rounds(extract, rounds) : 0;
}

int sonde_infer_extract(const struct series *series, struct extract *extract)
{
    *extract = (struct extract){0};
    if (!series || series->count == 0)
        return 0;
    struct row *rows = malloc(series->count * sizeof *rows);
    if (!rows)
        return -ENOMEM;
    size_t count = gather(series, rows);
    extract->in_cycles = all_have_cycles(rows, count);
    extract->in_ns = series->unit && strcmp(series->unit, "ns") == 0;
    int error = fill(extract, rows, count);
    free(rows);
    if (error)
        sonde_infer_extract_free(extract);
    return error;
}

void sonde_infer_extract_free(struct extract *extract)
{
    free((void *)extract->curve.size);
    free((void *)extract->curve.cost);
    free((void *)extract->curve.round_cost);
    free(extract->point);
    *extract = (struct extract){0};
}
