/* Latency under planted loads: the knee, what is a peak and what only the most reached.
 */
#include "support.h"

#include "infer/loaded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct planted {
    struct series_list list;
    struct findings findings;
};

static void add(struct series *series, double pause, double reads, double value)
{
    struct series_point *point = sonde_measure_point_add(series);

    point->at[0] = pause;
    point->at[1] = reads;
    point->n = 15;
    point->best = value;
    point->low = value * 0.99;
    point->high = value * 1.01;
}

/* Twelve loads up to `most`; latency 100 ns, and twice as much where u is 0.73. */
static void plant(struct planted *planted, double most, double peak)
{
    struct series *load, *latency, *unloaded;

    *planted = (struct planted){.list = {0}};
    load = sonde_measure_series_add(&planted->list, "load");
    for (int i = 0; i < 12; i++)
        add(load, i, 100, most * (12 - i) / 12);
    latency = sonde_measure_series_add(&planted->list, "latency");
    for (int i = 0; i < 12; i++) {
        double use = most * (12 - i) / 12 / peak;

        add(latency, i, 100, 100 * (1 + use * use / (1 - use) / 2));
    }
    unloaded = sonde_measure_series_add(&planted->list, "unloaded");
    add(unloaded, 0, 0, 100);
}

static struct series *series_of(struct planted *planted, size_t index)
{
    return &planted->list.rows[index];
}

static void conclude(struct planted *planted)
{
    assert_int_equal(sonde_infer_loaded(series_of(planted, 1), series_of(planted, 0),
                                        series_of(planted, 2), &planted->findings),
                     0);
}

static const struct finding *get(const struct planted *planted, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(&planted->findings, name);

    if (!finding)
        fail_msg("no finding %s", name);
    return finding;
}

static void drop(struct planted *planted)
{
    sonde_measure_series_list_free(&planted->list);
    sonde_infer_findings_free(&planted->findings);
}

static void test_peak(void **state)
{
    struct planted planted;
    const struct finding *finding;

    (void)state;
    plant(&planted, 28e9, 30e9);
    conclude(&planted);
    finding = get(&planted, "loaded.reads100.most");
    assert_true(finding->value == 28e9);
    assert_non_null(strstr(finding->method, "peak"));
    assert_null(finding->reason);
    /* u^2 / (1 - u) = 1 at u = 0.618. */
    finding = get(&planted, "loaded.reads100.knee");
    assert_true(finding->low <= 0.618 * 30e9 && 0.618 * 30e9 <= finding->high);
    assert_true(get(&planted, "loaded.unloaded")->value == 100);
    assert_true(isnan(get(&planted, "loaded.reads75.most")->value));
    for (size_t i = 0; i < planted.findings.control_count; i++)
        assert_true(planted.findings.controls[i].ok);
    drop(&planted);
}

static void test_most_reached(void **state)
{
    struct planted planted;
    const struct finding *finding;

    (void)state;
    plant(&planted, 10e9, 30e9);
    conclude(&planted);
    finding = get(&planted, "loaded.reads100.most");
    assert_true(finding->value == 10e9);
    assert_null(strstr(finding->method, "peak"));
    assert_non_null(strstr(finding->reason, "most reached, not the peak"));
    finding = get(&planted, "loaded.reads100.knee");
    assert_true(isnan(finding->value));
    assert_true(finding->low == 10e9);
    drop(&planted);
}

static void test_fall_is_seen(void **state)
{
    struct planted planted;
    bool caught = false;

    (void)state;
    plant(&planted, 20e9, 30e9);
    series_of(&planted, 1)->points[0].best = 60;
    series_of(&planted, 1)->points[0].low = 59;
    series_of(&planted, 1)->points[0].high = 61;
    conclude(&planted);
    for (size_t i = 0; i < planted.findings.control_count; i++)
        caught |= !planted.findings.controls[i].ok;
    assert_true(caught);
    drop(&planted);
}

static void test_nothing(void **state)
{
    struct findings findings = {0};

    (void)state;
    assert_int_equal(sonde_infer_loaded(NULL, NULL, NULL, &findings), 0);
    assert_true(isnan(sonde_infer_finding_get(&findings, "loaded.unloaded")->value));
    sonde_infer_findings_free(&findings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_peak),
        cmocka_unit_test(test_most_reached),
        cmocka_unit_test(test_fall_is_seen),
        cmocka_unit_test(test_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
