/* Cliffs of a rate over growing sizes.
 *
 *   rate |______
 *        |      \___________        each fall of at least a fifth, whatever its width,
 *        |                  \____   is one cliff; two falls that meet without a plateau
 *        +----------------------    between them are parted where it falls least
 *
 * Levels of a hierarchy are found from latencies on a fine grid; a mountain has one point
 * an octave, so a plateau may be a single point. What can fool it: a level whose rate is
 * hidden by prefetching has no cliff at all, and two levels an octave apart may share
 * one. */
#include "infer/mountain.h"

#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>

/* A cliff takes a fifth of the rate. Caches differ by more; half as much is what a core
 * shared with a neighbour loses between two looks. */
static const double fall_least = 0.2;
/* A step that is part of a fall: a fourteenth of the rate, a third of the least fall. */
static const double step_least = 0.07;
/* Where one fall ends and the next begins the curve falls less than half as steeply as on
 * both sides. */
static const double parted = 0.5;

struct curve_of_rates {
    const double *sizes, *rates;
    size_t count;
    double *fall; /* of the envelope, in logarithms, from point i to i + 1 */
};

/* What recovers later was no cliff: the envelope is the best rate from here on. */
static void open_falls(struct curve_of_rates *curve)
{
    double best = log(curve->rates[curve->count - 1]);

    for (size_t i = curve->count - 1; i-- > 0;) {
        double here = fmax(best, log(curve->rates[i]));

        curve->fall[i] = here - best;
        best = here;
    }
}

/* Falls of a plateau's size: the median of those too small to be part of a cliff. */
static double noise_of(const struct curve_of_rates *curve)
{
    double *small = malloc(curve->count * sizeof *small), noise;
    size_t count = 0;

    if (!small)
        return 0;
    for (size_t i = 0; i + 1 < curve->count; i++)
        if (curve->fall[i] < step_least)
            small[count++] = curve->fall[i];
    sonde_measure_sort(small, count);
    noise = sonde_measure_median(small, count);
    free(small);
    return noise > 0 ? noise : 0;
}

/* The end of the fall that begins at `first`: behind its last step. */
static size_t end_of_fall(const struct curve_of_rates *curve, size_t first, double step)
{
    size_t end = first;
    double most = 0;

    for (; end + 1 < curve->count && curve->fall[end] >= step; end++) {
        bool rises = end > first && end + 2 < curve->count &&
                     curve->fall[end] < parted * most &&
                     curve->fall[end] < parted * curve->fall[end + 1];

        if (rises)
            break;
        most = fmax(most, curve->fall[end]);
    }
    return end;
}

static struct cliff describe(const struct curve_of_rates *curve, size_t first, size_t end,
                             double total)
{
    double done = 0;
    size_t i = first;
    struct cliff cliff;

    while (i + 1 < end && done + curve->fall[i] < total / 2)
        done += curve->fall[i++];
    cliff.low = curve->sizes[i];
    cliff.high = curve->sizes[i + 1];
    cliff.at =
        cliff.low * pow(cliff.high / cliff.low, (total / 2 - done) / curve->fall[i]);
    cliff.before = curve->rates[first];
    cliff.after = curve->rates[end];
    return cliff;
}

static double total_of(const struct curve_of_rates *curve, size_t first, size_t end)
{
    double total = 0;

    for (size_t i = first; i < end; i++)
        total += curve->fall[i];
    return total;
}

size_t sonde_infer_cliffs(const double *sizes, const double *rates, size_t count,
                          struct cliff cliffs[CLIFFS_MAX])
{
    struct curve_of_rates curve = {sizes, rates, count, NULL};
    double step, least;
    size_t found = 0;

    if (count < 2 || !(curve.fall = calloc(count, sizeof *curve.fall)))
        return 0;
    open_falls(&curve);
    step = fmax(step_least / 2, fmin(step_least, 4 * noise_of(&curve)));
    least = fmax(-log(1 - fall_least), 4 * noise_of(&curve));
    for (size_t i = 0; i + 1 < count && found < CLIFFS_MAX;) {
        size_t end;
        double total;

        /* The flatter step between two falls belongs to neither. */
        if (curve.fall[i] < step) {
            i++;
            continue;
        }
        end = end_of_fall(&curve, i, step);
        total = total_of(&curve, i, end);
        if (total >= least)
            cliffs[found++] = describe(&curve, i, end, total);
        i = end > i ? end : i + 1;
    }
    free(curve.fall);
    return found;
}
