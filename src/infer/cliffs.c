/* The cliffs of a slice of a memory mountain.
 *
 *   rate  |####.          the slice
 *         |    '##.       noise: what neighbours on the plains differ by
 *         |       '####   a fall counts when it is four times that and a fifth at least
 *         +------------
 *
 * First dips that recover are filled (no larger size may be faster), then falling steps
 * that follow one another are one cliff, unless the fall nearly stops between two of
 * them: then they are two. What can fool it: a disturbance over the last sizes, which
 * nothing behind contradicts (told as `at_end`), and sizes so far apart that two levels
 * fall in one step. */
#include "infer/cliffs.h"

#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The levels' own rule: what differs by less than a fifth is one level. */
static const double least_fall = 0.182; /* ln 1.2 */
static const double times_noise = 4;
/* Figures are given to a percent or two by the tools that make mountains. */
static const double noise_floor = 0.015;
/* Quartile of |a - b| for two normal variables, in their standard deviation. */
static const double quartile_of_difference = 0.4506;
/* A step counts to a cliff when it is this part of the cliff's steepest. */
static const double part_of_steepest = 0.25;
/* Between two cliffs the fall is at most this part of the lesser one's steepest step. */
static const double pause = 0.5;

/* --- slices ----------------------------------------------------------------------------
 */

static int find_axis(const struct series *series, const char *name)
{
    for (unsigned i = 0; i < series->axis_count && i < SERIES_AXES_MAX; i++)
        if (series->axes[i].name && strcmp(series->axes[i].name, name) == 0)
            return (int)i;
    return -1;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static bool usable(const struct series_point *point)
{
    return point->n > 0 && point->best > 0 && isfinite(point->best);
}

int sonde_infer_slice(const struct series *mountain, double stride, struct slice *slice)
{
    int size_axis = find_axis(mountain, "size");
    int stride_axis = find_axis(mountain, "stride");
    double *pairs;

    *slice = (struct slice){0};
    if (size_axis < 0 || stride_axis < 0)
        return -ENODATA;
    pairs = calloc(2 * mountain->count + 1, sizeof *pairs);
    slice->size = calloc(mountain->count + 1, sizeof *slice->size);
    slice->rate = calloc(mountain->count + 1, sizeof *slice->rate);
    if (!pairs || !slice->size || !slice->rate) {
        free(pairs);
        sonde_infer_slice_free(slice);
        return -ENOMEM;
    }
    for (size_t i = 0; i < mountain->count; i++) {
        const struct series_point *point = &mountain->points[i];

        if (!usable(point) || fabs(point->at[stride_axis] / stride - 1) > 1e-9)
            continue;
        pairs[2 * slice->count] = point->at[size_axis];
        pairs[2 * slice->count++ + 1] = point->best;
    }
    qsort(pairs, slice->count, 2 * sizeof *pairs, by_value);
    for (size_t i = 0; i < slice->count; i++) {
        slice->size[i] = pairs[2 * i];
        slice->rate[i] = pairs[2 * i + 1];
    }
    free(pairs);
    if (slice->count)
        return 0;
    sonde_infer_slice_free(slice);
    return -ENOENT;
}

void sonde_infer_slice_free(struct slice *slice)
{
    free(slice->size);
    free(slice->rate);
    *slice = (struct slice){0};
}

int sonde_infer_strides(const struct series *mountain, double **strides, size_t *count)
{
    int axis = find_axis(mountain, "stride");

    *count = 0;
    *strides = NULL;
    if (axis < 0 || find_axis(mountain, "size") < 0)
        return -ENODATA;
    *strides = calloc(mountain->count + 1, sizeof **strides);
    if (!*strides)
        return -ENOMEM;
    for (size_t i = 0; i < mountain->count; i++) {
        bool known = !usable(&mountain->points[i]);

        for (size_t k = 0; k < *count && !known; k++)
            known = (*strides)[k] == mountain->points[i].at[axis];
        if (!known)
            (*strides)[(*count)++] = mountain->points[i].at[axis];
    }
    qsort(*strides, *count, sizeof **strides, by_value);
    return 0;
}

/* --- cliffs ----------------------------------------------------------------------------
 */

/* fall[i]: how far the envelope falls from point i to i + 1, in logarithms. */
struct falls {
    double *fall;
    size_t count;
};

/* Of neighbours; plains make up a quarter of any slice. */
static double noise_of(const double *rate, size_t count, double *scratch)
{
    for (size_t i = 0; i + 1 < count; i++)
        scratch[i] = fabs(log(rate[i + 1] / rate[i]));
    sonde_measure_sort(scratch, count - 1);
    return fmax(noise_floor, sonde_measure_quantile(scratch, count - 1, 0.25) /
                                 quartile_of_difference);
}

static void fill_falls(const double *rate, size_t count, double *fall)
{
    double envelope = rate[count - 1];

    for (size_t i = count - 1; i-- > 0;) {
        double higher = fmax(envelope, rate[i]);

        fall[i] = log(higher / envelope);
        envelope = higher;
    }
}

static double steepest(const struct falls *falls, size_t from, size_t to)
{
    double most = 0;

    for (size_t i = from; i < to; i++)
        most = fmax(most, falls->fall[i]);
    return most;
}

/* Where the fall that begins at `from` pauses, between there and `to`; `to`: nowhere. */
static size_t find_pause(const struct falls *falls, size_t from, size_t to)
{
    for (size_t i = from + 1; i + 1 < to; i++)
        if (falls->fall[i] <=
                pause * fmin(steepest(falls, from, i), steepest(falls, i + 1, to)) &&
            falls->fall[i] <= falls->fall[i + 1])
            return i + 1;
    return to;
}

static void add_cliff(const struct falls *falls, size_t from, size_t to, double least,
                      const double *size, const double *rate, struct cliffs *cliffs)
{
    double most = steepest(falls, from, to), total = 0;

    while (from < to && falls->fall[from] < part_of_steepest * most)
        from++;
    while (to > from && falls->fall[to - 1] < part_of_steepest * most)
        to--;
    for (size_t i = from; i < to; i++)
        total += falls->fall[i];
    if (total < least || cliffs->count == CLIFFS_MAX)
        return;
    cliffs->rows[cliffs->count++] = (struct cliff){.from = size[from],
                                                   .to = size[to],
                                                   .before = rate[from],
                                                   .after = rate[to],
                                                   .at_end = to == falls->count};
}

/* A run of falling steps, cut where it pauses. */
static void cut_run(const struct falls *falls, size_t from, size_t to, double least,
                    const double *size, const double *rate, struct cliffs *cliffs)
{
    while (from < to) {
        size_t end = find_pause(falls, from, to);

        add_cliff(falls, from, end, least, size, rate, cliffs);
        from = end;
    }
}

static int check(const double *size, const double *rate, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(rate[i] > 0) || !isfinite(rate[i]) || !isfinite(size[i]) ||
            (i && !(size[i] > size[i - 1])))
            return -EINVAL;
    return 0;
}

int sonde_infer_cliffs(const double *size, const double *rate, size_t count,
                       struct cliffs *cliffs)
{
    struct falls falls;
    double *level, least, step;

    *cliffs = (struct cliffs){.noise = NAN};
    if (check(size, rate, count))
        return -EINVAL;
    if (count < 3)
        return 0;
    falls = (struct falls){calloc(count, sizeof(double)), count - 1};
    level = calloc(count, sizeof *level);
    if (!falls.fall || !level) {
        free(falls.fall);
        free(level);
        return -ENOMEM;
    }
    cliffs->noise = noise_of(rate, count, falls.fall);
    fill_falls(rate, count, falls.fall);
    level[count - 1] = rate[count - 1];
    for (size_t i = count - 1; i-- > 0;)
        level[i] = fmax(level[i + 1], rate[i]);
    least = fmax(times_noise * cliffs->noise, least_fall);
    step = 2 * cliffs->noise;
    for (size_t i = 0, end; i < falls.count; i = end + 1) {
        for (end = i; end < falls.count && falls.fall[end] > step; end++)
            ;
        cut_run(&falls, i, end, least, size, level, cliffs);
    }
    free(falls.fall);
    free(level);
    return 0;
}
