/* The system's costs on planted series: medians and percentiles, the switch without its
 * calls, what is out of the ordinary, and what was refused. */
#include "support.h"

#include "base/random.h"
#include "infer/os.h"
#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 101, TRIPS = 128 };

static const char *const no_reasons[OS_CALLS] = {NULL};
static struct random_source noise;

static void add_point(struct series *series, enum os_call call, double ns)
{
    struct series_point *point = sonde_measure_point_add(series);
    struct sample *samples = malloc(SAMPLES * sizeof *samples);

    assert_non_null(point);
    assert_non_null(samples);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        /* One in five takes three times as long: the median does not see it. */
        double factor = 1 + 0.01 * fabs(sonde_base_random_normal(&noise));

        samples[i] = (struct sample){
            .value = ns * factor * (i % 5 == 0 ? 3 : 1), .cycles = NAN, .round = i / 3};
    }
    point->at[0] = call;
    point->n = SAMPLES;
    point->samples = samples;
    sonde_measure_summarise(point, STATISTIC_MEDIAN);
}

/* An ordinary system in which each system call takes `intercept` ns more. */
static void plant(struct series_list *list, double intercept, uint64_t seed)
{
    static const double ns[OS_CALLS] = {
        [OS_SYSCALL] = 200,       [OS_VDSO] = 25,           [OS_MAP] = 900,
        [OS_FAULT] = 700,         [OS_SIGNAL] = 1200,       [OS_THREAD] = 20e3,
        [OS_PROCESS] = 150e3,     [OS_EXEC] = 600e3,        [OS_PIPE_ALONE] = 1000,
        [OS_PIPE_SAME] = 5000,    [OS_PIPE_OTHER] = 9000,   [OS_EVENTFD_ALONE] = 1000,
        [OS_EVENTFD_SAME] = 5000, [OS_EVENTFD_OTHER] = 9e3, [OS_FUTEX_ALONE] = 500,
        [OS_FUTEX_SAME] = 4500,   [OS_FUTEX_OTHER] = 8000,
    };
    struct series *series = sonde_measure_series_add(list, "calls");

    assert_non_null(series);
    series->axis_count = 1;
    sonde_base_random_seed(&noise, seed);
    for (int call = 0; call < OS_CALLS; call++)
        add_point(series, (enum os_call)call,
                  ns[call] + (call == OS_VDSO || call == OS_FAULT ? 0 : intercept));
}

static void conclude(const struct series_list *list, struct findings *findings)
{
    assert_int_equal(sonde_infer_os(&(struct os_series){&list->rows[0], NULL}, no_reasons,
                                    TRIPS, findings),
                     0);
}

static const struct finding *get(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    assert_non_null(finding);
    return finding;
}

static void assert_near(const struct findings *findings, const char *name, double wanted)
{
    const struct finding *finding = get(findings, name);

    if (!(fabs(finding->value - wanted) <= 0.05 * wanted))
        fail_msg("%s is %g, planted %g", name, finding->value, wanted);
}

static void test_an_ordinary_system(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct series_list list = {0};
        struct findings findings = {0};

        plant(&list, 0, seed);
        conclude(&list, &findings);
        assert_near(&findings, "os.syscall", 200);
        assert_near(&findings, "os.syscall.p90", 600);
        assert_near(&findings, "os.process", 150e3);
        assert_near(&findings, "os.pipe.other", 4500);
        assert_near(&findings, "os.pipe.other.p90", 13500);
        /* 2500 one way, less 500 of its calls, less half of 20 µs over 128 trips. */
        assert_near(&findings, "os.switch.same", 2000 - 20e3 / TRIPS / 2);
        assert_near(&findings, "os.switch.other", 4000);
        assert_true(get(&findings, "os.unusual")->value == 0);
        assert_null(get(&findings, "os.unusual")->reason);
        assert_int_equal(findings.control_count, 3);
        for (size_t i = 0; i < 3; i++)
            assert_true(findings.controls[i].ok);
        sonde_infer_findings_free(&findings);
        sonde_measure_series_list_free(&list);
    }
}

static void test_calls_that_are_intercepted(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant(&list, 8000, 1);
    conclude(&list, &findings);
    assert_non_null(strstr(get(&findings, "os.syscall")->reason, "out of the ordinary"));
    assert_true(get(&findings, "os.syscall")->value > 8000);
    assert_null(get(&findings, "os.exec")->reason);
    assert_true(get(&findings, "os.unusual")->value >= 1);
    assert_non_null(strstr(get(&findings, "os.unusual")->reason, "syscall (2"));
    assert_false(findings.controls[0].ok);
    /* What a handoff's own calls take is most of it: no switch is claimed. */
    assert_true(isnan(get(&findings, "os.switch.same")->value));
    assert_non_null(strstr(get(&findings, "os.switch.same")->reason, "more than half"));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void test_what_was_refused(void **state)
{
    const char *reasons[OS_CALLS] = {
        [OS_SIGNAL] = "forbidden here", [OS_PIPE_OTHER] = "one CPU"};
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant(&list, 0, 1);
    list.rows[0].points[OS_SIGNAL].at[0] = list.rows[0].points[OS_PIPE_OTHER].at[0] = -1;
    list.rows[0].points[OS_MAP].flags |= POINT_WRONG;
    list.rows[0].points[OS_THREAD].n = 0;
    assert_int_equal(sonde_infer_os(&(struct os_series){NULL, &list.rows[0]}, reasons,
                                    TRIPS, &findings),
                     0);
    assert_string_equal(get(&findings, "os.signal")->reason, "forbidden here");
    assert_string_equal(get(&findings, "os.pipe.other")->reason, "one CPU");
    assert_non_null(strstr(get(&findings, "os.map")->reason, "failed"));
    assert_int_equal(get(&findings, "os.thread")->verdict, VERDICT_NOT_MEASURABLE);
    assert_true(isnan(get(&findings, "os.switch.other")->value));
    assert_true(get(&findings, "os.switch.same")->value > 0);
    assert_null(sonde_infer_finding_get(&findings, "os.signal.p90"));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

/* Handoffs that wait for others: too wide for a switch, then for anything. */
static void test_busy_cpus(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant(&list, 0, 1);
    list.rows[0].points[OS_PIPE_SAME].high = 3 * list.rows[0].points[OS_PIPE_SAME].best;
    list.rows[0].points[OS_PIPE_OTHER].high = 1e9;
    conclude(&list, &findings);
    assert_true(get(&findings, "os.pipe.same")->value > 0);
    assert_non_null(strstr(get(&findings, "os.switch.same")->reason, "too busy"));
    assert_non_null(strstr(get(&findings, "os.pipe.other")->reason, "too disturbed"));
    assert_true(isnan(get(&findings, "os.switch.other")->value));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

/* A clock that only the kernel can read. */
static void test_a_clock_by_system_call(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant(&list, 0, 1);
    list.rows[0].points[OS_VDSO].best = 230;
    conclude(&list, &findings);
    assert_non_null(strstr(get(&findings, "os.vdso")->reason, "system call"));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_ordinary_system),
        cmocka_unit_test(test_calls_that_are_intercepted),
        cmocka_unit_test(test_what_was_refused),
        cmocka_unit_test(test_busy_cpus),
        cmocka_unit_test(test_a_clock_by_system_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
