/* Plans grow past their first capacity, keep what was put in, and know their footprint.
 */
#include "measure/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_grows(void **state)
{
    struct plan plan = {0};

    (void)state;
    for (int i = 0; i < 20; i++) {
        struct series_plan series = {.name = i % 2 ? "odd" : "even"};

        assert_int_equal(sonde_measure_plan_series(&plan, &series), i);
    }
    for (unsigned i = 0; i < 1000; i++) {
        struct point *point = sonde_measure_plan_point(&plan, i % 20, NULL);

        assert_non_null(point);
        assert_true(point->operations == 1);
        assert_int_equal(point->samples, 0);
        point->argument = i;
    }
    assert_int_equal(plan.count, 1000);
    assert_string_equal(plan.series[13].name, "odd");
    for (unsigned i = 0; i < 1000; i++) {
        assert_int_equal(plan.points[i].argument, i);
        assert_int_equal(plan.points[i].series, i % 20);
    }
    sonde_measure_plan_free(&plan);
    assert_null(plan.points);
    assert_int_equal(plan.count, 0);
}

static void test_footprint(void **state)
{
    struct plan plan = {0};
    static const uint64_t bytes[] = {4096, 1 << 20, 512};

    (void)state;
    assert_int_equal(sonde_measure_plan_footprint(&plan), 0);
    for (int i = 0; i < 3; i++) {
        struct point *point = sonde_measure_plan_point(&plan, 0, NULL);

        assert_non_null(point);
        point->layout.kind = LAYOUT_BLOCK;
        point->layout.bytes = bytes[i];
    }
    /* A point without memory does not count, whatever its layout says. */
    sonde_measure_plan_point(&plan, 0, NULL)->layout.bytes = 1 << 30;
    assert_int_equal(sonde_measure_plan_footprint(&plan), 1 << 20);
    sonde_measure_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_grows),
                                       cmocka_unit_test(test_footprint)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
