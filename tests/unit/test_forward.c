/* Forwarding on planted series: latency, failures, aliases and splits come back, and what
 * a core does not have is said to be none. */
#include "support.h"

#include "base/random.h"
#include "infer/forward.h"
#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 41 };

struct core {
    double latency, same, failure, alias, line, page; /* cycles */
};

struct planted {
    struct series_list list;
    struct forward_series series;
    struct findings findings;
};

static struct random_source noise;

static void add_point(struct series *series, double first, double second, double cycles)
{
    struct series_point *point = sonde_measure_point_add(series);
    struct sample *samples = malloc(SAMPLES * sizeof *samples);

    assert_non_null(point);
    assert_non_null(samples);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        double factor = 1 + 0.02 * fabs(sonde_base_random_normal(&noise));

        samples[i] = (struct sample){
            .value = cycles * factor * 0.3, .cycles = cycles * factor, .round = i / 3};
    }
    point->at[0] = first;
    point->at[1] = second;
    point->n = SAMPLES;
    point->samples = samples;
    sonde_measure_summarise(point, STATISTIC_Q25);
}

static double step_of(const struct core *core, struct forward_widths widths, int offset)
{
    if (offset >= (int)widths.stored || offset + (int)widths.loaded <= 0)
        return 5;
    if (offset < 0 || offset + (int)widths.loaded > (int)widths.stored)
        return core->failure + 1;
    return core->latency + 1;
}

static void plant(struct planted *planted, const struct core *core, uint64_t seed)
{
    static const double distances[] = {64, 4032, 4096, 4160, 8192, 8256};
    static const double places[] = {0, 8, 56, 57, 63, 4089, 4095};
    struct series_list *list = &planted->list;

    *planted = (struct planted){.series = {NULL, NULL, NULL, NULL}};
    sonde_base_random_seed(&noise, seed);
    for (int i = 0; i < 4; i++)
        assert_non_null(sonde_measure_series_add(list, "series"));
    for (int pair = 0; pair < FORWARD_PAIRS; pair++) {
        struct forward_widths widths =
            sonde_infer_forward_widths((enum forward_pair)pair);

        for (int at = -(int)widths.loaded; at <= (int)widths.stored; at++)
            add_point(&list->rows[0], at, pair, step_of(core, widths, at));
    }
    add_point(&list->rows[1], 0, 0, core->same + 1);
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++)
        add_point(&list->rows[2], distances[i], 0,
                  5 + (fmod(distances[i], 4096) == 0 ? core->alias : 0));
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        add_point(&list->rows[3], places[i], 0,
                  4 + (i > 4   ? core->page
                       : i > 2 ? core->line
                               : 0));
    planted->series = (struct forward_series){&list->rows[0], &list->rows[1],
                                              &list->rows[2], &list->rows[3]};
}

static void conclude(struct planted *planted)
{
    assert_int_equal(sonde_infer_forward(&planted->series, 64, 4096, &planted->findings),
                     0);
}

static void discard(struct planted *planted)
{
    sonde_infer_findings_free(&planted->findings);
    sonde_measure_series_list_free(&planted->list);
}

static const struct finding *get(const struct planted *planted, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(&planted->findings, name);

    assert_non_null(finding);
    return finding;
}

static void assert_near(const struct planted *planted, const char *name, double wanted)
{
    const struct finding *finding = get(planted, name);

    if (!(fabs(finding->value - wanted) <= 0.05 * wanted + 0.25) ||
        !(finding->low <= finding->value && finding->value <= finding->high))
        fail_msg("%s is %g [%g, %g], planted %g", name, finding->value, finding->low,
                 finding->high, wanted);
}

static void test_planted_costs_come_back(void **state)
{
    static const struct core cores[] = {{7, 7, 14, 7, 1, 20}, {4, 4, 11, 2, 5, 5}};

    (void)state;
    for (size_t c = 0; c < 2; c++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            struct planted planted;

            plant(&planted, &cores[c], seed);
            conclude(&planted);
            assert_near(&planted, "forward.latency_cycles", cores[c].latency);
            assert_near(&planted, "forward.inside_cycles", cores[c].latency);
            assert_near(&planted, "forward.same_cycles", cores[c].same);
            assert_near(&planted, "forward.failure_cycles", cores[c].failure);
            assert_near(&planted, "forward.alias_cycles", cores[c].alias);
            assert_near(&planted, "forward.line_split_cycles", cores[c].line);
            assert_near(&planted, "forward.page_split_cycles", cores[c].page);
            assert_int_equal(planted.findings.control_count, 2);
            assert_true(planted.findings.controls[0].ok);
            assert_true(planted.findings.controls[1].ok);
            discard(&planted);
        }
}

static void test_renaming_is_labelled(void **state)
{
    static const struct core core = {7, 0, 14, 7, 1, 20};
    struct planted planted;

    (void)state;
    plant(&planted, &core, 1);
    conclude(&planted);
    assert_null(get(&planted, "forward.latency_cycles")->reason);
    assert_non_null(strstr(get(&planted, "forward.same_cycles")->reason, "renamed"));
    discard(&planted);
}

static void test_no_penalty_is_said(void **state)
{
    static const struct core core = {5, 5, 5, 0, 0, 0};
    static const char *const names[] = {"forward.failure_cycles", "forward.alias_cycles",
                                        "forward.line_split_cycles",
                                        "forward.page_split_cycles"};
    struct planted planted;

    (void)state;
    plant(&planted, &core, 1);
    conclude(&planted);
    for (size_t i = 0; i < 4; i++)
        assert_non_null(strstr(get(&planted, names[i])->reason, "no "));
    discard(&planted);
}

static void test_without_a_clock_there_is_no_figure(void **state)
{
    static const struct core core = {5, 5, 12, 0, 0, 0};
    struct planted planted;

    (void)state;
    plant(&planted, &core, 1);
    for (size_t s = 0; s < planted.list.count; s++)
        for (size_t i = 0; i < planted.list.rows[s].count; i++)
            planted.list.rows[s].points[i].cycles = NAN;
    conclude(&planted);
    assert_int_equal(planted.findings.count, 8);
    for (size_t i = 0; i < planted.findings.count; i++)
        assert_int_equal(planted.findings.rows[i].verdict, VERDICT_NOT_MEASURABLE);
    discard(&planted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted_costs_come_back),
        cmocka_unit_test(test_renaming_is_labelled),
        cmocka_unit_test(test_no_penalty_is_said),
        cmocka_unit_test(test_without_a_clock_there_is_no_figure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
