/* Strides and layouts that were planted: costs, ratios and controls come back, gaps are
 * said. */
#include "support.h"

#include "infer/layout.h"
#include "infer/stride.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const struct finding *get(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    assert_non_null(finding);
    return finding;
}

static struct series_point *add(struct series *series, double first, double second,
                                double third, double cost)
{
    struct series_point *point = sonde_measure_point_add(series);

    point->at[0] = first;
    point->at[1] = second;
    point->at[2] = third;
    point->n = 21;
    point->best = cost;
    point->low = 0.99 * cost;
    point->high = 1.01 * cost;
    return point;
}

/* --- stride --- */

static double cost_at(double stride)
{
    double cost = fmax(0.2, 3 * fmin(1, stride / 64));

    return stride == 2048 ? 2 * cost : cost;
}

static void plant_strides(struct series_list *list, double dense)
{
    static const double strides[] = {1, 8, 64, 256, 1536, 2048, 3072, 4096};
    struct series *series;

    for (int span = 0; span < 2; span++) {
        series = sonde_measure_series_add(list, span ? "span" : "count");
        for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
            double count = span ? 4194304 / strides[i] : 16384;

            add(series, strides[i], count, count * strides[i],
                strides[i] == 1 ? dense : cost_at(strides[i]));
        }
    }
}

static void test_strides_come_back(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant_strides(&list, 0.2);
    assert_int_equal(sonde_infer_stride(&list.rows[0], &list.rows[1], 64, &findings), 0);
    assert_true(get(&findings, "stride.dense")->value == 0.2);
    assert_true(get(&findings, "stride.line")->value == 3);
    assert_true(get(&findings, "stride.page")->value == 3);
    assert_true(fabs(get(&findings, "stride.power_of_two")->value - 2) < 1e-9);
    assert_true(get(&findings, "stride.vain")->value == 63);
    assert_int_equal(findings.control_count, 2);
    assert_true(findings.controls[0].ok && findings.controls[1].ok);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void test_designs_that_disagree_are_flagged(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant_strides(&list, 4);
    list.rows[1].points[3].best *= 1.5; /* stride 256: 16384 accesses in both */
    assert_int_equal(sonde_infer_stride(&list.rows[0], &list.rows[1], NAN, &findings), 0);
    assert_false(findings.controls[0].ok);
    assert_false(findings.controls[1].ok);
    assert_true(isnan(get(&findings, "stride.vain")->value));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void test_strides_without_figures(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    sonde_measure_series_add(&list, "count");
    sonde_measure_series_add(&list, "span");
    assert_int_equal(sonde_infer_stride(&list.rows[0], &list.rows[1], 64, &findings), 0);
    assert_true(isnan(get(&findings, "stride.dense")->value));
    assert_int_equal(get(&findings, "stride.page")->verdict, VERDICT_NOT_MEASURABLE);
    assert_int_equal(findings.control_count, 0);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void test_lines_and_waste(void **state)
{
    (void)state;
    assert_true(sonde_infer_stride_lines(1, 64) == 1.0 / 64);
    assert_true(sonde_infer_stride_lines(96, 64) == 1);
    assert_true(sonde_infer_stride_vain(1, 64) == 0);
    assert_true(sonde_infer_stride_vain(16, 64) == 15);
    assert_true(sonde_infer_stride_vain(4096, 64) == 63);
    assert_true(isnan(sonde_infer_stride_vain(8, NAN)));
    assert_true(isnan(sonde_infer_stride_lines(8, NAN)));
}

/* --- layout --- */

static void plant_layout(struct series_list *list, double near_ratio)
{
    struct series *one = sonde_measure_series_add(list, "one"), *all;

    one->axis_count = 2;
    add(one, 256, FORM_STRUCTURES, 0, 0.4 * near_ratio);
    add(one, 256, FORM_ARRAYS, 0, 0.4);
    add(one, 524288, FORM_STRUCTURES, 0, 4);
    add(one, 524288, FORM_ARRAYS, 0, 0.5);
    all = sonde_measure_series_add(list, "all");
    all->axis_count = 3;
    for (int visit = VISIT_IN_ORDER; visit <= VISIT_SCATTERED; visit++) {
        add(all, 524288, FORM_STRUCTURES, visit, visit ? 10 : 5);
        add(all, 524288, FORM_ARRAYS, visit, visit ? 60 : 4);
    }
}

static void test_layouts_come_back(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant_layout(&list, 1.1);
    assert_int_equal(
        sonde_infer_layout(&list.rows[0], &list.rows[1], 64, 8, 128, &findings), 0);
    assert_true(get(&findings, "layout.one_field")->value == 8);
    assert_true(get(&findings, "layout.all_scattered")->value == 6);
    assert_true(get(&findings, "layout.all_in_order")->value == 0.8);
    assert_true(get(&findings, "layout.bytes_used")->value == 16);
    assert_int_equal(findings.control_count, 1);
    assert_true(findings.controls[0].ok);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void test_layouts_near_must_be_even(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant_layout(&list, 3);
    list.rows[1].points[3].n = 0;
    assert_int_equal(
        sonde_infer_layout(&list.rows[0], &list.rows[1], 64, 8, NAN, &findings), 0);
    assert_false(findings.controls[0].ok);
    assert_true(isnan(get(&findings, "layout.all_scattered")->value));
    assert_true(isnan(get(&findings, "layout.bytes_used")->value));
    sonde_infer_findings_free(&findings);
    findings = (struct findings){0};
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < list.rows[s].count; i++)
            list.rows[s].points[i].n = 0;
    assert_int_equal(
        sonde_infer_layout(&list.rows[0], &list.rows[1], 64, 8, 64, &findings), -ENODATA);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strides_come_back),
        cmocka_unit_test(test_designs_that_disagree_are_flagged),
        cmocka_unit_test(test_strides_without_figures),
        cmocka_unit_test(test_lines_and_waste),
        cmocka_unit_test(test_layouts_come_back),
        cmocka_unit_test(test_layouts_near_must_be_even),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
