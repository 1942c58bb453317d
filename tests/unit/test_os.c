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

static const struct os_yardstick yardstick = {20, TRIPS};

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
                                    &yardstick, findings),
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
    assert_non_null(strstr(get(&findings, "os.unusual")->reason,
                           "syscall (4.1e+02 reads of the clock)"));
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
                                    &yardstick, &findings),
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
    assert_true(get(&findings, "os.unusual")->value == 1);
    assert_non_null(strstr(get(&findings, "os.unusual")->reason, "vdso (1.1 system"));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void set(struct series_list *list, enum os_call call, double factor)
{
    struct series_point *point = &list->rows[0].points[call];

    point->best *= factor;
    point->low *= factor;
    point->high *= factor;
}

/* A sandbox that answers calls itself and has no clock to read: a tenth of what the
 * other one takes, and still no kernel. */
static void test_a_sandbox_without_a_clock(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant(&list, 2200, 1);
    set(&list, OS_VDSO, 2400.0 / 25);
    conclude(&list, &findings);
    assert_true(get(&findings, "os.unusual")->value == 2);
    assert_non_null(strstr(get(&findings, "os.syscall")->reason, "reads of the clock"));
    assert_non_null(strstr(get(&findings, "os.vdso")->reason, "read by one"));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

/* One call that is slow by itself is named, and no other. */
static void test_a_slow_call(void **state)
{
    static const struct {
        enum os_call call;
        double factor;
        const char *names;
    } slow[] = {{OS_PROCESS, 50, "process ("},   {OS_FAULT, 60, "fault ("},
                {OS_PIPE_OTHER, 50, "pipe.oth"}, {OS_MAP, 60, "map ("},
                {OS_SIGNAL, 40, "signal ("},     {OS_FUTEX_SAME, 50, "futex.same ("}};

    (void)state;
    for (size_t i = 0; i < sizeof slow / sizeof slow[0]; i++) {
        struct series_list list = {0};
        struct findings findings = {0};

        plant(&list, 0, 1);
        set(&list, slow[i].call, slow[i].factor);
        conclude(&list, &findings);
        assert_true(get(&findings, "os.unusual")->value == 1);
        assert_non_null(strstr(get(&findings, "os.unusual")->reason, slow[i].names));
        sonde_infer_findings_free(&findings);
        sonde_measure_series_list_free(&list);
    }
}

/* A machine on which everything takes ten times as long is slow, and ordinary. */
static void test_a_slow_machine(void **state)
{
    static const struct os_yardstick slow = {200, TRIPS};
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant(&list, 0, 1);
    for (int call = 0; call < OS_CALLS; call++)
        set(&list, (enum os_call)call, 10);
    assert_int_equal(sonde_infer_os(&(struct os_series){&list.rows[0], NULL}, no_reasons,
                                    &slow, &findings),
                     0);
    assert_true(get(&findings, "os.unusual")->value == 0);
    assert_true(findings.controls[0].ok);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

/* Where the clock needs help to be read, calls are held against page faults. */
static void test_a_slow_clock(void **state)
{
    static const struct os_yardstick trapped = {1200, TRIPS};
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant(&list, 8000, 1);
    set(&list, OS_VDSO, 1300.0 / 25);
    assert_int_equal(sonde_infer_os(&(struct os_series){&list.rows[0], NULL}, no_reasons,
                                    &trapped, &findings),
                     0);
    assert_non_null(strstr(get(&findings, "os.syscall")->reason, "page faults"));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void add_sleeps(struct series *series, enum os_call call, double sleeps)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].at[0] == call)
            assert_non_null(
                sonde_measure_counter_add(&series->points[i], "sleeps", sleeps));
}

/* Who waits and does not sleep is told; a switch is then not claimed. */
static void waits_without_sleep(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};
    const struct finding *finding;

    (void)state;
    plant(&list, 0, 1);
    add_sleeps(&list.rows[0], OS_FUTEX_OTHER, 0.4);
    add_sleeps(&list.rows[0], OS_PIPE_OTHER, 0.5);
    add_sleeps(&list.rows[0], OS_PIPE_SAME, 0.6);
    assert_int_equal(0, sonde_infer_os(&(struct os_series){&list.rows[0], NULL},
                                       no_reasons, &yardstick, &findings));
    finding = sonde_infer_finding_get(&findings, "os.futex.other");
    assert_non_null(finding);
    assert_true(finding->value > 0);
    assert_non_null(strstr(finding->reason, "slept in 40 %"));
    finding = sonde_infer_finding_get(&findings, "os.switch.other");
    assert_true(isnan(finding->value));
    finding = sonde_infer_finding_get(&findings, "os.switch.same");
    assert_true(finding->value > 0 && !finding->reason);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_without_sleep),
        cmocka_unit_test(test_an_ordinary_system),
        cmocka_unit_test(test_calls_that_are_intercepted),
        cmocka_unit_test(test_what_was_refused),
        cmocka_unit_test(test_busy_cpus),
        cmocka_unit_test(test_a_clock_by_system_call),
        cmocka_unit_test(test_a_sandbox_without_a_clock),
        cmocka_unit_test(test_a_slow_call),
        cmocka_unit_test(test_a_slow_machine),
        cmocka_unit_test(test_a_slow_clock),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
