/* Prefetching on planted series: the reach of strides, the lines a new page costs, cores
 * that see nothing, and walks that disagree. */
#include "support.h"

#include "base/random.h"
#include "infer/prefetch.h"
#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 41 };

struct core {
    double random_ns, ahead_ns; /* what a load costs unseen and prefetched */
    double reach, restart;      /* bytes; lines */
    bool descending, inside;
    bool long_walks; /* only what goes on for long is seen beyond the reach */
};

static struct random_source noise;

static void add_point(struct series *series, double first, double second, double ns)
{
    struct series_point *point = sonde_measure_point_add(series);
    struct sample *samples = malloc(SAMPLES * sizeof *samples);

    assert_non_null(point);
    assert_non_null(samples);
    for (uint32_t i = 0; i < SAMPLES; i++)
        samples[i] = (struct sample){
            .value = ns * (1 + 0.05 * fabs(sonde_base_random_normal(&noise))),
            .cycles = NAN,
            .round = i / 3};
    point->at[0] = first;
    point->at[1] = second;
    point->n = SAMPLES;
    point->samples = samples;
    sonde_measure_summarise(point, STATISTIC_MEDIAN);
}

static struct series *add_series(struct series_list *list, const char *name,
                                 unsigned axes)
{
    struct series *series = sonde_measure_series_add(list, name);

    assert_non_null(series);
    series->axis_count = axes;
    return series;
}

static double seen(const struct core *core, bool is_seen)
{
    return is_seen ? core->ahead_ns : core->random_ns;
}

static void plant(struct series_list *list, const struct core *core, uint64_t seed)
{
    static const double strides[] = {64, 128, 192, 256, 512, 1024, 2048, 4096};
    double share = core->restart / 64;
    struct series *series;

    sonde_base_random_seed(&noise, seed);
    series = add_series(list, "patterns", 1);
    add_point(series, WALK_RANDOM, 0, core->random_ns);
    add_point(series, WALK_RANDOM_AGAIN, 0, core->random_ns);
    add_point(series, WALK_ASCENDING, 0, seen(core, core->reach >= 64));
    add_point(series, WALK_DESCENDING, 0, seen(core, core->descending));
    add_point(series, WALK_SCATTERED, 0,
              share * core->random_ns + (1 - share) * seen(core, core->reach >= 64));
    add_point(series, WALK_INSIDE, 0, seen(core, core->inside));
    series = add_series(list, "strides", 2);
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        add_point(series, strides[i], STRIDE_ASCENDING,
                  seen(core, strides[i] <= core->reach || core->long_walks));
        add_point(series, strides[i], STRIDE_RANDOM, core->random_ns);
        add_point(series, strides[i], STRIDE_RUNS,
                  share * core->random_ns +
                      (1 - share) * seen(core, strides[i] <= core->reach));
    }
}

static void conclude(const struct series_list *list, struct findings *findings)
{
    assert_int_equal(sonde_infer_prefetch(&list->rows[0], &list->rows[1], 64, findings),
                     0);
}

static const struct finding *get(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    assert_non_null(finding);
    return finding;
}

static void test_what_is_planted_comes_back(void **state)
{
    static const struct core cores[] = {{40, 8, 2048, 3, true, false, false},
                                        {100, 10, 64, 2, false, true, true},
                                        {100, 30, 512, 4, true, true, false}};

    (void)state;
    for (size_t c = 0; c < sizeof cores / sizeof cores[0]; c++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            struct series_list list = {0};
            struct findings findings = {0};
            const struct finding *restart;

            plant(&list, &cores[c], seed);
            conclude(&list, &findings);
            assert_true(get(&findings, "prefetch.stride")->value == cores[c].reach);
            assert_true(get(&findings, "prefetch.ascending")->value < 0.5);
            assert_true((get(&findings, "prefetch.descending")->value < 0.5) ==
                        cores[c].descending);
            assert_true((get(&findings, "prefetch.inside_pages")->value < 0.5) ==
                        cores[c].inside);
            restart = get(&findings, "prefetch.restart");
            assert_true(restart->low <= cores[c].restart &&
                        cores[c].restart <= restart->high);
            for (size_t i = 0; i < findings.control_count; i++)
                assert_true(findings.controls[i].ok);
            assert_int_equal(findings.control_count, 2);
            sonde_infer_findings_free(&findings);
            sonde_measure_series_list_free(&list);
        }
}

static void test_nothing_is_seen(void **state)
{
    static const struct core blind = {100, 10, 0, 0, false, false, false};
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant(&list, &blind, 1);
    conclude(&list, &findings);
    assert_true(get(&findings, "prefetch.ascending")->value > 0.8);
    assert_true(isnan(get(&findings, "prefetch.stride")->value));
    assert_non_null(strstr(get(&findings, "prefetch.stride")->reason, "no stride"));
    assert_true(isnan(get(&findings, "prefetch.restart")->value));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void test_all_strides_are_a_bound(void **state)
{
    static const struct core far = {100, 10, 1e9, 2, true, true, false};
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant(&list, &far, 1);
    conclude(&list, &findings);
    assert_true(isnan(get(&findings, "prefetch.stride")->value));
    assert_true(get(&findings, "prefetch.stride")->low == 4096);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

/* A long walk whose every stride is cheap, by what is not its stride: no claim beyond
 * what runs from random places show. */
static void test_long_walks_prove_nothing(void **state)
{
    static const struct core core = {100, 10, 512, 2, true, true, true};
    struct series_list list = {0};
    struct findings findings = {0};
    const struct finding *stride;

    (void)state;
    plant(&list, &core, 1);
    conclude(&list, &findings);
    stride = get(&findings, "prefetch.stride");
    assert_true(stride->value == 512 && stride->high == 1024);
    assert_non_null(strstr(stride->reason, "begin at random places"));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

/* Between the largest that is surely seen and the first that surely is not lies one that
 * cannot be told. */
static void test_a_stride_in_doubt(void **state)
{
    static const struct core core = {100, 10, 512, 2, true, true, false};
    struct series_list list = {0};
    struct findings findings = {0};
    const struct finding *stride;

    (void)state;
    plant(&list, &core, 1);
    for (size_t i = 0; i < list.rows[1].count; i++)
        if (list.rows[1].points[i].at[0] == 1024 &&
            list.rows[1].points[i].at[1] != STRIDE_RANDOM) {
            list.rows[1].points[i].low = 40;
            list.rows[1].points[i].best = 49;
            list.rows[1].points[i].high = 60;
        }
    conclude(&list, &findings);
    stride = get(&findings, "prefetch.stride");
    assert_true(stride->value == 512 && stride->low == 512 && stride->high == 2048);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

/* Two random walks at odds: a neighbour decides, and nothing is claimed. */
static void test_walks_that_disagree(void **state)
{
    static const struct core core = {40, 8, 2048, 3, true, false, false};
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant(&list, &core, 1);
    list.rows[0].points[WALK_RANDOM_AGAIN].best *= 2.5;
    conclude(&list, &findings);
    assert_false(findings.controls[0].ok);
    assert_int_equal(findings.count, 5);
    for (size_t i = 0; i < findings.count; i++)
        assert_int_equal(findings.rows[i].verdict, VERDICT_NOT_MEASURABLE);
    sonde_infer_findings_free(&findings);
    findings = (struct findings){0};
    list.rows[0].points[WALK_RANDOM].n = 0;
    conclude(&list, &findings);
    assert_int_equal(findings.count, 5);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_planted_comes_back),
        cmocka_unit_test(test_nothing_is_seen),
        cmocka_unit_test(test_all_strides_are_a_bound),
        cmocka_unit_test(test_walks_that_disagree),
        cmocka_unit_test(test_long_walks_prove_nothing),
        cmocka_unit_test(test_a_stride_in_doubt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
