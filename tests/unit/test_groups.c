/* Votes of planted groups: the ways come back or nothing does, however the tries fall. */
#include "support.h"

#include "base/random.h"
#include "infer/groups.h"

#include <math.h>
#include <stdlib.h>

enum { TRIES = 10, LINE = 64, PAGE = 4096 };

static void add(struct series *series, double try, double group, double value)
{
    struct series_point *point = sonde_measure_point_add(series);

    point->at[0] = try;
    point->at[1] = group;
    point->n = 1;
    point->best = value;
}

/* Each group is right with probability `right`, otherwise off by one or two; `share` of
 * the lines are held. */
static void infer(double ways, double sets, double right, double share, uint64_t seed,
                  struct findings *findings)
{
    struct series_list list = {0};
    struct random_source random;
    struct series *series = sonde_measure_series_add(&list, "groups");

    series->axis_count = 2;
    sonde_base_random_seed(&random, seed);
    for (int try = 0; try < TRIES; try++)
        for (int group = 0; group < 2; group++) {
            double off = (double)sonde_base_random_below(&random, 4) - 2;

            if (sonde_base_random_unit(&random) < right)
                off = 0;
            else if (off >= 0)
                off++;
            add(series, try, group, ways + off);
        }
    series = sonde_measure_series_add(&list, "held");
    series->axis_count = 1;
    for (int try = 0; try < TRIES; try++)
        add(series, try, 0, round(ways * sets * share));
    *findings = (struct findings){0};
    assert_int_equal(sonde_infer_groups(sonde_measure_series_find(&list, "groups"),
                                        sonde_measure_series_find(&list, "held"), "l2",
                                        LINE, PAGE, findings),
                     0);
    sonde_measure_series_list_free(&list);
}

static double value(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    if (!finding)
        fail_msg("%s is not there", name);
    return finding->value;
}

static void test_ways_come_back(void **state)
{
    static const double shapes[][2] = {{8, 16}, {16, 16}, {16, 32},
                                       {4, 16}, {20, 16}, {8, 2}};

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (double share = 0.9; share <= 1; share += 0.05) {
            struct findings findings;

            infer(shapes[i][0], shapes[i][1], 1, share, 1, &findings);
            assert_true(value(&findings, "l2.ways") == shapes[i][0]);
            assert_true(value(&findings, "l2.sets") == shapes[i][1] * PAGE / LINE);
            assert_true(value(&findings, "l2.size") ==
                        shapes[i][0] * shapes[i][1] * PAGE);
            assert_true(findings.controls[0].ok);
            sonde_infer_findings_free(&findings);
        }
}

/* The truth or nothing: of a thousand noisy searches none says another number. */
static void test_the_truth_or_nothing(void **state)
{
    unsigned told = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        double right = (double)(seed % 10) / 10;
        struct findings findings;

        infer(8, 16, right, 1, seed, &findings);
        double ways = value(&findings, "l2.ways");
        assert_true(isnan(ways) || ways == 8);
        if (isnan(ways))
            assert_non_null(sonde_infer_finding_get(&findings, "l2.ways")->reason);
        told += ways == 8;
        sonde_infer_findings_free(&findings);
    }
    assert_in_range(told, 200, 800);
}

/* Seven of eight ways everywhere do not divide what was held. */
static void test_no_whole_sets(void **state)
{
    struct findings findings;

    (void)state;
    infer(7, 16, 1, 8.0 / 7 * 0.97, 1, &findings);
    assert_true(isnan(value(&findings, "l2.ways")));
    assert_false(findings.controls[0].ok);
    sonde_infer_findings_free(&findings);
}

/* Where every line held belongs to the one group, it is no set among others. */
static void test_one_group_is_none(void **state)
{
    struct findings findings;

    (void)state;
    infer(48, 1, 1, 1, 1, &findings);
    assert_true(isnan(value(&findings, "l2.ways")));
    sonde_infer_findings_free(&findings);
}

static void test_nothing_found(void **state)
{
    struct series_list list = {0};
    struct series *empty = sonde_measure_series_add(&list, "groups");
    struct findings findings = {0};

    (void)state;
    assert_int_equal(sonde_infer_groups(empty, empty, "l2", LINE, PAGE, &findings), 0);
    assert_true(isnan(value(&findings, "l2.ways")));
    assert_true(isnan(value(&findings, "l2.size")));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways_come_back),
        cmocka_unit_test(test_the_truth_or_nothing),
        cmocka_unit_test(test_no_whole_sets),
        cmocka_unit_test(test_one_group_is_none),
        cmocka_unit_test(test_nothing_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
