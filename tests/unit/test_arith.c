/* Inference of arithmetic on planted series: what is planted comes back, what a chain has
 * beside an operation is taken off, and what cannot be known is said instead of a number.
 */
#include "support.h"

#include "base/random.h"
#include "infer/arith.h"
#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 41 };

static const double ns_per_cycle = 0.3;

static struct random_source noise;

/* A point of SAMPLES samples, each longer than planted by |normal| x sigma. */
static void add_point(struct series *series, double at, double cycles, double sigma)
{
    struct series_point *point = sonde_measure_point_add(series);
    struct sample *samples = malloc(SAMPLES * sizeof *samples);

    assert_non_null(point);
    assert_non_null(samples);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        double factor = 1 + sigma * fabs(sonde_base_random_normal(&noise));

        samples[i] = (struct sample){.value = cycles * factor * ns_per_cycle,
                                     .cycles = cycles * factor,
                                     .overlap = NAN,
                                     .fairness = NAN,
                                     .round = i / 3};
    }
    point->at[0] = at;
    point->n = SAMPLES;
    point->samples = samples;
    sonde_measure_summarise(point, STATISTIC_Q25);
}

static double value_of(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    assert_non_null(finding);
    return finding->value;
}

static void assert_within(double value, double wanted, double share)
{
    if (!(fabs(value - wanted) <= share * wanted))
        fail_msg("%g is not %g within %g", value, wanted, share);
}

static bool controls_hold(const struct findings *findings)
{
    assert_true(findings->control_count > 0);
    for (size_t i = 0; i < findings->control_count; i++)
        if (!findings->controls[i].ok)
            return false;
    return true;
}

/* --- latency and throughput --------------------------------------------------------- */

static const struct arith_operation operations[] = {
    {"add", NULL, true, 0, NULL, 0},           {"mul", NULL, true, 0, NULL, 0},
    {"fmul", NULL, true, 12, NULL, 0},         {"fsqrt", "fmul", false, 12, NULL, 0},
    {"fma.v512", NULL, true, 12, "v512", 512},
};

struct planted {
    struct series_list list;
    struct series *latency, *throughput;
    struct findings findings;
};

static void plant(struct planted *planted)
{
    *planted = (struct planted){.latency = NULL};
    assert_non_null(sonde_measure_series_add(&planted->list, "latency"));
    assert_non_null(sonde_measure_series_add(&planted->list, "throughput"));
    planted->latency = &planted->list.rows[0];
    planted->throughput = &planted->list.rows[1];
}

static void conclude(struct planted *planted)
{
    assert_int_equal(sonde_infer_arith(planted->latency, planted->throughput, operations,
                                       5, &planted->findings),
                     0);
}

static void discard(struct planted *planted)
{
    sonde_infer_findings_free(&planted->findings);
    sonde_measure_series_list_free(&planted->list);
}

static void test_latency_and_throughput(void **state)
{
    struct planted planted;

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        sonde_base_random_seed(&noise, seed);
        plant(&planted);
        add_point(planted.latency, 0, 1, 0.01);
        add_point(planted.latency, 1, 3, 0.01);
        add_point(planted.latency, 2, 4, 0.01);
        add_point(planted.latency, 3, 24, 0.01);
        add_point(planted.throughput, 0, 0.25, 0.02);
        add_point(planted.throughput, 2, 0.5, 0.02);
        conclude(&planted);
        assert_within(value_of(&planted.findings, "arith.add.latency_cycles"), 1, 0.03);
        assert_within(value_of(&planted.findings, "arith.mul.latency_cycles"), 3, 0.03);
        assert_within(value_of(&planted.findings, "arith.fsqrt.latency_cycles"), 20,
                      0.03);
        assert_within(value_of(&planted.findings, "arith.add.throughput"), 4, 0.03);
        assert_within(value_of(&planted.findings, "arith.fmul.throughput"), 2, 0.03);
        assert_null(
            sonde_infer_finding_get(&planted.findings, "arith.fma.v512.throughput"));
        assert_true(controls_hold(&planted.findings));
        discard(&planted);
    }
}

/* 3.4 cycles are no latency of a pipelined unit: the value stays, and is doubted. */
static void test_what_is_no_integer_is_flagged(void **state)
{
    const struct finding *finding;
    struct planted planted;

    (void)state;
    sonde_base_random_seed(&noise, 1);
    plant(&planted);
    add_point(planted.latency, 0, 1, 0.005);
    add_point(planted.latency, 1, 3.4, 0.005);
    conclude(&planted);
    finding = sonde_infer_finding_get(&planted.findings, "arith.mul.latency_cycles");
    assert_non_null(finding);
    assert_within(finding->value, 3.4, 0.01);
    assert_non_null(finding->reason);
    assert_true(finding->confidence < 0.5);
    assert_false(controls_hold(&planted.findings));
    discard(&planted);
}

static void test_what_is_not_known_has_no_value(void **state)
{
    const struct finding *finding;
    struct planted planted;

    (void)state;
    sonde_base_random_seed(&noise, 1);
    plant(&planted);
    add_point(planted.latency, 0, 1, 0.005);
    planted.latency->points[0].cycles = NAN;  /* no core clock */
    add_point(planted.latency, 1, 3, 2);      /* too disturbed */
    add_point(planted.latency, 3, 24, 0.005); /* what is beside it was not measured */
    add_point(planted.throughput, 2, 0.5, 0.005);
    planted.throughput->points[0].flags |= POINT_WRONG;
    conclude(&planted);
    assert_int_equal(planted.findings.count, 4);
    for (size_t i = 0; i < planted.findings.count; i++) {
        finding = &planted.findings.rows[i];
        assert_true(isnan(finding->value));
        assert_int_equal(finding->verdict, VERDICT_NOT_MEASURABLE);
        assert_non_null(finding->reason);
    }
    assert_false(controls_hold(&planted.findings));
    discard(&planted);
}

/* 12 chains of 4 cycles allow 3 a cycle: what reaches that is a lower bound. */
static void test_chains_bound_the_throughput(void **state)
{
    const struct finding *finding;
    struct planted planted;

    (void)state;
    sonde_base_random_seed(&noise, 1);
    plant(&planted);
    add_point(planted.latency, 2, 4, 0.002);
    add_point(planted.throughput, 2, 4.0 / 12, 0.002);
    conclude(&planted);
    finding = sonde_infer_finding_get(&planted.findings, "arith.fmul.throughput");
    assert_non_null(finding);
    assert_non_null(finding->reason);
    assert_non_null(strstr(finding->reason, "at least"));
    discard(&planted);
}

/* The clock beside wide work, and whether it is another one. */
static void test_clock_of_wide_work(void **state)
{
    struct planted planted;

    (void)state;
    for (int slowed = 0; slowed <= 1; slowed++) {
        const struct finding *finding;

        sonde_base_random_seed(&noise, 1);
        plant(&planted);
        add_point(planted.throughput, 0, 0.25, 0.002);
        add_point(planted.throughput, 4, 0.5, 0.002);
        if (slowed)
            planted.throughput->points[1].cycles *= 0.8;
        conclude(&planted);
        finding = sonde_infer_finding_get(&planted.findings, "arith.v512.core_hz");
        assert_non_null(finding);
        assert_within(finding->value, (slowed ? 0.8e9 : 1e9) / ns_per_cycle, 0.02);
        assert_non_null(strstr(finding->reason, slowed ? "0.80 times" : "the same"));
        assert_non_null(strstr(finding->reason, "512 bits"));
        discard(&planted);
    }
}

/* --- chains ------------------------------------------------------------------------- */

static void conclude_chains(double latency, double each, struct findings *findings)
{
    struct series_list list = {0};
    struct series *series = sonde_measure_series_add(&list, "chains");

    assert_non_null(series);
    for (unsigned chains = 1; chains <= 16; chains *= 2)
        add_point(series, chains, fmax(latency / chains, each), 0.01);
    assert_int_equal(sonde_infer_chains(series, findings), 0);
    sonde_measure_series_list_free(&list);
}

static void test_chains(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct findings findings = {0};

        sonde_base_random_seed(&noise, seed);
        conclude_chains(4, 0.5, &findings);
        assert_within(value_of(&findings, "chain.parallelism"), 8, 0.03);
        assert_within(value_of(&findings, "chain.saturation"), 8, 0);
        assert_within(value_of(&findings, "chain.latency_cycles"), 4, 0.03);
        assert_true(controls_hold(&findings));
        sonde_infer_findings_free(&findings);
    }
}

static void test_in_order_core_overlaps_nothing(void **state)
{
    struct findings findings = {0};

    (void)state;
    sonde_base_random_seed(&noise, 1);
    conclude_chains(3, 3, &findings);
    assert_within(value_of(&findings, "chain.parallelism"), 1, 0.03);
    assert_false(controls_hold(&findings));
    sonde_infer_findings_free(&findings);
}

/* --- subnormal numbers -------------------------------------------------------------- */

static void conclude_denormal(double penalty, double flushed, struct findings *findings)
{
    struct series_list list = {0};

    assert_non_null(sonde_measure_series_add(&list, "add"));
    assert_non_null(sonde_measure_series_add(&list, "multiply"));
    for (int mode = 0; mode < 4; mode++) {
        double more = mode == 1 ? penalty : mode == 3 ? flushed : 0;

        add_point(&list.rows[0], mode, 3, 0.005);
        add_point(&list.rows[1], mode, 4 + more, 0.005);
    }
    assert_int_equal(sonde_infer_denormal(&list.rows[0], &list.rows[1], findings), 0);
    sonde_measure_series_list_free(&list);
}

static void test_penalty(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct findings findings = {0};

        sonde_base_random_seed(&noise, seed);
        conclude_denormal(146, 0, &findings);
        assert_within(value_of(&findings, "denormal.penalty"), 150.0 / 4, 0.03);
        assert_within(value_of(&findings, "denormal.penalty_cycles"), 146, 0.03);
        assert_within(value_of(&findings, "denormal.add"), 1, 0.03);
        assert_within(value_of(&findings, "denormal.with_ftz"), 1, 0.03);
        assert_true(controls_hold(&findings));
        sonde_infer_findings_free(&findings);
    }
}

static void test_no_penalty_is_a_result(void **state)
{
    struct findings findings = {0};
    const struct finding *finding;

    (void)state;
    sonde_base_random_seed(&noise, 1);
    conclude_denormal(0, 0, &findings);
    finding = sonde_infer_finding_get(&findings, "denormal.penalty");
    assert_non_null(finding);
    assert_within(finding->value, 1, 0.03);
    assert_string_equal(finding->reason, "no penalty on this core");
    assert_true(controls_hold(&findings));
    sonde_infer_findings_free(&findings);
}

static void test_flushing_that_does_not_help_is_seen(void **state)
{
    struct findings findings = {0};

    (void)state;
    sonde_base_random_seed(&noise, 1);
    conclude_denormal(146, 146, &findings);
    assert_false(controls_hold(&findings));
    sonde_infer_findings_free(&findings);
}

static void test_missing_points_give_no_value(void **state)
{
    struct findings findings = {0};
    struct series_list list = {0};

    (void)state;
    assert_non_null(sonde_measure_series_add(&list, "add"));
    assert_int_equal(sonde_infer_denormal(&list.rows[0], NULL, &findings), 0);
    assert_true(isnan(value_of(&findings, "denormal.penalty")));
    assert_int_equal(sonde_infer_chains(&list.rows[0], &findings), 0);
    assert_true(isnan(value_of(&findings, "chain.parallelism")));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency_and_throughput),
        cmocka_unit_test(test_what_is_no_integer_is_flagged),
        cmocka_unit_test(test_what_is_not_known_has_no_value),
        cmocka_unit_test(test_chains_bound_the_throughput),
        cmocka_unit_test(test_clock_of_wide_work),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_in_order_core_overlaps_nothing),
        cmocka_unit_test(test_penalty),
        cmocka_unit_test(test_no_penalty_is_a_result),
        cmocka_unit_test(test_flushing_that_does_not_help_is_seen),
        cmocka_unit_test(test_missing_points_give_no_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
