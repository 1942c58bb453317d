/* The ladder's findings from planted walks. */
#include "curves.h"
#include "support.h"

#include "infer/ladder.h"

#include <string.h>

static const double ghz = 3;
static const struct planted machine = {
    .capacity = {48 << 10, 1 << 20, 8 << 20},
    .cost = {4, 14, 55, 400},
    .count = 4,
    .noise = 0.03,
};

struct rig {
    struct series_list list;
    struct ladder ladder;
    struct findings findings;
    struct levels levels;
};

static void rig_add(struct rig *rig, const char *name, const struct planted *planted,
                    double per_octave, double largest)
{
    struct synthetic *curve = synthetic_make(planted, per_octave, largest, 9, 42);
    assert_non_null(synthetic_series(&rig->list, name, curve, ghz));
    free(curve);
}

static void rig_infer(struct rig *rig)
{
    rig->ladder.windowed = sonde_measure_series_find(&rig->list, "windowed");
    rig->ladder.random = sonde_measure_series_find(&rig->list, "random");
    rig->ladder.wide = sonde_measure_series_find(&rig->list, "wide");
    assert_int_equal(sonde_infer_ladder(&rig->ladder, &rig->levels, &rig->findings), 0);
}

static void rig_free(struct rig *rig)
{
    sonde_infer_findings_free(&rig->findings);
    sonde_measure_series_list_free(&rig->list);
}

static const struct finding *get(const struct rig *rig, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(&rig->findings, name);
    if (!finding)
        print_message("no finding %s\n", name);
    assert_non_null(finding);
    return finding;
}

static void holds(const struct rig *rig, const char *name, double truth)
{
    const struct finding *finding = get(rig, name);
    if (!(truth >= finding->low * 0.999 && truth <= finding->high * 1.001))
        print_message("%s: %g to %g does not hold %g\n", name, finding->low,
                      finding->high, truth);
    assert_true(truth >= finding->low * 0.999 && truth <= finding->high * 1.001);
}

static const struct control *control(const struct rig *rig, const char *what)
{
    for (size_t i = 0; i < rig->findings.control_count; i++) {
        if (strcmp(rig->findings.controls[i].what, what) == 0)
            return &rig->findings.controls[i];
    }
    return NULL;
}

static void three_levels_and_memory(void **state)
{
    (void)state;
    struct rig rig = {.ladder = {.l1_by_conflicts = NAN, .shared_last_level = true}};
    rig_add(&rig, "windowed", &machine, 8, 64 << 20);
    rig_add(&rig, "wide", &machine, 4, 16 << 20);
    rig_infer(&rig);
    holds(&rig, "l1d.size", 48 << 10);
    holds(&rig, "l2.size", 1 << 20);
    holds(&rig, "llc.effective", 8 << 20);
    holds(&rig, "l1d.latency_cycles", 4);
    holds(&rig, "l2.latency_cycles", 14);
    holds(&rig, "llc.latency_cycles", 55);
    holds(&rig, "memory.latency_cycles", 400);
    holds(&rig, "memory.latency", 400 / ghz);
    holds(&rig, "l1d.latency", 4 / ghz);
    assert_true(control(&rig, "the same walk at twice the stride")->ok);
    assert_int_equal(rig.levels.count, 4);
    rig_free(&rig);
}

static void conflicts_confirm_the_first_level(void **state)
{
    (void)state;
    struct rig rig = {.ladder = {.l1_by_conflicts = 49152}};
    rig_add(&rig, "windowed", &machine, 8, 64 << 20);
    rig_infer(&rig);
    assert_true(get(&rig, "l1d.size")->value == 49152);
    assert_non_null(strstr(get(&rig, "l1d.size")->method, "conflicts"));
    rig_free(&rig);
}

static void conflicts_that_disagree(void **state)
{
    (void)state;
    struct rig rig = {.ladder = {.l1_by_conflicts = 32768}};
    rig_add(&rig, "windowed", &machine, 8, 64 << 20);
    rig_infer(&rig);
    holds(&rig, "l1d.size", 48 << 10);
    assert_true(get(&rig, "l1d.size")->value != 32768);
    assert_false(
        control(&rig, "ways times span against the ladder's first boundary")->ok);
    rig_free(&rig);
}

/* Two caches: llc only when the last level is shared, and not as near as a level of the
 * core's own. */
static void names_of_two_levels(void **state)
{
    (void)state;
    static const struct {
        double cost;
        bool shared, llc;
    } cases[] = {
        {14, false, false}, {14, true, false}, {40, false, false}, {40, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct planted two = {.capacity = {32 << 10, 1 << 20},
                                    .cost = {4, cases[i].cost, 300},
                                    .count = 3,
                                    .noise = 0.02};
        struct rig rig = {
            .ladder = {.l1_by_conflicts = NAN, .shared_last_level = cases[i].shared}};
        rig_add(&rig, "windowed", &two, 8, 16 << 20);
        rig_infer(&rig);
        holds(&rig, cases[i].llc ? "llc.effective" : "l2.size", 1 << 20);
        assert_null(sonde_infer_finding_get(&rig.findings,
                                            cases[i].llc ? "l2.size" : "llc.effective"));
        rig_free(&rig);
    }
}

static void names_of_four_levels(void **state)
{
    (void)state;
    const struct planted four = {.capacity = {32 << 10, 256 << 10, 2 << 20, 16 << 20},
                                 .cost = {4, 12, 38, 90, 400},
                                 .count = 5,
                                 .noise = 0.02};
    struct rig rig = {.ladder = {.l1_by_conflicts = NAN, .shared_last_level = true}};
    rig_add(&rig, "windowed", &four, 8, 128 << 20);
    rig_infer(&rig);
    holds(&rig, "l2.size", 256 << 10);
    holds(&rig, "l3.size", 2 << 20);
    holds(&rig, "llc.effective", 16 << 20);
    rig_free(&rig);
}

static void a_curve_that_ends_inside_a_cache(void **state)
{
    (void)state;
    struct rig rig = {.ladder = {.l1_by_conflicts = NAN, .memory_limited = true}};
    rig_add(&rig, "windowed", &machine, 8, 4 << 20);
    rig_infer(&rig);
    const struct finding *memory = get(&rig, "memory.latency");
    assert_true(isnan(memory->value));
    assert_int_equal(memory->verdict, VERDICT_NOT_MEASURABLE);
    assert_non_null(memory->reason);
    assert_int_equal(get(&rig, "llc.effective")->verdict, VERDICT_NOT_MEASURABLE);
    holds(&rig, "llc.latency_cycles", 55);
    rig_free(&rig);
}

static void a_curve_that_still_rises(void **state)
{
    (void)state;
    struct planted slow = machine;
    slow.spill = 1;
    struct rig rig = {.ladder = {.l1_by_conflicts = NAN}};
    rig_add(&rig, "windowed", &slow, 8, 9 << 20);
    rig_infer(&rig);
    assert_true(isnan(get(&rig, "memory.latency")->value));
    assert_non_null(strstr(get(&rig, "memory.latency")->reason, "rises"));
    rig_free(&rig);
}

/* Translation: a step of the random walk alone, and no cache. */
static void translation_is_no_cache(void **state)
{
    (void)state;
    const struct planted pays = {.capacity = {48 << 10, 256 << 10, 1 << 20, 8 << 20},
                                 .cost = {4, 14, 21, 70, 460},
                                 .count = 5,
                                 .noise = 0.03};
    struct rig rig = {.ladder = {.l1_by_conflicts = NAN, .shared_last_level = true}};
    rig_add(&rig, "windowed", &machine, 8, 64 << 20);
    rig_add(&rig, "random", &pays, 8, 64 << 20);
    rig_infer(&rig);
    assert_int_equal(rig.levels.count, 4);
    const struct control *walks = control(&rig, "windowed walk against random walk");
    assert_non_null(walks);
    assert_non_null(strstr(walks->observed, "alone"));
    rig_free(&rig);
}

/* Both walks show the same small step: it may be translation's, so it is not counted. */
static void a_small_step_in_both_walks(void **state)
{
    (void)state;
    const struct planted step = {.capacity = {48 << 10, 256 << 10, 1 << 20},
                                 .cost = {4, 14, 19, 300},
                                 .count = 4,
                                 .noise = 0.02};
    struct rig rig = {.ladder = {.l1_by_conflicts = NAN}};
    rig_add(&rig, "windowed", &step, 8, 16 << 20);
    rig_add(&rig, "random", &step, 8, 16 << 20);
    rig_infer(&rig);
    assert_int_equal(rig.levels.count, 3);
    assert_false(control(&rig, "a small step beside the random walk")->ok);
    holds(&rig, "l2.size", 1 << 20);
    rig_free(&rig);
}

/* Lines of twice the stride: every second visit hits the first level. */
static void lines_that_come_in_pairs(void **state)
{
    (void)state;
    struct planted pairs = machine;
    for (size_t i = 1; i < pairs.count; i++)
        pairs.cost[i] = (pairs.cost[i] + pairs.cost[0]) / 2;
    struct rig rig = {.ladder = {.l1_by_conflicts = NAN, .shared_last_level = true}};
    rig_add(&rig, "windowed", &pairs, 8, 64 << 20);
    rig_add(&rig, "wide", &machine, 4, 64 << 20);
    rig_infer(&rig);
    holds(&rig, "l2.latency_cycles", 14);
    holds(&rig, "llc.latency_cycles", 55);
    assert_false(control(&rig, "twice the stride in the second level")->ok);
    rig_free(&rig);
}

static void too_little_to_say_anything(void **state)
{
    (void)state;
    struct rig rig = {.ladder = {.l1_by_conflicts = 32768}};
    rig_infer(&rig);
    assert_true(isnan(get(&rig, "l1d.size")->value));
    assert_true(isnan(get(&rig, "memory.latency")->value));
    rig_free(&rig);
    struct rig few = {.ladder = {.l1_by_conflicts = NAN}};
    rig_add(&few, "windowed", &machine, 1, 64 << 10);
    rig_infer(&few);
    assert_int_equal(get(&few, "l1d.size")->verdict, VERDICT_NOT_MEASURABLE);
    rig_free(&few);
}

static void wrong_points_are_left_out(void **state)
{
    (void)state;
    struct rig rig = {.ladder = {.l1_by_conflicts = NAN, .shared_last_level = true}};
    rig_add(&rig, "windowed", &machine, 8, 64 << 20);
    struct series *series = &rig.list.rows[0];
    for (size_t i = 20; i < 24; i++) {
        series->points[i].best = series->points[i].cycles = 0.001;
        series->points[i].flags |= POINT_WRONG;
    }
    rig_infer(&rig);
    holds(&rig, "l1d.latency_cycles", 4);
    holds(&rig, "l2.size", 1 << 20);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_levels_and_memory),
        cmocka_unit_test(conflicts_confirm_the_first_level),
        cmocka_unit_test(conflicts_that_disagree),
        cmocka_unit_test(names_of_two_levels),
        cmocka_unit_test(names_of_four_levels),
        cmocka_unit_test(a_curve_that_ends_inside_a_cache),
        cmocka_unit_test(a_curve_that_still_rises),
        cmocka_unit_test(translation_is_no_cache),
        cmocka_unit_test(a_small_step_in_both_walks),
        cmocka_unit_test(lines_that_come_in_pairs),
        cmocka_unit_test(too_little_to_say_anything),
        cmocka_unit_test(wrong_points_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
