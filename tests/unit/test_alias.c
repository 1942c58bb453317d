/* Views of a page from planted mixtures: an effect is found, explained and held against
 * its prediction; another law is not taken for it; no effect is said to be none. */
#include "support.h"

#include "base/random.h"
#include "infer/alias.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 5, FIRST = 4, SECOND = 13 };

struct planted {
    double effect;  /* share of a switch that costs the second level */
    double by_line; /* cycles through views of lines of their own */
    bool cycles, second;
    bool saturates; /* two views cost what 32 do */
};

static void add(struct series *series, double views, double seed, double cycles,
                const char *label, bool known)
{
    struct series_point *point = sonde_measure_point_add(series);

    point->at[0] = views;
    point->at[1] = seed;
    point->n = 10;
    point->cycles = known ? cycles : NAN;
    point->best = cycles / 3;
    if (label)
        point->label = strdup(label);
}

static void infer(const struct planted *planted, struct findings *findings)
{
    struct series_list list = {0};
    struct random_source random;
    double share[64];
    struct series *series = sonde_measure_series_add(&list, "views");

    sonde_base_random_seed(&random, 1);
    for (double views = 1; views <= 32; views *= 2)
        for (int seed = 1; seed <= SEEDS; seed++) {
            double p = views > 1 ? 1 - 1 / views : 0;
            double noise = 1 + 0.01 * sonde_base_random_unit(&random);

            double part = planted->saturates && views > 1 ? 1 : p;

            share[series->count] = p;
            add(series, views, seed,
                (FIRST + planted->effect * part * (SECOND - FIRST)) * noise, NULL,
                planted->cycles);
        }
    series = sonde_measure_series_add(&list, "by_line");
    add(series, 2, 1, planted->by_line, NULL, planted->cycles);
    add(series, 32, 1, planted->by_line, NULL, planted->cycles);
    series = sonde_measure_series_add(&list, "levels");
    add(series, 1, 0, FIRST, "first", planted->cycles);
    if (planted->second)
        add(series, 2, 0, SECOND, "second", planted->cycles);
    struct alias alias = {.views = sonde_measure_series_find(&list, "views"),
                          .by_line = sonde_measure_series_find(&list, "by_line"),
                          .levels = sonde_measure_series_find(&list, "levels"),
                          .share = share};
    *findings = (struct findings){0};
    assert_int_equal(sonde_infer_alias(&alias, findings), 0);
    sonde_measure_series_list_free(&list);
}

static double value(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    if (!finding)
        fail_msg("%s is not there", name);
    return finding->value;
}

static unsigned controls_broken(const struct findings *findings)
{
    unsigned broken = 0;

    for (size_t i = 0; i < findings->control_count; i++)
        broken += !findings->controls[i].ok;
    return broken;
}

static void test_effect(void **state)
{
    struct planted planted = {1, FIRST, true, true, false};
    struct findings findings;

    (void)state;
    infer(&planted, &findings);
    assert_true(fabs(value(&findings, "alias.latency_cycles") - 12.7) < 0.2);
    assert_true(fabs(value(&findings, "alias.predicted_cycles") - 12.7) < 0.2);
    assert_true(fabs(value(&findings, "alias.agreement") - 1) < 0.03);
    assert_true(fabs(value(&findings, "alias.second_level") - 1) < 0.03);
    assert_true(fabs(value(&findings, "alias.share") - 31.0 / 32) < 1e-9);
    assert_true(value(&findings, "alias.cost") > 3);
    assert_int_equal(findings.control_count, 3);
    assert_int_equal(controls_broken(&findings), 0);
    sonde_infer_findings_free(&findings);
}

static void test_no_effect(void **state)
{
    struct planted planted = {0, FIRST, true, true, false};
    struct findings findings;

    (void)state;
    infer(&planted, &findings);
    assert_true(fabs(value(&findings, "alias.cost") - 1) < 0.02);
    assert_non_null(
        strstr(sonde_infer_finding_get(&findings, "alias.cost")->reason, "no effect"));
    assert_null(sonde_infer_finding_get(&findings, "alias.agreement"));
    assert_int_equal(controls_broken(&findings), 0);
    sonde_infer_findings_free(&findings);
}

/* A load by another address costs half of what the second level adds: it is none of that
 * level, and that is said. */
static void test_another_cost(void **state)
{
    struct planted planted = {0.5, FIRST, true, true, false};
    struct findings findings;

    (void)state;
    infer(&planted, &findings);
    assert_true(fabs(value(&findings, "alias.agreement") - 1) < 0.03);
    assert_true(fabs(value(&findings, "alias.second_level") - 8.5 / 13) < 0.03);
    assert_true(fabs(value(&findings, "alias.switch_cycles") - 8.5) < 0.3);
    assert_non_null(strstr(
        sonde_infer_finding_get(&findings, "alias.second_level")->reason, "not within"));
    assert_int_equal(controls_broken(&findings), 0);
    sonde_infer_findings_free(&findings);
}

/* Only the first change of address costs: not in proportion to their share. */
static void test_no_proportion(void **state)
{
    struct planted planted = {1, FIRST, true, true, false};
    struct findings findings;

    (void)state;
    planted.saturates = true;
    infer(&planted, &findings);
    assert_int_equal(controls_broken(&findings), 1);
    assert_true(value(&findings, "alias.agreement") < 0.9);
    sonde_infer_findings_free(&findings);
}

/* Mappings that cost by themselves break the control. */
static void test_mappings_that_cost(void **state)
{
    struct planted planted = {1, SECOND, true, true, false};
    struct findings findings;

    (void)state;
    infer(&planted, &findings);
    assert_int_equal(controls_broken(&findings), 1);
    sonde_infer_findings_free(&findings);
}

static void test_without_a_core_clock(void **state)
{
    struct planted planted = {1, FIRST, false, true, false};
    struct findings findings;

    (void)state;
    infer(&planted, &findings);
    assert_true(fabs(value(&findings, "alias.latency") - 12.7 / 3) < 0.1);
    assert_null(sonde_infer_finding_get(&findings, "alias.latency_cycles"));
    sonde_infer_findings_free(&findings);
}

static void test_without_the_second_level(void **state)
{
    struct planted planted = {1, FIRST, true, false, false};
    struct findings findings;

    (void)state;
    infer(&planted, &findings);
    assert_true(isnan(value(&findings, "alias.second_level")));
    assert_true(value(&findings, "alias.cost") > 3);
    sonde_infer_findings_free(&findings);
}

static void test_nothing_measured(void **state)
{
    struct series_list list = {0};
    struct alias alias = {.views = sonde_measure_series_add(&list, "views")};
    struct findings findings = {0};

    (void)state;
    assert_int_equal(sonde_infer_alias(&alias, &findings), 0);
    assert_true(isnan(value(&findings, "alias.cost")));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_effect),
        cmocka_unit_test(test_no_effect),
        cmocka_unit_test(test_another_cost),
        cmocka_unit_test(test_no_proportion),
        cmocka_unit_test(test_mappings_that_cost),
        cmocka_unit_test(test_without_a_core_clock),
        cmocka_unit_test(test_without_the_second_level),
        cmocka_unit_test(test_nothing_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
