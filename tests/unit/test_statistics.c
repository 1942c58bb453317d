/* Statistics against vectors worked by hand, with 0, 1 and 2 values among them. */
#include "support.h"

#include "measure/series.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

static void quantiles(void **state)
{
    (void)state;
    const double five[] = {1, 2, 3, 4, 10};
    const double four[] = {1, 2, 3, 4};
    assert_true(isnan(sonde_measure_quantile(five, 0, 0.5)));
    assert_true(isnan(sonde_measure_quantile(five, 5, NAN)));
    near(sonde_measure_quantile(five, 1, 0.25), 1);
    near(sonde_measure_quantile(five, 2, 0.25), 1.25);
    near(sonde_measure_quantile(five, 5, 0.25), 2);
    near(sonde_measure_quantile(five, 5, 0.99), 4 + 0.96 * 6);
    near(sonde_measure_quantile(five, 5, 0), 1);
    near(sonde_measure_quantile(five, 5, 1), 10);
    near(sonde_measure_median(four, 4), 2.5);
    near(sonde_measure_median(five, 5), 3);
    assert_true(isnan(sonde_measure_median(NULL, 0)));
}

/* Values of a kind: 0 drawn, 1 few different, 2 all the same, 3 rising, 4 falling, 5
 * both. */
static double value_of(unsigned kind, size_t i, size_t count,
                       struct random_source *random)
{
    switch (kind) {
    case 0:
        return sonde_base_random_unit(random);
    case 1:
        return (double)sonde_base_random_below(random, 3);
    case 2:
        return 7;
    case 3:
        return (double)i;
    case 4:
        return (double)(count - i);
    default:
        return i < count / 2 ? (double)i : (double)(count - i);
    }
}

static void sorts(void **state)
{
    static double values[3000];
    struct random_source random;

    (void)state;
    sonde_base_random_seed(&random, 3);
    for (size_t count = 0; count <= 3000; count = count * 5 / 4 + 1)
        for (unsigned kind = 0; kind < 6; kind++) {
            double before = 0, after = 0;

            for (size_t i = 0; i < count; i++) {
                values[i] = value_of(kind, i, count, &random);
                before += values[i];
            }
            sonde_measure_sort(values, count);
            for (size_t i = 0; i < count; i++) {
                after += values[i];
                assert_true(i == 0 || values[i - 1] <= values[i]);
            }
            assert_true(fabs(before - after) < 1e-6 * fmax(1, before));
        }
}

static void mean_and_mad(void **state)
{
    (void)state;
    const double five[] = {1, 2, 3, 4, 10};
    const double even[] = {1, 2, 4, 9};
    assert_true(isnan(sonde_measure_mean(NULL, 0)));
    near(sonde_measure_mean(five, 5), 4);
    assert_true(isnan(sonde_measure_mad(NULL, 0)));
    near(sonde_measure_mad(five, 1), 0);
    near(sonde_measure_mad(five, 2), 1.4826 * 0.5);
    /* deviations from 3: 2 1 0 1 7, sorted 0 1 1 2 7 */
    near(sonde_measure_mad(five, 5), 1.4826 * 1);
    /* deviations from 3: 2 1 1 6, sorted 1 1 2 6 */
    near(sonde_measure_mad(even, 4), 1.4826 * 1.5);
}

static void order_statistic_interval(void **state)
{
    (void)state;
    double values[100];
    for (int i = 0; i < 100; i++)
        values[i] = i + 1;
    /* ranks 50 -+ 1.96 * 5 = 40.2 and 59.8, rounded outwards */
    struct interval median = sonde_measure_quantile_interval(values, 100, 0.5, 1.96);
    near(median.low, 40);
    near(median.high, 60);
    struct interval few = sonde_measure_quantile_interval(values, 2, 0.25, 2.576);
    near(few.low, 1);
    near(few.high, 2);
    assert_true(isnan(sonde_measure_quantile_interval(values, 0, 0.5, 2.576).low));
}

static void autocorrelation(void **state)
{
    (void)state;
    const double same[] = {5, 5, 5, 5, 5, 5, 5, 5};
    const double turns[] = {1, 2, 1, 2, 1, 2, 1, 2};
    const double spells[] = {1, 1, 1, 1, 2, 2, 2, 2};
    assert_true(isnan(sonde_measure_autocorrelation(turns, 7)));
    near(sonde_measure_autocorrelation(same, 8), 0);
    /* Median 1.5 clips nothing; deviations are -+0.5: covariance -7/4, variance 8/4. */
    near(sonde_measure_autocorrelation(turns, 8), -7.0 / 8);
    near(sonde_measure_autocorrelation(spells, 8), 5.0 / 8);
}

static void bimodality(void **state)
{
    (void)state;
    double low, high;
    const double two[] = {1, 1.01, 1.02, 1.03, 1.6, 1.61, 1.62, 1.63};
    const double one[] = {1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7};
    const double outlier[] = {1, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07, 1.08, 9};
    assert_true(sonde_measure_bimodal(two, 8, &low, &high));
    near(low, 1.015);
    near(high, 1.615);
    assert_false(sonde_measure_bimodal(one, 8, &low, &high));
    assert_true(isnan(low) && isnan(high));
    assert_false(sonde_measure_bimodal(outlier, 10, &low, &high));
    assert_false(sonde_measure_bimodal(two, 7, &low, &high));
    assert_false(sonde_measure_bimodal(NULL, 0, &low, &high));
}

static void bootstrap_draws_whole_rounds(void **state)
{
    (void)state;
    struct sample samples[40];
    /* Two rounds of 20: draws of whole rounds give 1, 2 or a mixture, nothing between. */
    for (uint32_t i = 0; i < 40; i++)
        samples[i] =
            (struct sample){.value = i < 20 ? 1 : 2, .cycles = NAN, .round = i / 20};
    struct random_source random;
    sonde_base_random_seed(&random, 7);
    struct interval interval = sonde_measure_bootstrap(samples, 40, 0.25, 400, &random);
    near(interval.low, 1);
    near(interval.high, 2);
    sonde_base_random_seed(&random, 7);
    interval = sonde_measure_bootstrap(samples, 1, 0.25, 50, &random);
    near(interval.low, 1);
    near(interval.high, 1);
    assert_true(isnan(sonde_measure_bootstrap(samples, 0, 0.25, 50, &random).low));
}

static struct series_point summary(const double *values, size_t count,
                                   enum statistic which)
{
    struct series_point point = {.n = count,
                                 .samples =
                                     count ? calloc(count, sizeof(struct sample)) : NULL,
                                 .flags = POINT_CUT};
    for (size_t i = 0; i < count; i++)
        point.samples[i] = (struct sample){
            .value = values[i], .cycles = 3 * values[i], .round = (uint32_t)i};
    sonde_measure_summarise(&point, which);
    free(point.samples);
    return point;
}

static void summary_of_none_one_two(void **state)
{
    (void)state;
    const double values[] = {2, 4};
    struct series_point none = summary(values, 0, STATISTIC_Q25);
    assert_true(none.n == 0 && isnan(none.best) && isnan(none.min) && isnan(none.cycles));
    assert_true(none.flags == POINT_CUT);
    assert_true(isnan(sonde_measure_half_width(&none)));
    struct series_point one = summary(values, 1, STATISTIC_Q25);
    near(one.best, 2);
    near(one.max, 2);
    near(one.cycles, 6);
    near(one.iqr, 0);
    assert_true(isnan(one.autocorrelation));
    struct series_point two = summary(values, 2, STATISTIC_MEDIAN);
    near(two.best, 3);
    near(two.q25, 2.5);
    near(two.mean, 3);
    near(two.low, 2);
    near(two.high, 4);
    assert_true(isnan(sonde_measure_half_width(&two)));
}

static void summary_counts_outliers(void **state)
{
    (void)state;
    /* q25 = 2, q75 = 4, IQR 2: mild above 7, severe above 10. */
    const double values[] = {4, 1, 3, 2, 8, 2, 4, 2, 3};
    struct series_point point = summary(values, 9, STATISTIC_Q25);
    near(point.q25, 2);
    near(point.q75, 4);
    assert_true(point.q90 >= point.q75 && point.q90 <= point.p99);
    assert_int_equal(point.outliers_mild, 1);
    assert_int_equal(point.outliers_severe, 0);
    assert_true(point.flags == POINT_CUT);
}

static void cycles_need_half_of_the_samples(void **state)
{
    (void)state;
    const double cycles[] = {4, NAN, NAN, 4, NAN};
    struct sample samples[5];
    for (uint32_t i = 0; i < 5; i++)
        samples[i] = (struct sample){.value = 1, .cycles = cycles[i], .round = i};
    struct series_point point = {.n = 4, .samples = samples};
    sonde_measure_summarise(&point, STATISTIC_Q25);
    near(point.cycles, 4);
    point.n = 5;
    sonde_measure_summarise(&point, STATISTIC_Q25);
    assert_true(isnan(point.cycles));
}

static void statistics_have_names(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3, 4, 5};
    enum statistic statistic = STATISTIC_Q25;
    assert_int_equal(sonde_measure_statistic_parse("q75", &statistic), 0);
    assert_int_equal(statistic, STATISTIC_Q75);
    near(summary(values, 5, statistic).best, 4);
    assert_int_equal(sonde_measure_statistic_parse("median", &statistic), 0);
    near(summary(values, 5, statistic).best, 3);
    assert_string_equal(sonde_measure_statistic_name(statistic), "median");
    assert_int_equal(sonde_measure_statistic_parse("mean", &statistic), -EINVAL);
    assert_int_equal(statistic, STATISTIC_MEDIAN);
}

static void spells_widen_the_interval(void **state)
{
    (void)state;
    struct sample samples[64];
    for (uint32_t i = 0; i < 64; i++)
        samples[i] = (struct sample){
            .value = i < 32 ? 1 + 0.0001 * i : 1.3, .cycles = NAN, .round = i / 8};
    struct series_point point = {.n = 64, .samples = samples};
    sonde_measure_summarise(&point, STATISTIC_MEDIAN);
    assert_true(point.flags & POINT_CORRELATED);
    assert_true(point.low < 1.01 && point.high >= 1.3F);
}

static void series_grow(void **state)
{
    (void)state;
    struct series_list list = {0};
    for (int i = 0; i < 20; i++) {
        struct series *series =
            sonde_measure_series_add(&list, i == 3 ? "third" : "other");
        assert_non_null(series);
        for (int k = 0; k < 30; k++)
            assert_true(isnan(sonde_measure_point_add(series)->best));
    }
    const struct series *third = sonde_measure_series_find(&list, "third");
    assert_ptr_equal(third, &list.rows[3]);
    assert_int_equal(third->count, 30);
    assert_null(sonde_measure_series_find(&list, "absent"));
    sonde_measure_series_list_free(&list);
    assert_string_equal(sonde_measure_flag_name(0), "noisy");
    assert_string_equal(sonde_measure_flag_name(8), "unlawful");
    assert_string_equal(sonde_measure_flag_name(10), "shared");
    assert_null(sonde_measure_flag_name(31));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles),
        cmocka_unit_test(sorts),
        cmocka_unit_test(mean_and_mad),
        cmocka_unit_test(order_statistic_interval),
        cmocka_unit_test(autocorrelation),
        cmocka_unit_test(bimodality),
        cmocka_unit_test(bootstrap_draws_whole_rounds),
        cmocka_unit_test(summary_of_none_one_two),
        cmocka_unit_test(summary_counts_outliers),
        cmocka_unit_test(cycles_need_half_of_the_samples),
        cmocka_unit_test(statistics_have_names),
        cmocka_unit_test(spells_widen_the_interval),
        cmocka_unit_test(series_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
