/* One slice of a mountain, cut out of its series.
 *
 * Points without figures are left out, so a slice may have fewer sizes than the mountain;
 * strides are compared with room for what a file's decimals lose. */
#include "infer/slice.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
