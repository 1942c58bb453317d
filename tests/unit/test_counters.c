/* Counters: their names, what samples add up to, and the sizes where misses begin. */
#include "support.h"

#include "infer/misses.h"
#include "kernels/kernel.h"
#include "machine/counters.h"
#include "measure/counting.h"
#include "measure/meter.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void names_are_parsed(void **state)
{
    static const char *const bad[] = {
        "",
        ",",
        "cycles,",
        ",cycles",
        "cycles,,l1-misses",
        "cycles,cycles",
        "no-such-event-anywhere",
        "cycles ",
        "a-name-that-is-far-longer-than-any-event-of-any-processor-has-ever-been-called",
    };
    struct counter_list list;
    struct message why = {{0}};

    (void)state;
    assert_int_equal(
        sonde_machine_counters_parse(&list,
                                     "cycles,instructions,l1-misses,llc-misses,"
                                     "tlb-misses,mispredictions",
                                     &why),
        0);
    assert_int_equal(list.count, 6);
    assert_string_equal(list.events[2].name, "l1-misses");
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < i; k++)
            assert_true(list.events[i].type != list.events[k].type ||
                        list.events[i].config != list.events[k].config);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        why.text[0] = '\0';
        assert_int_equal(sonde_machine_counters_parse(&list, bad[i], &why), -EINVAL);
        assert_true(why.text[0] != '\0');
    }
}

/* Wherever this runs: all of them open and count, or the reason names an errno. */
static void the_thread_counts_or_says_why(void **state)
{
    struct counter_list list;
    struct counters *counters;
    struct message why = {{0}};
    double values[COUNTERS_MAX];
    volatile unsigned work = 0;
    int error;

    (void)state;
    sonde_machine_counters_parse(&list, "instructions", &why);
    error = sonde_machine_counters_open(&list, &counters, &why);
    if (error) {
        assert_null(counters);
        assert_non_null(strstr(why.text, "instructions: "));
        assert_non_null(strstr(why.text, "perf_event_paranoid"));
        return;
    }
    sonde_machine_counters_begin(counters);
    for (unsigned i = 0; i < 100000; i++)
        work += i;
    sonde_machine_counters_end(counters, values);
    sonde_machine_counters_close(counters);
    assert_true(work > 0);
    assert_true(isnan(values[0]) || values[0] > 100000);
}

/* What the meter times is counted: by an event of the kernel's own, which needs no core
 * with counters. */
static void the_meter_counts_what_it_times(void **state)
{
    enum { SOFTWARE = 1, TASK_CLOCK = 1 }; /* perf_event_open(2); nanoseconds */
    const struct counter_list list = {
        .events = {{.name = "task-clock", .type = SOFTWARE, .config = TASK_CLOCK}},
        .count = 1};
    const struct point point = {.kernel = sonde_kernel_find("add_chain"),
                                .operations = 1};
    struct machine machine = {.page_bytes = 4096};
    struct placement placement;
    struct reading reading;
    struct message why = {{0}};
    struct meter meter;

    (void)state;
    assert_int_equal(sonde_measure_hardware_open(&meter, &machine, 1 << 24, &why), 0);
    if (meter.ops->count(meter.self, &list, &why) == 0) {
        assert_int_equal(meter.ops->place(meter.self, &point, 1, &placement, &why), 0);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(
                meter.ops->sample(meter.self, &point, &placement, 3200000, &reading), 0);
            assert_true(reading.counted);
            /* Not the time of the wall, which others share. */
            assert_true(isnan(reading.counts[0]) ||
                        (reading.counts[0] > 1e5 && reading.counts[0] < 1e10));
        }
    } else {
        assert_true(why.text[0] != '\0');
    }
    meter.ops->close(meter.self);
}

static struct reading reading_of(double first, double second, double faults)
{
    struct reading reading = {.counted = true, .faults = faults};

    for (size_t i = 0; i < COUNTERS_MAX; i++)
        reading.counts[i] = NAN;
    reading.counts[0] = first;
    reading.counts[1] = second;
    return reading;
}

static void counts_are_per_operation(void **state)
{
    struct counter_list list = {.count = 2};
    struct series_list series = {0};
    struct series_point *point =
        sonde_measure_point_add(sonde_measure_series_add(&series, "walk"));
    struct tally tally = {.kept = 0};
    struct reading one = reading_of(100, NAN, 0), other = reading_of(NAN, 30, 0);

    (void)state;
    snprintf(list.events[0].name, COUNTER_NAME, "l1-misses");
    snprintf(list.events[1].name, COUNTER_NAME, "cycles");
    sonde_measure_tally_add(&tally, &one, 1000, true);
    sonde_measure_tally_add(&tally, &other, 10, true);
    one.counts[0] = 1e9;
    sonde_measure_tally_add(&tally, &one, 1000, false); /* set aside: does not count */
    assert_int_equal(sonde_measure_tally_deliver(&tally, &list, false, point), 0);
    assert_int_equal(point->counter_count, 2);
    assert_true(sonde_measure_counter(point, "l1-misses") == 0.1);
    assert_true(sonde_measure_counter(point, "cycles") == 3);
    assert_true(isnan(sonde_measure_counter(point, "page-faults")));
    assert_int_equal(point->flags & (POINT_FAULTED | POINT_SWITCHED), 0);
    sonde_measure_series_list_free(&series);
}

static void events_of_the_system_flag_points(void **state)
{
    struct series_list list = {0};
    struct series *series = sonde_measure_series_add(&list, "walk");
    struct tally tally = {.kept = 0};
    struct reading quiet = {.counted = false}, faulty = {.faults = 4};
    struct reading lost = {.switched = true};
    struct series_point *point = sonde_measure_point_add(series);

    (void)state;
    for (int i = 0; i < 8; i++)
        sonde_measure_tally_add(&tally, i ? &quiet : &faulty, 100, true);
    assert_int_equal(sonde_measure_tally_deliver(&tally, NULL, false, point), 0);
    assert_true(point->flags & POINT_FAULTED);
    assert_true(fabs(sonde_measure_counter(point, "page-faults") - 0.005) < 1e-12);
    point = sonde_measure_point_add(series);
    assert_int_equal(sonde_measure_tally_deliver(&tally, NULL, true, point), 0);
    assert_false(point->flags & POINT_FAULTED); /* where faults are the topic */
    for (int i = 0; i < 9; i++)
        sonde_measure_tally_add(&tally, &lost, 100, false);
    point = sonde_measure_point_add(series);
    assert_int_equal(sonde_measure_tally_deliver(&tally, NULL, true, point), 0);
    assert_true(point->flags & POINT_SWITCHED);
    sonde_measure_series_list_free(&list);
}

/* --- where misses begin --- */

static struct series *walk_with(struct series_list *list, double edge, double most)
{
    struct series *series = sonde_measure_series_add(list, "windowed");

    series->axes[0] = (struct axis){"size", "bytes", "log2"};
    series->axis_count = 1;
    series->unit = "ns";
    for (int i = 0; i < 48; i++) {
        struct series_point *point = sonde_measure_point_add(series);

        point->at[0] = 4096 * exp2(i / 4.0);
        point->n = 1;
        if (edge > 0)
            sonde_measure_counter_add(point, "l1-misses",
                                      point->at[0] > edge * 1.01 ? most : 0.001);
    }
    return series;
}

static void misses_begin_where_planted(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};
    const struct finding *begin;

    (void)state;
    sonde_infer_find(&findings, "l1d.size", "bytes", 32768, 30000, 36000, 0.9, "planted");
    assert_int_equal(sonde_infer_misses(walk_with(&list, 32768, 1), &findings), 0);
    begin = sonde_infer_finding_get(&findings, "l1d.misses_begin");
    assert_non_null(begin);
    assert_true(begin->low <= 32768.5 && begin->high >= 32768 && begin->value > 32768);
    assert_int_equal(findings.control_count, 1);
    assert_true(findings.controls[0].ok);
    sonde_infer_findings_free(&findings);
    sonde_infer_find(&findings, "l1d.size", "bytes", 131072, 120000, 140000, 0.9,
                     "other");
    assert_int_equal(sonde_infer_misses(&list.rows[0], &findings), 0);
    assert_false(findings.controls[0].ok);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void without_misses_nothing_is_said(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    assert_int_equal(sonde_infer_misses(walk_with(&list, 0, 1), &findings), 0);
    assert_int_equal(sonde_infer_misses(walk_with(&list, 32768, 0.05), &findings), 0);
    assert_int_equal(sonde_infer_misses(walk_with(&list, 1, 1), &findings), 0);
    assert_int_equal(findings.count, 0);
    assert_int_equal(findings.control_count, 0);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_parsed),
        cmocka_unit_test(the_thread_counts_or_says_why),
        cmocka_unit_test(the_meter_counts_what_it_times),
        cmocka_unit_test(counts_are_per_operation),
        cmocka_unit_test(events_of_the_system_flag_points),
        cmocka_unit_test(misses_begin_where_planted),
        cmocka_unit_test(without_misses_nothing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
