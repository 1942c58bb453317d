/* Coarse grids: levels from the slope.
 *
 *   slope   /\      /\            boundaries: peaks
 *          /  \    /  \  /\
 *   ______/    \__/    \/  \__    levels: valleys
 *
 * With one or two points an octave a level of two octaves has no flat stretch at all;
 * what is left of it is that the curve climbs more slowly inside a level than at its
 * edges. So boundaries are the peaks of the slope (log cost over log size), and two peaks
 * are two boundaries only where the valley between them falls below half of the lower one
 * and below it by more than the noise can do.
 *
 * What can fool it: a level of one octave between two others has no valley and is lost in
 * the edge; translation makes peaks like any cache does. */
#include "infer/shape.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* A run of intervals around one peak; valleys lie between neighbouring hills. */
struct hill {
    size_t first, last, peak; /* intervals, inclusive */
};

struct relief {
    const struct shape *shape;
    double *slope; /* of interval i, between points i and i + 1 */
    struct hill *hills;
    size_t intervals, count;
};

static size_t valley_between(const struct relief *relief, size_t left)
{
    size_t lowest = relief->hills[left].peak;
    for (size_t i = lowest; i <= relief->hills[left + 1].peak; i++) {
        if (relief->slope[i] < relief->slope[lowest])
            lowest = i;
    }
    return lowest;
}

/* Every local maximum is a hill at first. */
static void raise_hills(struct relief *relief)
{
    relief->count = 0;
    for (size_t i = 0; i < relief->intervals; i++) {
        bool climbs = i == 0 || relief->slope[i] > relief->slope[i - 1];
        bool falls =
            i + 1 == relief->intervals || relief->slope[i] >= relief->slope[i + 1];
        if (climbs && falls && relief->slope[i] > 0)
            relief->hills[relief->count++] = (struct hill){i, i, i};
    }
}

/* How clearly the valley behind hill `left` parts it from the next: below 1 it does
 * not.*/
static double parting(const struct relief *relief, size_t left)
{
    const struct hill *hill = &relief->hills[left];
    double lower = fmin(relief->slope[hill[0].peak], relief->slope[hill[1].peak]);
    size_t valley = valley_between(relief, left);
    double width = relief->shape->x[valley + 1] - relief->shape->x[valley];
    double noise = 3 * sqrt(2) * relief->shape->sigma / width;
    double depth = lower - relief->slope[valley];
    return fmin(depth / noise, depth / (0.5 * lower));
}

static void join_hills(struct relief *relief)
{
    while (relief->count > 1) {
        size_t worst = 0;
        for (size_t i = 1; i + 1 < relief->count; i++) {
            if (parting(relief, i) < parting(relief, worst))
                worst = i;
        }
        if (parting(relief, worst) >= 1)
            return;
        struct hill *hill = &relief->hills[worst];
        if (relief->slope[hill[1].peak] > relief->slope[hill[0].peak])
            hill->peak = hill[1].peak;
        relief->count--;
        for (size_t i = worst + 1; i < relief->count; i++)
            relief->hills[i] = relief->hills[i + 1];
    }
}

/* The flat stretch around the lowest interval of [from, to): as long as it climbs at less
 * than half the slope of the lower of the peaks beside it. */
static struct plateau flat_stretch(const struct relief *relief, size_t from, size_t to,
                                   double limit)
{
    const struct shape *shape = relief->shape;
    size_t lowest = from;
    for (size_t i = from; i < to; i++) {
        if (relief->slope[i] < relief->slope[lowest])
            lowest = i;
    }
    size_t first = lowest, last = lowest + 1;
    while (first > from && relief->slope[first - 1] < limit)
        first--;
    while (last < to && relief->slope[last] < limit)
        last++;
    return (struct plateau){first, last, shape->y[(first + last) / 2]};
}

/* Intervals from the peak of hill `left` (exclusive) to that of the next. */
static struct plateau between(const struct relief *relief, size_t left)
{
    size_t a = relief->hills[left].peak, b = relief->hills[left + 1].peak;
    double limit = 0.5 * fmin(relief->slope[a], relief->slope[b]);
    return flat_stretch(relief, a + 1, b, limit);
}

static struct plateau single(const struct shape *shape, size_t point)
{
    return (struct plateau){point, point, shape->y[point]};
}

static struct plateau before_first(const struct relief *relief)
{
    size_t peak = relief->hills[0].peak;
    if (peak == 0)
        return single(relief->shape, 0);
    return flat_stretch(relief, 0, peak, 0.5 * relief->slope[peak]);
}

static struct plateau after_last(const struct relief *relief)
{
    size_t peak = relief->hills[relief->count - 1].peak, end = relief->intervals;
    if (peak + 1 >= end)
        return single(relief->shape, end);
    return flat_stretch(relief, peak + 1, end, 0.5 * relief->slope[peak]);
}

/* The last octave still climbs by more than a seventh: no plateau was reached. */
static bool rising(const struct shape *shape)
{
    size_t end = shape->count - 1, i = end;
    while (i > 0 && shape->x[end] - shape->x[i] < 0.999)
        i--;
    return shape->y[end] - shape->y[i] > log(1.15) + 2 * (shape->sigma - 0.015);
}

static void collect(const struct relief *relief, struct plateaus *plateaus)
{
    size_t hills = relief->count < PLATEAUS_MAX ? relief->count : PLATEAUS_MAX - 1;
    plateaus->count = 0;
    if (hills == 0) {
        plateaus->plateau[plateaus->count++] = (struct plateau){
            0, relief->intervals, relief->shape->y[relief->intervals / 2]};
        return;
    }
    plateaus->plateau[plateaus->count++] = before_first(relief);
    for (size_t i = 0; i + 1 < hills; i++)
        plateaus->plateau[plateaus->count++] = between(relief, i);
    plateaus->rising_at_end = rising(relief->shape);
    plateaus->plateau[plateaus->count++] = plateaus->rising_at_end
                                               ? sonde_infer_stand_in(relief->shape)
                                               : after_last(relief);
}

int sonde_infer_slopes(const struct shape *shape, struct plateaus *plateaus)
{
    size_t intervals = shape->count - 1;
    struct relief relief = {.shape = shape,
                            .intervals = intervals,
                            .slope = malloc(intervals * sizeof(double)),
                            .hills = malloc(intervals * sizeof(struct hill))};
    int error = -ENOMEM;
    *plateaus = (struct plateaus){0};
    if (relief.slope && relief.hills) {
        for (size_t i = 0; i < intervals; i++)
            relief.slope[i] =
                (shape->y[i + 1] - shape->y[i]) / (shape->x[i + 1] - shape->x[i]);
        raise_hills(&relief);
        join_hills(&relief);
        collect(&relief, plateaus);
        error = 0;
    }
    free(relief.slope);
    free(relief.hills);
    return error;
}
