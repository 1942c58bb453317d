/* The granule of sharing from planted costs. */
#include "support.h"

#include "base/random.h"
#include "infer/sharing.h"

#include <math.h>
#include <string.h>

static const double distances[] = {8, 16, 32, 64, 128, 256, 512, 4096};

static void infer(double granule, double loss, double noise, uint64_t seed,
                  struct findings *findings)
{
    struct series_list list = {0};
    struct series *series = sonde_measure_series_add(&list, "pair");
    struct random_source random;

    sonde_base_random_seed(&random, seed);
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++) {
        struct series_point *point = sonde_measure_point_add(series);
        double disturbed = (double)sonde_base_random_below(&random, 1000) / 1000;

        point->at[0] = distances[i];
        point->n = 21;
        point->best = (distances[i] < granule ? loss : 1) * (1 + noise * disturbed);
    }
    *findings = (struct findings){0};
    assert_int_equal(sonde_infer_sharing(series, 64, findings), 0);
    sonde_measure_series_list_free(&list);
}

static void planted_granules_come_back(void **state)
{
    (void)state;
    for (double granule = 32; granule <= 256; granule *= 2)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct findings findings;
            const struct finding *finding;

            infer(granule, 4, 0.15, seed, &findings);
            finding = sonde_infer_finding_get(&findings, "sharing.granule");
            assert_non_null(finding);
            assert_true(finding->value == granule);
            assert_int_equal(findings.control_count, 1);
            assert_true(findings.controls[0].ok);
            if (granule == 128)
                assert_non_null(strstr(finding->reason, "adjacent lines interfere"));
            sonde_infer_findings_free(&findings);
        }
}

/* A busy machine leaves some points a sample or three, disturbed upwards. */
static void few_samples_do_not_mislead(void **state)
{
    (void)state;
    for (size_t spoiled = 0; spoiled < sizeof distances / sizeof distances[0] - 1;
         spoiled++)
        for (unsigned samples = 0; samples <= 3; samples++) {
            struct series_list list = {0};
            struct series *series = sonde_measure_series_add(&list, "pair");
            struct findings findings = {0};
            const struct finding *finding;

            for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++) {
                struct series_point *point = sonde_measure_point_add(series);

                point->at[0] = distances[i];
                point->n = i == spoiled ? samples : 21;
                point->best = distances[i] < 64 ? 2.8 : 0.7;
                point->best *= i == spoiled ? 10 : 1;
                point->min = point->best;
            }
            assert_int_equal(sonde_infer_sharing(series, 64, &findings), 0);
            finding = sonde_infer_finding_get(&findings, "sharing.granule");
            /* Right, or a range that holds it. */
            assert_true(finding->value == 64 ||
                        (isnan(finding->value) && finding->low <= 64 &&
                         finding->high >= 64 && finding->confidence < 0.7));
            assert_true(distances[spoiled] >= 32 || finding->value == 64);
            sonde_infer_findings_free(&findings);
            sonde_measure_series_list_free(&list);
        }
}

static void without_loss_there_is_no_granule(void **state)
{
    struct findings findings;

    (void)state;
    infer(64, 1.05, 0.1, 1, &findings);
    assert_true(isnan(sonde_infer_finding_get(&findings, "sharing.granule")->value));
    assert_false(isnan(sonde_infer_finding_get(&findings, "sharing.cost")->value));
    sonde_infer_findings_free(&findings);
}

static void nothing_measured_is_not_measurable(void **state)
{
    struct series_list list = {0};
    struct series *series = sonde_measure_series_add(&list, "pair");
    struct findings findings = {0};

    (void)state;
    sonde_measure_point_add(series)->at[0] = 8;
    assert_int_equal(sonde_infer_sharing(series, 64, &findings), 0);
    assert_int_equal(sonde_infer_finding_get(&findings, "sharing.granule")->verdict,
                     VERDICT_NOT_MEASURABLE);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_granules_come_back),
        cmocka_unit_test(few_samples_do_not_mislead),
        cmocka_unit_test(without_loss_there_is_no_granule),
        cmocka_unit_test(nothing_measured_is_not_measurable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
