/* From a series to a curve: which points count, in what unit, and round by round.
 *
 * Points whose kernel went wrong, that broke a law or were never reached are left out,
 * and those that a neighbour on the core disturbed while they are few; a series in ns
 * whose points all carry cycles is looked at in cycles, which a drifting core clock
 * leaves alone. */
#include "infer/extract.h"
#include "infer/shape.h"

#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double usual_quantile = 0.25, disturbed_quantile = 0.1;

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

static size_t round_of(const struct sample *sample)
{
    return sample->round % ROUNDS_MOST;
}

static size_t count_rounds(const struct row *rows, size_t count)
{
    size_t rounds = 0;
    for (size_t i = 0; i < count; i++) {
        const struct series_point *point = rows[i].point;
        for (size_t k = 0; point->samples && k < point->n; k++) {
            size_t round = round_of(&point->samples[k]);
            rounds = round + 1 > rounds ? round + 1 : rounds;
        }
    }
    return rounds;
}

/* The point's costs in one round, ascending: how many. */
static size_t costs_of_round(const struct series_point *point, size_t round, bool cycles,
                             double *costs)
{
    size_t known = 0;
    for (size_t k = 0; point->samples && k < point->n; k++) {
        const struct sample *sample = &point->samples[k];
        double value = cycles ? sample->cycles : sample->value;
        if (round_of(sample) == round && value > 0 && isfinite(value))
            costs[known++] = value;
    }
    sonde_measure_sort(costs, known);
    return known;
}

/* The most samples that any point has in one round. */
static size_t most_in_round(const struct extract *extract, size_t rounds, size_t *tally)
{
    size_t most = 1;
    for (size_t i = 0; i < extract->curve.count; i++) {
        const struct series_point *point = extract->point[i];
        memset(tally, 0, rounds * sizeof *tally);
        for (size_t k = 0; point->samples && k < point->n; k++) {
            size_t many = ++tally[round_of(&point->samples[k])];
            most = many > most ? many : most;
        }
    }
    return most;
}

/* Fills point `i` of round `r`: all its costs, or their quantile where a round has one
 * row. */
static void fill_round(const struct extract *extract, size_t r, size_t i, double *buffer)
{
    const struct curve *curve = &extract->curve;
    double *costs = (double *)curve->round_cost;
    size_t rows = sonde_infer_rows(curve);
    size_t known = costs_of_round(extract->point[i], r, extract->in_cycles, buffer);

    if (rows == 1)
        buffer[0] = sonde_measure_quantile(buffer, known, usual_quantile);
    for (size_t k = 0; k < rows; k++)
        costs[(r * rows + k) * curve->count + i] =
            k < known || rows == 1 ? buffer[k] : NAN;
}

/* The cost of a point is that quantile over its rounds which the draws of the bootstrap
 * take as well. */
static void consolidate(struct curve *curve, double *column)
{
    double *cost = (double *)curve->cost;
    for (size_t i = 0; i < curve->count; i++) {
        size_t known = sonde_infer_round_costs(curve, i, column);
        sonde_measure_sort(column, known);
        if (known)
            cost[i] =
                sonde_measure_quantile(column, known, sonde_infer_cost_quantile(curve));
    }
}

static bool often_set_aside(const struct curve *curve, double *buffer)
{
    memcpy(buffer, curve->set_aside, curve->count * sizeof *buffer);
    sonde_measure_sort(buffer, curve->count);
    return sonde_measure_median(buffer, curve->count) >= SONDE_INFER_OFTEN_SET_ASIDE;
}

static size_t most_samples(const struct extract *extract)
{
    size_t most = 1;
    for (size_t i = 0; i < extract->curve.count; i++)
        most = extract->point[i]->n > most ? extract->point[i]->n : most;
    return most;
}

static int fill_rounds(struct extract *extract, size_t rounds, enum grain grain)
{
    struct curve *curve = &extract->curve;
    size_t *tally = malloc(rounds * sizeof *tally), rows = 1;
    double *buffer = NULL;

    if (!tally)
        return -ENOMEM;
    if (grain == GRAIN_SAMPLE)
        rows = most_in_round(extract, rounds, tally);
    free(tally);
    buffer =
        malloc((rounds * rows + most_samples(extract) + curve->count) * sizeof *buffer);
    curve->round_cost = malloc((rounds * rows * curve->count + 1) * sizeof(double));
    if (!buffer || !curve->round_cost) {
        free(buffer);
        return -ENOMEM;
    }
    curve->rounds = rounds;
    curve->per_round = rows;
    curve->quantile = grain == GRAIN_SAMPLE && often_set_aside(curve, buffer)
                          ? disturbed_quantile
                          : usual_quantile;
    for (size_t r = 0; r < rounds; r++)
        for (size_t i = 0; i < curve->count; i++)
            fill_round(extract, r, i, buffer);
    consolidate(curve, buffer);
    free(buffer);
    return 0;
}

static double share_set_aside(const struct series_point *point)
{
    double taken = (double)point->n + (double)point->rejected;
    return taken > 0 ? (double)point->rejected / taken : 0;
}

static int fill(struct extract *extract, const struct row *rows, size_t count,
                enum grain grain)
{
    double *size = malloc((count + 1) * sizeof *size);
    double *cost = malloc((count + 1) * sizeof *cost);
    double *set_aside = malloc((count + 1) * sizeof *set_aside);
    extract->point = malloc((count + 1) * sizeof *extract->point);
    extract->curve = (struct curve){
        .count = count, .size = size, .cost = cost, .set_aside = set_aside};
    if (!size || !cost || !set_aside || !extract->point)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        size[i] = rows[i].size;
        cost[i] = extract->in_cycles ? rows[i].point->cycles : rows[i].point->best;
        set_aside[i] = share_set_aside(rows[i].point);
        extract->point[i] = rows[i].point;
    }
    size_t rounds = count_rounds(rows, count);
    return rounds > 1 ? fill_rounds(extract, rounds, grain) : 0;
}

int sonde_infer_extract(const struct series *series, enum grain grain,
                        struct extract *extract)
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
    int error = fill(extract, rows, count, grain);
    free(rows);
    if (error)
        sonde_infer_extract_free(extract);
    return error;
}

void sonde_infer_extract_free(struct extract *extract)
{
    free((void *)extract->curve.size);
    free((void *)extract->curve.cost);
    free((void *)extract->curve.set_aside);
    free((void *)extract->curve.round_cost);
    free(extract->point);
    *extract = (struct extract){0};
}
