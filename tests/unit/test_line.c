/* The line from planted pairs: every line and granule comes back, beside noise; a step
 * that does not move with the base is refused, and so is none. */
#include "support.h"

#include "base/random.h"
#include "infer/line.h"

#include <math.h>

static const double distances[] = {8,   16,  24,  32,  40,  48,  56,  64,  72,
                                   96,  104, 112, 120, 128, 136, 192, 224, 232,
                                   240, 248, 256, 264, 512, 640, 768, 896, 960};
enum { DISTANCES = sizeof distances / sizeof distances[0], SHIFT = 24 };

/* A pair costs 16 up to `step` and 24 beyond; one point in `spoil` (0: none) is doubled.
 */
static struct series *plant(struct series_list *list, const char *name, double step,
                            double noise, uint64_t seed, unsigned spoil)
{
    struct series *series = sonde_measure_series_add(list, name);
    struct random_source random;

    sonde_base_random_seed(&random, seed);
    for (size_t i = 0; i < DISTANCES; i++) {
        struct series_point *point = sonde_measure_point_add(series);
        double cost = distances[i] < step ? 16 : 24;

        cost *= 1 + noise * fabs(sonde_base_random_normal(&random));
        point->at[0] = distances[i];
        point->n = 21;
        point->best = spoil && i % spoil == 5 ? 2 * cost : cost;
        point->cycles = 3 * point->best;
    }
    return series;
}

struct planted {
    double near, shifted, far, noise;
    unsigned spoil;
};

static void infer(const struct planted *planted, uint64_t seed, struct findings *findings)
{
    struct series_list list = {0};

    *findings = (struct findings){0};
    plant(&list, "near", planted->near, planted->noise, seed, planted->spoil);
    plant(&list, "shifted", planted->shifted, planted->noise, seed + 100, 0);
    plant(&list, "far", planted->far, planted->noise, seed + 200, 0);
    assert_int_equal(sonde_infer_line(sonde_measure_series_find(&list, "near"),
                                      sonde_measure_series_find(&list, "shifted"),
                                      sonde_measure_series_find(&list, "far"), SHIFT,
                                      findings),
                     0);
    sonde_measure_series_list_free(&list);
}

static double value(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    assert_non_null(finding);
    return finding->value;
}

static void test_lines_come_back(void **state)
{
    (void)state;
    for (double line = 32; line <= 256; line *= 2)
        for (double granule = line; granule <= 512; granule *= 2)
            for (uint64_t seed = 1; seed <= 20; seed++) {
                struct planted planted = {line, line - SHIFT, granule, 0.05, 0};
                struct findings findings;

                infer(&planted, seed, &findings);
                assert_true(value(&findings, "line.size") == line);
                assert_true(value(&findings, "line.granule") == granule);
                assert_int_equal(findings.control_count, 1);
                assert_true(findings.controls[0].ok);
                sonde_infer_findings_free(&findings);
            }
}

static void test_spoilt_points_move_nothing(void **state)
{
    struct planted planted = {64, 64 - SHIFT, 128, 0.05, 20};
    struct findings findings;

    (void)state;
    infer(&planted, 1, &findings);
    assert_true(value(&findings, "line.size") == 64);
    assert_true(sonde_infer_finding_get(&findings, "line.size")->confidence < 0.99);
    sonde_infer_findings_free(&findings);
}

/* Points that never had the core alone cost more than two lines do, and are three of the
 * five that lie far apart. */
static void test_shared_points_move_nothing(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};
    struct series *near = plant(&list, "near", 64, 0, 1, 0);

    (void)state;
    plant(&list, "shifted", 64 - SHIFT, 0, 2, 0);
    for (size_t i = 5; i < near->count; i += 2) {
        near->points[i].best *= 1.6;
        near->points[i].cycles *= 1.6;
    }
    near->points[near->count - 1].cycles *= 1.6;
    assert_int_equal(sonde_infer_line(sonde_measure_series_find(&list, "near"),
                                      sonde_measure_series_find(&list, "shifted"), NULL,
                                      SHIFT, &findings),
                     0);
    assert_true(value(&findings, "line.size") == 64);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void test_a_step_that_stays_is_refused(void **state)
{
    struct planted planted = {64, 64, 64, 0, 0};
    struct findings findings;

    (void)state;
    infer(&planted, 1, &findings);
    assert_true(isnan(value(&findings, "line.size")));
    assert_false(findings.controls[0].ok);
    assert_null(sonde_infer_finding_get(&findings, "line.granule"));
    sonde_infer_findings_free(&findings);
}

static void test_no_step(void **state)
{
    struct planted never = {2000, 2000, 2000, 0.02, 0};
    struct planted blurred = {64, 40, 64, 3, 0};
    struct findings findings;

    (void)state;
    infer(&never, 1, &findings);
    assert_true(isnan(value(&findings, "line.size")));
    sonde_infer_findings_free(&findings);
    infer(&blurred, 1, &findings);
    assert_true(isnan(value(&findings, "line.size")));
    sonde_infer_findings_free(&findings);
}

static void test_a_blurred_far_walk_gives_no_granule(void **state)
{
    struct planted planted = {64, 40, 2000, 0.02, 0};
    struct findings findings;

    (void)state;
    infer(&planted, 1, &findings);
    assert_true(value(&findings, "line.size") == 64);
    assert_true(isnan(value(&findings, "line.granule")));
    sonde_infer_findings_free(&findings);
}

static void test_nothing_measured(void **state)
{
    struct series_list list = {0};
    struct series *empty = sonde_measure_series_add(&list, "near");
    struct findings findings = {0};

    (void)state;
    assert_int_equal(sonde_infer_line(empty, empty, NULL, SHIFT, &findings), 0);
    assert_true(isnan(value(&findings, "line.size")));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_come_back),
        cmocka_unit_test(test_spoilt_points_move_nothing),
        cmocka_unit_test(test_shared_points_move_nothing),
        cmocka_unit_test(test_a_step_that_stays_is_refused),
        cmocka_unit_test(test_no_step),
        cmocka_unit_test(test_a_blurred_far_walk_gives_no_granule),
        cmocka_unit_test(test_nothing_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
