/* Associativity from planted conflicts. */
#include "support.h"

#include "infer/conflicts.h"

#include <math.h>
#include <stdlib.h>

struct plan {
    double ways, span; /* of the planted level */
    double low_from;   /* strides from here on show `low` ways (0: none) */
    double low;
    double first, last; /* strides */
};

static struct series *plant(struct series_list *list, const struct plan *plan)
{
    struct series *series = sonde_measure_series_add(list, "conflicts");
    series->axis_count = 2;
    series->unit = "ns";
    for (double stride = plan->first; stride <= plan->last; stride *= 2) {
        double knee = plan->ways * fmax(1, plan->span / stride);
        if (plan->low_from > 0 && stride >= plan->low_from)
            knee = plan->low;
        for (double lines = 2; lines <= 128; lines += lines < 40 ? 1 : floor(lines / 8)) {
            struct series_point *point = sonde_measure_point_add(series);
            point->at[0] = stride;
            point->at[1] = lines;
            point->n = 1;
            point->best = lines <= knee ? 1.1 : 3.8;
        }
    }
    return series;
}

static double value(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);
    assert_non_null(finding);
    return finding->value;
}

static void run(const struct plan *plan, struct findings *findings, bool disturb)
{
    struct series_list list = {0};
    struct series *series = plant(&list, plan);
    for (size_t i = 0; disturb && i < series->count; i += 17)
        series->points[i].best *= 3;
    *findings = (struct findings){0};
    assert_int_equal(sonde_infer_conflicts(series, "l1d", 64, findings), 0);
    sonde_measure_series_list_free(&list);
}

static void twelve_ways(void **state)
{
    (void)state;
    const struct plan plan = {.ways = 12, .span = 4096, .first = 512, .last = 32768};
    struct findings findings;
    for (int disturb = 0; disturb < 2; disturb++) {
        run(&plan, &findings, disturb);
        assert_true(value(&findings, "l1d.ways") == 12);
        assert_true(value(&findings, "l1d.span") == 4096);
        assert_true(value(&findings, "l1d.sets") == 64);
        assert_true(value(&findings, "l1d.size") == 49152);
        assert_int_equal(findings.control_count, 1);
        assert_true(findings.controls[0].ok);
        sonde_infer_findings_free(&findings);
    }
}

static void other_shapes(void **state)
{
    (void)state;
    const struct plan shapes[] = {
        {.ways = 2, .span = 32768, .first = 512, .last = 262144},
        {.ways = 4, .span = 16384, .first = 512, .last = 131072},
        {.ways = 8, .span = 4096, .first = 512, .last = 32768}};
    for (size_t i = 0; i < 3; i++) {
        struct findings findings;
        run(&shapes[i], &findings, false);
        assert_true(value(&findings, "l1d.ways") == shapes[i].ways);
        assert_true(value(&findings, "l1d.size") == shapes[i].ways * shapes[i].span);
        sonde_infer_findings_free(&findings);
    }
}

/* The largest stride shows fewer: a translation buffer, not the cache. */
static void one_stride_disagrees(void **state)
{
    (void)state;
    const struct plan plan = {.ways = 8,
                              .span = 4096,
                              .low_from = 65536,
                              .low = 5,
                              .first = 512,
                              .last = 65536};
    struct findings findings;
    run(&plan, &findings, false);
    assert_true(value(&findings, "l1d.ways") == 8);
    assert_true(sonde_infer_finding_get(&findings, "l1d.ways")->confidence < 0.9);
    sonde_infer_findings_free(&findings);
}

static void half_of_the_strides_disagree(void **state)
{
    (void)state;
    const struct plan plan = {.ways = 8,
                              .span = 4096,
                              .low_from = 32768,
                              .low = 6,
                              .first = 512,
                              .last = 131072};
    struct findings findings;
    run(&plan, &findings, false);
    assert_true(isnan(value(&findings, "l1d.ways")));
    assert_true(isnan(value(&findings, "l1d.size")));
    assert_int_equal(sonde_infer_finding_get(&findings, "l1d.size")->verdict,
                     VERDICT_NOT_MEASURABLE);
    sonde_infer_findings_free(&findings);
}

/* Without a stride below the span the ways are known and the size is not. */
static void no_stride_below_the_span(void **state)
{
    (void)state;
    const struct plan plan = {.ways = 8, .span = 4096, .first = 4096, .last = 32768};
    struct findings findings;
    run(&plan, &findings, false);
    assert_true(value(&findings, "l1d.ways") == 8);
    assert_true(isnan(value(&findings, "l1d.size")));
    sonde_infer_findings_free(&findings);
}

static void nothing_to_look_at(void **state)
{
    (void)state;
    struct series_list list = {0};
    struct series *series = sonde_measure_series_add(&list, "conflicts");
    struct findings findings = {0};
    assert_int_equal(sonde_infer_conflicts(series, "l2", 64, &findings), 0);
    assert_true(isnan(value(&findings, "l2.ways")));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twelve_ways),
        cmocka_unit_test(other_shapes),
        cmocka_unit_test(one_stride_disagrees),
        cmocka_unit_test(half_of_the_strides_disagree),
        cmocka_unit_test(no_stride_below_the_span),
        cmocka_unit_test(nothing_to_look_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
