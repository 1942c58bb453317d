/* Parallel misses on planted series: what is planted comes back, what does not saturate
 * is a lower bound, and what was not measured has no value. */
#include "support.h"

#include "base/random.h"
#include "infer/mlp.h"
#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 41 };

static const double chains[] = {1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64};

/* Costs of a core that answers `parallel` loads at once, each longer by noise. */
static void plant(struct series *series, double latency_ns, double parallel, double sigma,
                  uint64_t seed)
{
    struct random_source noise;

    sonde_base_random_seed(&noise, seed);
    for (size_t k = 0; k < sizeof chains / sizeof chains[0]; k++) {
        struct series_point *point = sonde_measure_point_add(series);
        struct sample *samples = malloc(SAMPLES * sizeof *samples);

        assert_non_null(point);
        assert_non_null(samples);
        for (uint32_t i = 0; i < SAMPLES; i++) {
            double factor = 1 + sigma * fabs(sonde_base_random_normal(&noise));

            samples[i] = (struct sample){
                .value = factor * latency_ns / fmin(chains[k], parallel),
                .cycles = factor * 3 * latency_ns / fmin(chains[k], parallel),
                .round = i / 3};
        }
        point->at[0] = chains[k];
        point->n = SAMPLES;
        point->samples = samples;
        sonde_measure_summarise(point, STATISTIC_MEDIAN);
    }
}

static struct series *new_series(struct series_list *list)
{
    struct series *series = sonde_measure_series_add(list, "memory");

    assert_non_null(series);
    series->axis_count = 1;
    return series;
}

static const struct finding *get(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    assert_non_null(finding);
    return finding;
}

static void test_planted_parallelism_comes_back(void **state)
{
    static const double planted[] = {2, 5, 10, 12, 22, 40};

    (void)state;
    for (size_t p = 0; p < sizeof planted / sizeof planted[0]; p++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            struct series_list list = {0};
            struct findings findings = {0};
            const struct finding *finding;

            plant(new_series(&list), 100, planted[p], 0.03, seed);
            assert_int_equal(sonde_infer_mlp(&list.rows[0], "memory", 100, &findings), 0);
            finding = get(&findings, "mlp.memory");
            assert_true(fabs(finding->value - planted[p]) < 0.05 * planted[p]);
            finding = get(&findings, "mlp.memory.chains");
            assert_true(finding->value > 0.85 * planted[p] &&
                        finding->value <= 1.05 * planted[p]);
            assert_int_equal(findings.control_count, 2);
            assert_true(findings.controls[0].ok && findings.controls[1].ok);
            sonde_infer_findings_free(&findings);
            sonde_measure_series_list_free(&list);
        }
}

static void test_what_still_falls_is_a_bound(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};
    const struct finding *finding;

    (void)state;
    plant(new_series(&list), 100, 1000, 0.01, 1);
    assert_int_equal(sonde_infer_mlp(&list.rows[0], "memory", NAN, &findings), 0);
    finding = get(&findings, "mlp.memory");
    assert_true(isnan(finding->value) && isnan(finding->high));
    assert_true(finding->low > 60 && finding->low < 66);
    assert_non_null(strstr(finding->reason, "at least"));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

/* Another latency than the ladder's: another level answered, and the control says so. */
static void test_another_level_is_noticed(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant(new_series(&list), 100, 10, 0.01, 1);
    assert_int_equal(sonde_infer_mlp(&list.rows[0], "memory", 20, &findings), 0);
    assert_true(findings.controls[0].ok);
    assert_false(findings.controls[1].ok);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

/* One chase beside a neighbour that holds the level, many without it. */
static void test_two_levels_are_no_figure(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant(new_series(&list), 100, 10, 0.01, 1);
    list.rows[0].points[1].best /= 4;
    list.rows[0].points[1].cycles /= 4;
    assert_int_equal(sonde_infer_mlp(&list.rows[0], "llc", NAN, &findings), 0);
    assert_int_equal(get(&findings, "mlp.llc")->verdict, VERDICT_NOT_MEASURABLE);
    assert_int_equal(findings.count, 1);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

/* One load at a time, as in an emulator or in a core that blocks on a miss. */
static void test_nothing_in_flight(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant(new_series(&list), 100, 1, 0, 1);
    assert_int_equal(sonde_infer_mlp(&list.rows[0], "memory", NAN, &findings), 0);
    assert_true(isnan(get(&findings, "mlp.memory")->value));
    list.rows[0].points[0].flags |= POINT_WRONG;
    sonde_infer_findings_free(&findings);
    findings = (struct findings){0};
    assert_int_equal(sonde_infer_mlp(&list.rows[0], "memory", NAN, &findings), 0);
    assert_int_equal(get(&findings, "mlp.memory")->verdict, VERDICT_NOT_MEASURABLE);
    assert_int_equal(sonde_infer_mlp(NULL, "l2", NAN, &findings), 0);
    assert_int_equal(get(&findings, "mlp.l2")->verdict, VERDICT_NOT_MEASURABLE);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted_parallelism_comes_back),
        cmocka_unit_test(test_what_still_falls_is_a_bound),
        cmocka_unit_test(test_another_level_is_noticed),
        cmocka_unit_test(test_two_levels_are_no_figure),
        cmocka_unit_test(test_nothing_in_flight),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
