/* Slices are cut out of a mountain by their stride, points without figures left out. */
#include "support.h"

#include "infer/slice.h"

#include <errno.h>
#include <stdlib.h>

static void slices_are_cut(void **state)
{
    struct series_list list = {0};
    struct series *series = sonde_measure_series_add(&list, "mountain");
    struct slice slice;
    double *strides;
    size_t count;

    (void)state;
    series->axes[0] = (struct axis){"size", "bytes", "log2"};
    series->axes[1] = (struct axis){"stride", "bytes", "linear"};
    series->axis_count = 2;
    for (int size = 3; size-- > 0;)
        for (int stride = 1; stride <= 2; stride++) {
            struct series_point *point = sonde_measure_point_add(series);

            point->at[0] = 4096 << size;
            point->at[1] = stride;
            point->n = size == 1 && stride == 2 ? 0 : 1;
            point->best = 100 * stride + size;
        }
    assert_int_equal(sonde_infer_strides(series, &strides, &count), 0);
    assert_int_equal(count, 2);
    assert_true(strides[0] == 1 && strides[1] == 2);
    free(strides);
    assert_int_equal(sonde_infer_slice(series, 2, &slice), 0);
    assert_int_equal(slice.count, 2);
    assert_true(slice.size[0] == 4096 && slice.rate[0] == 200);
    assert_true(slice.size[1] == 16384 && slice.rate[1] == 202);
    sonde_infer_slice_free(&slice);
    assert_int_equal(sonde_infer_slice(series, 3, &slice), -ENOENT);
    series->axis_count = 1;
    assert_int_equal(sonde_infer_slice(series, 2, &slice), -ENODATA);
    assert_int_equal(sonde_infer_strides(series, &strides, &count), -ENODATA);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slices_are_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
