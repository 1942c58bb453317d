/* First touches from planted pages: medians and percentiles come back, huge pages that
 * were not granted are not spoken of, and a second touch that costs as much is noticed.
 */
#include "support.h"

#include "base/random.h"
#include "infer/fault.h"
#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAGES = 224 };

/* One page in eight takes three times as long. */
static void plant(struct series *series, const char *label, double ns, uint64_t seed)
{
    struct series_point *point = sonde_measure_point_add(series);
    struct random_source random;

    sonde_base_random_seed(&random, seed);
    point->label = strdup(label);
    point->n = PAGES;
    point->samples = calloc(PAGES, sizeof *point->samples);
    for (size_t i = 0; i < PAGES; i++)
        point->samples[i] = (struct sample){
            .value = ns * (i % 8 ? 1 + 0.1 * sonde_base_random_unit(&random) : 3),
            .cycles = NAN,
            .round = (uint32_t)(i / 32)};
    sonde_measure_summarise(point, STATISTIC_MEDIAN);
}

static struct series *plant_all(struct series_list *list, double second, double calloced)
{
    struct series *series = sonde_measure_series_add(list, "faults");

    plant(series, "first", 900, 1);
    plant(series, "recycled", 300, 2);
    plant(series, "calloc", calloced, 3);
    plant(series, "huge", 60000, 4);
    plant(series, "second", second, 5);
    return series;
}

static const struct finding *get(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    if (!finding)
        fail_msg("%s is not there", name);
    return finding;
}

static void assert_about(double value, double wanted)
{
    if (!(fabs(value / wanted - 1) < 0.1))
        fail_msg("%g is not %g", value, wanted);
}

static void test_pages_come_back(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};
    const struct series *series = plant_all(&list, 2, 900);

    (void)state;
    assert_int_equal(sonde_infer_fault(series, 4096, 2 << 20, 1, &findings), 0);
    assert_about(get(&findings, "fault.first")->value, 950);
    assert_about(get(&findings, "fault.first_q90")->value, 2700);
    assert_about(get(&findings, "fault.recycled")->value, 315);
    assert_about(get(&findings, "fault.huge")->value, 63000);
    assert_about(get(&findings, "fault.huge_saving")->value, 512 * 300.0 / 60000);
    assert_about(get(&findings, "fault.second")->value, 2.1);
    assert_non_null(strstr(get(&findings, "fault.calloc")->reason, "paid for here"));
    assert_true(get(&findings, "fault.first")->low <= 950 &&
                get(&findings, "fault.first")->high >= 950);
    assert_int_equal(findings.control_count, 1);
    assert_true(findings.controls[0].ok);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void test_huge_pages_not_granted(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};
    const struct series *series = plant_all(&list, 2, 20);

    (void)state;
    assert_int_equal(sonde_infer_fault(series, 4096, 2 << 20, 0.02, &findings), 0);
    assert_true(isnan(get(&findings, "fault.huge")->value));
    assert_null(sonde_infer_finding_get(&findings, "fault.huge_saving"));
    assert_non_null(strstr(get(&findings, "fault.calloc")->reason, "itself"));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void test_a_second_touch_that_costs(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};
    const struct series *series = plant_all(&list, 200, 900);

    (void)state;
    assert_int_equal(sonde_infer_fault(series, 4096, 2 << 20, NAN, &findings), 0);
    assert_false(findings.controls[0].ok);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void test_nothing_measured(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};
    struct series *series = sonde_measure_series_add(&list, "faults");

    (void)state;
    assert_int_equal(sonde_infer_fault(series, 4096, 2 << 20, 1, &findings), 0);
    assert_true(isnan(get(&findings, "fault.first")->value));
    assert_true(isnan(get(&findings, "fault.huge")->value));
    assert_int_equal(findings.control_count, 0);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages_come_back),
        cmocka_unit_test(test_huge_pages_not_granted),
        cmocka_unit_test(test_a_second_touch_that_costs),
        cmocka_unit_test(test_nothing_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
