/* Planted cliffs come back from noisy slices, and noise alone has none. */
#include "support.h"

#include "base/random.h"
#include "infer/cliffs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { POINTS = 14 };

struct planted {
    double size[POINTS], rate[POINTS];
};

/* 16 KiB to 128 MiB; from each of `edges` on, the rate is divided by `factor`. */
static struct planted plant(const double *edges, size_t count, double factor,
                            double noise, uint64_t seed)
{
    struct planted planted;
    struct random_source random;

    sonde_base_random_seed(&random, seed);
    for (size_t i = 0; i < POINTS; i++) {
        double drawn = (double)sonde_base_random_below(&random, 2001) / 1000 - 1;

        planted.size[i] = 16384 * exp2((double)i);
        planted.rate[i] = 40e9 * (1 + noise * drawn);
        for (size_t k = 0; k < count; k++)
            if (planted.size[i] > edges[k])
                planted.rate[i] /= factor;
    }
    return planted;
}

static void cliffs_come_back(void **state)
{
    static const double edges[] = {32768, 1 << 20, 16 << 20};

    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct planted planted = plant(edges, 3, 2, 0.05, seed);
        struct cliffs cliffs;

        assert_int_equal(sonde_infer_cliffs(planted.size, planted.rate, POINTS, &cliffs),
                         0);
        assert_int_equal(cliffs.count, 3);
        for (size_t i = 0; i < 3; i++) {
            assert_true(cliffs.rows[i].from == edges[i]);
            assert_true(cliffs.rows[i].to == 2 * edges[i]);
            assert_true(fabs(cliffs.rows[i].before / cliffs.rows[i].after / 2 - 1) < 0.3);
            assert_false(cliffs.rows[i].at_end);
        }
    }
}

static void noise_has_no_cliffs(void **state)
{
    unsigned false_cliffs = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct planted planted = plant(NULL, 0, 1, 0.08, seed);
        struct cliffs cliffs;

        assert_int_equal(sonde_infer_cliffs(planted.size, planted.rate, POINTS, &cliffs),
                         0);
        false_cliffs += cliffs.count > 0;
    }
    assert_true(false_cliffs <= 4);
}

static void a_dip_that_recovers_is_none(void **state)
{
    struct planted planted = plant(NULL, 0, 1, 0.01, 5);
    struct cliffs cliffs;

    (void)state;
    planted.rate[5] /= 3;
    planted.rate[6] /= 4;
    assert_int_equal(sonde_infer_cliffs(planted.size, planted.rate, POINTS, &cliffs), 0);
    assert_int_equal(cliffs.count, 0);
    planted.rate[0] /= 2; /* the overhead of a call */
    assert_int_equal(sonde_infer_cliffs(planted.size, planted.rate, POINTS, &cliffs), 0);
    assert_int_equal(cliffs.count, 0);
}

static void neighbouring_cliffs_are_two_where_the_fall_pauses(void **state)
{
    static const double rate[] = {34.3, 34.6, 17.8, 16.3, 12.3, 9.4, 9.2,
                                  9.2,  8.9,  3.7,  2.6,  2.4,  2.4, 2.3};
    double size[POINTS];
    struct cliffs cliffs;

    (void)state;
    for (size_t i = 0; i < POINTS; i++)
        size[i] = 16384 * exp2((double)i);
    assert_int_equal(sonde_infer_cliffs(size, rate, POINTS, &cliffs), 0);
    assert_int_equal(cliffs.count, 3);
    assert_true(cliffs.rows[0].from == 32768 && cliffs.rows[0].to == 65536);
    assert_true(cliffs.rows[1].from == 131072 && cliffs.rows[1].to == 524288);
    assert_true(cliffs.rows[2].from == 4 << 20 && cliffs.rows[2].to == 16 << 20);
}

static void the_end_is_told(void **state)
{
    static const double edge[] = {64 << 20};
    struct planted planted = plant(edge, 1, 3, 0.01, 3);
    struct cliffs cliffs;

    (void)state;
    assert_int_equal(sonde_infer_cliffs(planted.size, planted.rate, POINTS, &cliffs), 0);
    assert_int_equal(cliffs.count, 1);
    assert_true(cliffs.rows[0].at_end);
}

static void what_is_no_slice_is_refused(void **state)
{
    double size[] = {1, 2, 3, 4}, rate[] = {4, 3, 2, 1};
    struct cliffs cliffs;

    (void)state;
    assert_int_equal(sonde_infer_cliffs(size, rate, 0, &cliffs), 0);
    assert_int_equal(sonde_infer_cliffs(size, rate, 1, &cliffs), 0);
    assert_int_equal(sonde_infer_cliffs(size, rate, 2, &cliffs), 0);
    assert_int_equal(cliffs.count, 0);
    rate[2] = -1;
    assert_int_equal(sonde_infer_cliffs(size, rate, 4, &cliffs), -EINVAL);
    rate[2] = NAN;
    assert_int_equal(sonde_infer_cliffs(size, rate, 4, &cliffs), -EINVAL);
    rate[2] = 2;
    size[3] = 3;
    assert_int_equal(sonde_infer_cliffs(size, rate, 4, &cliffs), -EINVAL);
}

static void slices_are_cut(void **state)
{
    struct series_list list = {0};
    struct series *series = sonde_measure_series_add(&list, "read");
    struct slice slice;
    double *strides;
    size_t count;

    (void)state;
    series->axes[0] = (struct axis){"size", "bytes", "log2"};
    series->axes[1] = (struct axis){"stride", "words", "linear"};
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cliffs_come_back),
        cmocka_unit_test(noise_has_no_cliffs),
        cmocka_unit_test(a_dip_that_recovers_is_none),
        cmocka_unit_test(neighbouring_cliffs_are_two_where_the_fall_pauses),
        cmocka_unit_test(the_end_is_told),
        cmocka_unit_test(what_is_no_slice_is_refused),
        cmocka_unit_test(slices_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
