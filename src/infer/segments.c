/* Fine grids: plateaus and ramps by dynamic programming.
 *
 *                                 ____ plateau
 *              ____ plateau ramp /
 *   ____ ramp /                 /
 *
 * The curve is cut into plateaus (constant at their median) and ramps (the straight line
 * between the neighbouring points, never two in a row) so that the sum of Huber costs and
 * of a penalty for every piece is least. A plateau must be three quarters of an octave
 * long: a shorter flat stretch is not a level but a bend of the edge between two.
 *
 * The exact optimum in O(n^3) with n near 100. Pruning is not needed. */
#include "infer/shape.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum kind { PLATEAU, RAMP };

struct cell {
    double cost;
    size_t start; /* where the piece that ends here starts */
    enum kind before;
};

struct programme {
    const struct shape *shape;
    struct cell (*cells)[2]; /* [points covered][kind of the last piece] */
    double penalty;
};

/* Three quarters of an octave, and three points. */
static const double plateau_octaves = 0.75;
enum { PLATEAU_POINTS = 3 };

/* One capacity makes no longer edge: colliding pages spread it over an octave, random
 * replacement over one and a half, and a share that moves over somewhat more. A longer
 * climb hides a level, however it bends. */
static const double ramp_octaves = 2.5;

/* Squares up to three sigma, lines beyond: a disturbed point bends no plateau. */
static double huber(double deviation, double sigma)
{
    double r = fabs(deviation) / sigma;
    return r < 3 ? r * r : 6 * r - 9;
}

/* Points [i, j) at their median, which is the middle one of a monotone curve. Gives up
 * above `limit`. */
static double plateau_cost(const struct shape *shape, size_t i, size_t j, double limit)
{
    double level = shape->y[(i + j) / 2], sum = 0;
    for (size_t k = i; k < j && sum < limit; k++)
        sum += huber(shape->y[k] - level, shape->noise[k]);
    return sum;
}

static double ramp_cost(const struct shape *shape, size_t i, size_t j, double limit)
{
    size_t left = i - 1, right = j < shape->count ? j : j - 1;
    double slope =
        (shape->y[right] - shape->y[left]) / (shape->x[right] - shape->x[left]);
    double sum = 0;
    for (size_t k = i; k < j && sum < limit; k++) {
        double line = shape->y[left] + slope * (shape->x[k] - shape->x[left]);
        sum += huber(shape->y[k] - line, shape->noise[k]);
    }
    return sum;
}

static void improve(struct cell *cell, double cost, size_t start, enum kind before)
{
    if (cost < cell->cost)
        *cell = (struct cell){cost, start, before};
}

/* Each point stands for half of the way to its neighbours, since grids may widen. */
static bool long_enough(const struct shape *shape, size_t i, size_t j)
{
    size_t last = shape->count - 1;
    double start = i > 0 ? 0.5 * (shape->x[i - 1] + shape->x[i]) : shape->x[0];
    double end = j <= last ? 0.5 * (shape->x[j - 1] + shape->x[j]) : shape->x[last];
    if (i == 0 && j > last)
        return true;
    return j - i >= PLATEAU_POINTS && end - start > plateau_octaves - 0.01;
}

static bool short_enough(const struct shape *shape, size_t i, size_t j)
{
    size_t last = shape->count - 1;
    return j > last || shape->x[j] - shape->x[i - 1] <= ramp_octaves || j - i == 1;
}

static void extend(struct programme *programme, size_t i, size_t j)
{
    struct cell *from = programme->cells[i], *to = programme->cells[j];
    enum kind cheaper = from[PLATEAU].cost <= from[RAMP].cost ? PLATEAU : RAMP;
    double base = from[cheaper].cost + programme->penalty;
    if (long_enough(programme->shape, i, j) && base < to[PLATEAU].cost) {
        double room = to[PLATEAU].cost - base;
        improve(&to[PLATEAU], base + plateau_cost(programme->shape, i, j, room), i,
                cheaper);
    }
    base = from[PLATEAU].cost + programme->penalty;
    if (i > 0 && base < to[RAMP].cost && short_enough(programme->shape, i, j)) {
        double room = to[RAMP].cost - base;
        improve(&to[RAMP], base + ramp_cost(programme->shape, i, j, room), i, PLATEAU);
    }
}

static void solve(struct programme *programme)
{
    size_t n = programme->shape->count;
    for (size_t j = 0; j <= n; j++) {
        for (int kind = 0; kind < 2; kind++)
            programme->cells[j][kind] = (struct cell){INFINITY, 0, PLATEAU};
    }
    programme->cells[0][PLATEAU].cost = 0;
    for (size_t j = 1; j <= n; j++) {
        for (size_t i = j; i-- > 0;)
            extend(programme, i, j);
    }
}

/* Walks back from the end; plateaus come out last first. */
static void collect(const struct programme *programme, struct plateaus *plateaus)
{
    const struct shape *shape = programme->shape;
    size_t j = shape->count;
    const struct cell *last = programme->cells[j];
    enum kind kind = last[PLATEAU].cost <= last[RAMP].cost ? PLATEAU : RAMP;
    struct plateau backward[PLATEAUS_MAX];
    size_t count = 0;
    /* A single raised point at the end is a disturbance, not a rise. */
    plateaus->rising_at_end = kind == RAMP && j - last[RAMP].start > 1;
    while (j > 0) {
        const struct cell *cell = &programme->cells[j][kind];
        if (kind == PLATEAU && count < PLATEAUS_MAX)
            backward[count++] =
                (struct plateau){cell->start, j - 1, shape->y[(cell->start + j) / 2]};
        j = cell->start;
        kind = cell->before;
    }
    plateaus->count = count;
    for (size_t i = 0; i < count; i++)
        plateaus->plateau[i] = backward[count - 1 - i];
    if (plateaus->rising_at_end && count < PLATEAUS_MAX)
        plateaus->plateau[plateaus->count++] = sonde_infer_stand_in(shape);
}

int sonde_infer_segment(const struct shape *shape, struct plateaus *plateaus)
{
    size_t n = shape->count;
    struct programme programme = {
        .shape = shape,
        .cells = malloc((n + 1) * sizeof *programme.cells),
        /* Three times what an information criterion charges for the two numbers of a
         * piece; found by comparing detectors on noisy curves with known levels. */
        .penalty = 6 * log((double)n),
    };
    if (!programme.cells)
        return -ENOMEM;
    solve(&programme);
    collect(&programme, plateaus);
    free(programme.cells);
    return 0;
}
