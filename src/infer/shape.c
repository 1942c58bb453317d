/* From costs to a monotone curve of logarithms.
 *
 *   raw      .  .  '  .   .            .  ' .      ' a sample that was disturbed
 *   y        .  .  .  .   .   rising   .  . .
 *
 * The true cost of a chase never falls as its ring grows, and disturbance only adds; so
 * the smallest cost of all larger sizes bounds the true curve from above (suffix
 * minimum). One pit, though, would then pull down all that lies before it: a pit narrower
 * than 3/8 of an octave is filled first, by a closing, which leaves a monotone curve as
 * it is.
 *
 * What can fool it: a prefetcher that learns the walk makes a wide pit, which is not
 * filled; sonde_infer_shape_dip() tells how deep it is. */
#include "infer/shape.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More points an octave than this tell nothing more about levels. */
enum { DENSITY_MOST = 16 };

/* Below 1.5 % a step is within what placement alone does from run to run. */
static const double sigma_least = 0.015;

static size_t group_points(const struct curve *curve, size_t *first)
{
    double span = log2(curve->size[curve->count - 1] / curve->size[0]);
    bool thin = (double)(curve->count - 1) > DENSITY_MOST * span;
    size_t groups = 0;
    double bin_before = -1;
    for (size_t i = 0; i < curve->count; i++) {
        double bin = floor(log2(curve->size[i] / curve->size[0]) * DENSITY_MOST);
        if (!thin || bin > bin_before)
            first[groups++] = i;
        bin_before = bin;
    }
    first[groups] = curve->count;
    return groups;
}

/* The step in which values were printed: 1, 0.1 or 0.01, when all are whole multiples of
 * it and it matters beside the smallest. */
static double find_quantum(const double *cost, size_t count)
{
    double smallest = INFINITY;
    for (size_t i = 0; i < count; i++)
        smallest = fmin(smallest, cost[i]);
    for (double quantum = 1; quantum > 0.005; quantum /= 10) {
        bool whole = true;
        for (size_t i = 0; i < count && whole; i++)
            whole = fabs(cost[i] / quantum - round(cost[i] / quantum)) < 1e-6;
        if (whole)
            return quantum > 0.02 * smallest ? quantum : 0;
    }
    return 0;
}

size_t sonde_infer_rows(const struct curve *curve)
{
    return curve->per_round ? curve->per_round : 1;
}

double sonde_infer_cost_quantile(const struct curve *curve)
{
    return curve->quantile > 0 ? curve->quantile : 0.25;
}

size_t sonde_infer_round_costs(const struct curve *curve, size_t i, double *column)
{
    size_t known = 0;
    for (size_t r = 0; r < curve->rounds * sonde_infer_rows(curve); r++) {
        double cost = curve->round_cost[r * curve->count + i];
        if (isfinite(cost) && cost > 0)
            column[known++] = cost;
    }
    return known;
}

/* How far the `p` quantile of a point's costs may be off, as one sigma of its logarithm:
 * half the distance of the order statistics one standard error to either side. */
static double spread_of(double *cost, size_t count, double p)
{
    double error = sqrt((double)count * p * (1 - p)), rank = p * (double)count;
    double most = (double)(count - 1);
    size_t low = (size_t)fmax(0, floor(rank - error));
    size_t high = (size_t)fmin(most, ceil(rank + error));
    sonde_measure_sort(cost, count);
    return log(cost[high] / cost[low]) / 2;
}

/* Two costs or fewer tell nothing of their spread. */
enum { SPREAD_COSTS = 3 };

static double point_spread(const struct curve *curve, size_t i, double *column)
{
    size_t known = sonde_infer_round_costs(curve, i, column);
    return known < SPREAD_COSTS
               ? NAN
               : spread_of(column, known, sonde_infer_cost_quantile(curve));
}

/* A point of too few rounds is as unsure as the least sure of the four nearest that were
 * visited more often. */
static double neighbours_spread(const double *spread, size_t count, size_t i)
{
    double most = 0;
    int found = 0;
    for (size_t off = 1; off < count && found < 4; off++) {
        if (off <= i && isfinite(spread[i - off])) {
            most = fmax(most, spread[i - off]);
            found++;
        }
        if (i + off < count && isfinite(spread[i + off])) {
            most = fmax(most, spread[i + off]);
            found++;
        }
    }
    return most;
}

static int fill_spread(struct shape *shape, const struct curve *curve)
{
    double *column, *known;
    if (!curve->round_cost || curve->rounds == 0)
        return 0;
    column = malloc(curve->rounds * sonde_infer_rows(curve) * sizeof *column);
    known = malloc(shape->count * sizeof *known);
    if (column && known) {
        for (size_t i = 0; i < shape->count; i++)
            known[i] = point_spread(curve, shape->first[i], column);
        for (size_t i = 0; i < shape->count; i++)
            shape->spread[i] =
                isfinite(known[i]) ? known[i] : neighbours_spread(known, shape->count, i);
    }
    int error = column && known ? 0 : -ENOMEM;
    free(column);
    free(known);
    return error;
}

int sonde_infer_shape_open(struct shape *shape, const struct curve *curve)
{
    size_t n = curve->count;
    *shape = (struct shape){.first = malloc((n + 1) * sizeof(size_t)),
                            .x = calloc(n, sizeof(double)),
                            .raw = malloc(n * sizeof(double)),
                            .y = malloc(n * sizeof(double)),
                            .scratch = malloc((2 * n + 2) * sizeof(double)),
                            .noise = malloc(n * sizeof(double)),
                            .spread = calloc(n, sizeof(double))};
    if (!shape->first || !shape->x || !shape->raw || !shape->y || !shape->scratch ||
        !shape->noise || !shape->spread) {
        sonde_infer_shape_close(shape);
        return -ENOMEM;
    }
    shape->count = group_points(curve, shape->first);
    for (size_t i = 0; i < shape->count; i++)
        shape->x[i] = log2(curve->size[shape->first[i]]);
    double span = shape->x[shape->count - 1] - shape->x[0];
    shape->density = span > 0 ? (double)(shape->count - 1) / span : DENSITY_MOST;
    shape->quantum = find_quantum(curve->cost, n);
    if (fill_spread(shape, curve) != 0) {
        sonde_infer_shape_close(shape);
        return -ENOMEM;
    }
    sonde_infer_shape_update(shape, curve->cost);
    return 0;
}

void sonde_infer_shape_close(struct shape *shape)
{
    free(shape->first);
    free(shape->x);
    free(shape->raw);
    free(shape->y);
    free(shape->scratch);
    free(shape->noise);
    free(shape->spread);
    *shape = (struct shape){0};
}

/* Most first differences lie on plateaus of a fine grid, so their median is noise. The
 * divisors are quantiles of |N(0,1) - N(0,1)|. */
static double fine_sigma(double *differences, size_t count)
{
    for (size_t i = 0; i < count; i++)
        differences[i] = fabs(differences[i]);
    sonde_measure_sort(differences, count);
    return sonde_measure_quantile(differences, count, 0.5) / 0.954;
}

/* On a coarse grid most differences are edges. What is surely noise there are the falls:
 * the true curve has none. A single spike makes one large fall, hence the lower quartile
 * of all differences as the other bound. */
static double coarse_sigma(double *differences, size_t count)
{
    sonde_measure_sort(differences, count);
    size_t falls = 0;
    while (falls < count && differences[falls] < 0)
        falls++;
    double by_falls = falls ? -sonde_measure_median(differences, falls) / 0.954 : 0;
    for (size_t i = 0; i < falls; i++)
        differences[i] = -differences[i];
    sonde_measure_sort(differences, count);
    return fmin(by_falls, sonde_measure_quantile(differences, count, 0.25) / 0.451);
}

static double find_sigma(struct shape *shape)
{
    size_t count = shape->count - 1;
    for (size_t i = 0; i < count; i++)
        shape->scratch[i] = shape->raw[i + 1] - shape->raw[i];
    bool fine = shape->density >= SONDE_INFER_FINE_DENSITY;
    return fmax(sigma_least, fine ? fine_sigma(shape->scratch, count)
                                  : coarse_sigma(shape->scratch, count));
}

/* Closing with windows of `width` + 1 points: the lowest of the highest values of all
 * windows that hold a point. Windows may stand out over both ends: what nothing follows
 * is no pit. `highest` holds count + width values. */
static void fill_pits(const double *in, double *out, double *highest, size_t count,
                      size_t width)
{
    for (size_t end = 0; end < count + width; end++) {
        size_t start = end > width ? end - width : 0;
        highest[end] = in[start];
        for (size_t i = start + 1; i <= end && i < count; i++)
            highest[end] = fmax(highest[end], in[i]);
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = highest[i];
        for (size_t end = i; end <= i + width; end++)
            out[i] = fmin(out[i], highest[end]);
    }
}

void sonde_infer_shape_update(struct shape *shape, const double *cost)
{
    for (size_t i = 0; i < shape->count; i++) {
        size_t from = shape->first[i], many = shape->first[i + 1] - from;
        memcpy(shape->scratch, cost + from, many * sizeof *cost);
        sonde_measure_sort(shape->scratch, many);
        shape->raw[i] = log(sonde_measure_median(shape->scratch, many));
    }
    shape->sigma = find_sigma(shape);
    for (size_t i = 0; i < shape->count; i++)
        shape->noise[i] = hypot(shape->sigma, shape->spread[i]);
    size_t width = (size_t)fmax(1, round(0.375 * shape->density));
    fill_pits(shape->raw, shape->y, shape->scratch, shape->count, width);
    for (size_t i = shape->count - 1; i-- > 0;)
        shape->y[i] = fmin(shape->y[i], shape->y[i + 1]);
}

static double middle_of_three(const double *v)
{
    return fmax(fmin(v[0], v[1]), fmin(fmax(v[0], v[1]), v[2]));
}

double sonde_infer_shape_dip(struct shape *shape)
{
    double highest = -INFINITY, fall = 0;
    /* Medians of three: one disturbed point is no fall. */
    for (size_t i = 0; i + 2 < shape->count; i++) {
        double here = middle_of_three(shape->raw + i);
        highest = fmax(highest, here);
        fall = fmax(fall, highest - here);
    }
    return exp(fall);
}
