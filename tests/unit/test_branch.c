/* Inference of branches on planted series: what is planted comes back over many seeds,
 * what cannot be told is said instead of a number, and a control that should fail does.
 */
#include "support.h"

#include "arch/arch.h"
#include "base/random.h"
#include "infer/branch.h"
#include "kernels/calls.h"
#include "kernels/kernel.h"
#include "kernels/taken.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 41, SEEDS = 50, PATTERN_SEEDS = 5 };

static const double ns_per_cycle = 0.3;

static struct random_source noise;

/* A point of SAMPLES samples, each longer than planted by |normal| x sigma. */
static struct series_point *add_point(struct series *series, double first, double second,
                                      double cycles, double sigma)
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
    point->at[0] = first;
    point->at[1] = second;
    point->n = SAMPLES;
    point->samples = samples;
    sonde_measure_summarise(point, STATISTIC_Q25);
    return point;
}

static struct series *add_series(struct series_list *list, const char *name,
                                 unsigned axes)
{
    struct series *series = sonde_measure_series_add(list, name);

    assert_non_null(series);
    series->axis_count = axes;
    series->statistic = STATISTIC_Q25;
    return series;
}

static const struct finding *get(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    assert_non_null(finding);
    return finding;
}

static bool control_held(const struct findings *findings, const char *beginning)
{
    for (size_t i = 0; i < findings->control_count; i++)
        if (strncmp(findings->controls[i].what, beginning, strlen(beginning)) == 0)
            return findings->controls[i].ok;
    fail_msg("no control begins with \"%s\"", beginning);
    return false;
}

static void assert_given_up(const struct findings *findings, const char *name)
{
    const struct finding *finding = get(findings, name);

    assert_true(isnan(finding->value));
    assert_int_equal(finding->verdict, VERDICT_NOT_MEASURABLE);
    assert_non_null(finding->reason);
}

/* --- the cost of a misprediction --- */

struct core {
    double penalty, always, never, sorted, sigma;
    bool clock_unknown;
    double compiled_ratio;
    int compiled_branches;
};

static void fill_patterns(struct series *series, const struct core *core)
{
    double base = (core->always + core->never) / 2;
    double cycles[PATTERNS] = {
        [PATTERN_ALWAYS] = core->always,
        [PATTERN_NEVER] = core->never,
        [PATTERN_SORTED] = core->sorted,
        [PATTERN_ALTERNATING] = base,
        [PATTERN_ONE_IN_4] = base,
        [PATTERN_ONE_IN_16] = base,
        [PATTERN_RANDOM] = base + core->penalty / 2,
    };

    for (int i = 0; i < PATTERNS; i++) {
        struct series_point *point = add_point(series, i, 0, cycles[i], core->sigma);

        if (core->clock_unknown)
            point->cycles = NAN;
    }
}

static void fill_classic(struct series *series, const struct core *core)
{
    add_point(series, BODY_KEPT, BRANCH_ORDER_RANDOM, 2 + core->penalty / 2, core->sigma);
    add_point(series, BODY_KEPT, BRANCH_ORDER_SORTED, 2, core->sigma);
    add_point(series, BODY_ARITHMETIC, BRANCH_ORDER_RANDOM, 2, core->sigma);
    add_point(series, BODY_ARITHMETIC, BRANCH_ORDER_SORTED, 2, core->sigma);
    add_point(series, BODY_COMPILED, BRANCH_ORDER_RANDOM, 2 * core->compiled_ratio,
              core->sigma);
    add_point(series, BODY_COMPILED, BRANCH_ORDER_SORTED, 2, core->sigma);
}

static void infer_core(const struct core *core, struct findings *findings)
{
    struct series_list list = {0};

    fill_patterns(add_series(&list, "patterns", 1), core);
    fill_classic(add_series(&list, "classic", 2), core);
    assert_int_equal(sonde_infer_branch(&list.rows[0], &list.rows[1],
                                        core->compiled_branches, findings),
                     0);
    sonde_measure_series_list_free(&list);
}

static const struct core usual = {.penalty = 18,
                                  .always = 3,
                                  .never = 1,
                                  .sorted = 2,
                                  .sigma = 0.02,
                                  .compiled_ratio = 1};

static void test_penalty_comes_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct core core = usual;
        struct findings findings = {0};
        const struct finding *finding;

        sonde_base_random_seed(&noise, seed);
        core.penalty = 4 + (double)seed / 2;
        infer_core(&core, &findings);
        finding = get(&findings, "branch.mispredict");
        assert_true(fabs(finding->value / core.penalty - 1) < 0.03);
        assert_true(finding->low <= finding->value && finding->value <= finding->high);
        assert_true(fabs(get(&findings, "branch.sorting")->value -
                         (2 + core.penalty / 2) / 2) < 0.3);
        assert_true(fabs(get(&findings, "branch.arithmetic")->value -
                         (2 + core.penalty / 2) / 2) < 0.3);
        for (size_t i = 0; i < findings.control_count; i++)
            assert_true(findings.controls[i].ok);
        sonde_infer_findings_free(&findings);
    }
}

static void test_no_penalty_is_no_figure(void **state)
{
    struct findings findings = {0};
    struct core core = usual;

    (void)state;
    core.penalty = 2.5;
    infer_core(&core, &findings);
    assert_given_up(&findings, "branch.mispredict");
    sonde_infer_findings_free(&findings);
}

static void test_failed_control_is_no_figure(void **state)
{
    struct findings findings = {0};
    struct core core = usual;

    (void)state;
    core.sorted = 6;
    infer_core(&core, &findings);
    assert_false(control_held(&findings, "the same outcomes, sorted"));
    assert_given_up(&findings, "branch.mispredict");
    sonde_infer_findings_free(&findings);
}

static void test_without_clock(void **state)
{
    struct findings findings = {0};
    struct core core = usual;

    (void)state;
    core.clock_unknown = true;
    infer_core(&core, &findings);
    assert_given_up(&findings, "branch.mispredict");
    assert_true(get(&findings, "branch.sorting")->value > 5);
    sonde_infer_findings_free(&findings);
}

static void test_nothing_measured(void **state)
{
    struct findings findings = {0};

    (void)state;
    assert_int_equal(sonde_infer_branch(NULL, NULL, 0, &findings), 0);
    assert_given_up(&findings, "branch.mispredict");
    assert_given_up(&findings, "branch.sorting");
    assert_given_up(&findings, "branch.compiled");
    sonde_infer_findings_free(&findings);
}

/* Machine code and time must tell the same of the compiler's loop. */
static void test_compiled(void **state)
{
    static const struct {
        double ratio;
        int branches;
        bool held;
    } cases[] = {{1, 0, true}, {1, 1, false}, {5, 0, false}, {5, 1, true}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct findings findings = {0};
        struct core core = usual;

        core.compiled_ratio = cases[i].ratio;
        core.compiled_branches = cases[i].branches;
        infer_core(&core, &findings);
        assert_int_equal(control_held(&findings, "the compiler's loop"), cases[i].held);
        sonde_infer_findings_free(&findings);
    }
}

/* Where no misprediction costs anything, time does not tell of branches. */
static void test_compiled_for_nothing(void **state)
{
    struct findings findings = {0};
    struct core core = usual;

    (void)state;
    core.penalty = 0;
    core.compiled_branches = 1;
    infer_core(&core, &findings);
    for (size_t i = 0; i < findings.control_count; i++)
        assert_null(strstr(findings.controls[i].what, "the compiler's loop"));
    sonde_infer_findings_free(&findings);
}

static void test_compiled_unread(void **state)
{
    struct findings findings = {0};
    struct core core = usual;

    (void)state;
    core.compiled_branches = -ENOTSUP;
    infer_core(&core, &findings);
    assert_non_null(strstr(get(&findings, "branch.compiled")->reason, "not be read"));
    sonde_infer_findings_free(&findings);
}

/* --- what is remembered --- */

struct predictor {
    double penalty, remembers, return_stack, targets, taken, sigma;
    double slow;            /* cycles more of what holds those beyond 512 branches */
    double code;            /* cycles more for code beyond 32 KiB, taken or not */
    double disturbed_depth; /* that costs 40 cycles more; 0: none */
};

static void fill_memory(struct series *series, const struct predictor *core)
{
    for (double period = 16; period <= 65536; period *= 2)
        for (int seed = 1; seed <= PATTERN_SEEDS; seed++)
            add_point(series, period, seed,
                      3 + (period > core->remembers ? core->penalty / 2 : 0),
                      core->sigma);
}

static void fill_returns(struct series *series, const struct predictor *core)
{
    for (double depth = 1; depth <= CALLS_DEPTH_MAX; depth++)
        add_point(series, depth, 0,
                  7 + 5 * depth + fmax(0, depth - core->return_stack) * core->penalty +
                      (depth == core->disturbed_depth ? 40 : 0),
                  core->sigma / 10);
}

static void fill_targets(struct series *series, const struct predictor *core)
{
    for (double targets = 1; targets <= CALLS_TARGETS; targets *= 2)
        add_point(series, targets, 1, 25 + (targets > core->targets ? core->penalty : 0),
                  core->sigma);
}

static void fill_rows(struct series *taken, struct series *straight,
                      const struct predictor *core)
{
    static const double spacings[] = {TAKEN_SPACINGS};

    for (size_t i = 0; i < sizeof spacings / sizeof spacings[0]; i++)
        for (double two = 64; two <= TAKEN_BYTES / spacings[i]; two *= 2)
            for (double branches = two * 0.75; branches <= two; branches += two / 4) {
                double code = branches * spacings[i] > 32768 ? core->code : 0;
                double late = branches > core->taken ? core->penalty * 0.6 : 0;

                if (branches > 512 && late == 0)
                    late = core->slow;
                add_point(taken, branches, spacings[i], 1 + code + late, core->sigma);
                add_point(straight, branches, spacings[i], 2 + code, core->sigma);
            }
}

static void infer_predictor(const struct predictor *core, struct findings *findings)
{
    struct core scale = {.penalty = core->penalty,
                         .always = 4,
                         .never = 2,
                         .sorted = 3,
                         .sigma = core->sigma};
    struct series_list list = {0};
    struct history_series series;

    fill_patterns(add_series(&list, "outcomes", 1), &scale);
    fill_memory(add_series(&list, "memory", 2), core);
    fill_returns(add_series(&list, "returns", 1), core);
    fill_targets(add_series(&list, "targets", 2), core);
    add_point(add_series(&list, "shuffled", 2), CALLS_TARGETS, 1, 25 + 6 * core->penalty,
              core->sigma);
    add_series(&list, "taken", 2);
    add_series(&list, "straight", 2);
    fill_rows(&list.rows[5], &list.rows[6], core);
    series = (struct history_series){&list.rows[0], &list.rows[1], &list.rows[2],
                                     &list.rows[3], &list.rows[4], &list.rows[5],
                                     &list.rows[6]};
    assert_int_equal(sonde_infer_history(&series, findings), 0);
    sonde_measure_series_list_free(&list);
}

static void test_predictors_come_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct predictor core = {.penalty = 20, .sigma = 0.02};
        struct findings findings = {0};

        sonde_base_random_seed(&noise, seed);
        core.remembers = 16 << seed % 12;
        core.return_stack = 8 + (double)(seed % 60);
        core.targets = 1 << seed % 10;
        core.taken = 64 << seed % 6;
        core.code = (double)(seed % 3);
        core.slow = 2.5;
        infer_predictor(&core, &findings);
        assert_true(get(&findings, "history.pattern")->value == core.remembers);
        assert_true(get(&findings, "history.pattern")->high == 2 * core.remembers);
        assert_true(get(&findings, "history.return_stack")->value == core.return_stack);
        assert_true(get(&findings, "history.targets")->value == core.targets);
        assert_true(get(&findings, "history.btb.16")->value == core.taken);
        assert_true(get(&findings, "history.btb.64")->value == core.taken);
        assert_true(get(&findings, "history.btb.32")->low == core.taken);
        assert_true(get(&findings, "history.btb.32")->high == 1.5 * core.taken);
        for (size_t i = 0; i < findings.control_count; i++)
            assert_true(findings.controls[i].ok);
        sonde_infer_findings_free(&findings);
    }
}

static void test_disturbed_depth_is_no_stack(void **state)
{
    (void)state;
    for (double depth = 12; depth <= 24; depth += 3) {
        struct predictor core = {.penalty = 20,
                                 .remembers = 64,
                                 .return_stack = 32,
                                 .targets = 4,
                                 .disturbed_depth = depth};
        struct findings findings = {0};

        infer_predictor(&core, &findings);
        assert_true(get(&findings, "history.return_stack")->value == 32);
        sonde_infer_findings_free(&findings);
    }
}

/* As timed on a core that others took most of: depths next to each other differ by more
 * than the limit all over, and only what most of them do tells where the stack ends. */
static void test_noise_is_no_stack(void **state)
{
    static const double seen[] = {
        9,    12,   17,   22,   26,   31,   35,   37,   45,   51,   54,   55,
        67,   66,   71,   75,   86,   92,   94,   94,   110,  94,   113,  106,
        113,  115,  140,  140,  136,  131,  148,  137,  191,  197,  205,  241,
        273,  285,  301,  330,  351,  363,  402,  446,  457,  481,  499,  495,
        564,  528,  635,  669,  683,  674,  743,  757,  785,  830,  867,  838,
        877,  933,  934,  953,  996,  1005, 1044, 1058, 1056, 1059, 1074, 1078,
        1188, 1228, 1175, 1252, 1152, 1279, 1371, 1350,
    };
    struct core scale = {.penalty = 20, .always = 4, .never = 2, .sorted = 3};
    struct series_list list = {0};
    struct findings findings = {0};
    const struct finding *stack;

    (void)state;
    fill_patterns(add_series(&list, "outcomes", 1), &scale);
    add_series(&list, "returns", 1);
    for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++)
        add_point(&list.rows[1], (double)(i + 1), 0, seen[i], 0);
    assert_int_equal(
        sonde_infer_history(
            &(struct history_series){.outcomes = &list.rows[0], .returns = &list.rows[1]},
            &findings),
        0);
    stack = get(&findings, "history.return_stack");
    assert_true(stack->low <= 32 && stack->high >= 32);
    assert_true(stack->low >= 28 && stack->high <= 36);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

/* A depth without figures hides nothing of those beyond it. */
static void test_missing_depth(void **state)
{
    struct predictor core = {.penalty = 20, .return_stack = 32};
    struct core scale = {.penalty = 20, .always = 4, .never = 2, .sorted = 3};

    (void)state;
    for (size_t missing = 3; missing < 60; missing += 7) {
        struct series_list list = {0};
        struct findings findings = {0};

        fill_patterns(add_series(&list, "outcomes", 1), &scale);
        fill_returns(add_series(&list, "returns", 1), &core);
        list.rows[1].points[missing].n = 0;
        assert_int_equal(
            sonde_infer_history(&(struct history_series){.outcomes = &list.rows[0],
                                                         .returns = &list.rows[1]},
                                &findings),
            0);
        assert_true(get(&findings, "history.return_stack")->value == 32);
        sonde_infer_findings_free(&findings);
        sonde_measure_series_list_free(&list);
    }
}

/* Two depths below the edge cost as if the stack had ended before: the value is that of
 * the lines on both sides, and the interval says that the step lies elsewhere. */
static void test_disturbed_edge_is_an_interval(void **state)
{
    struct series_list list = {0};
    struct predictor core = {.penalty = 20, .return_stack = 32};
    struct core scale = {.penalty = 20, .always = 4, .never = 2, .sorted = 3};
    struct findings findings = {0};
    struct series *returns, *outcomes;
    const struct finding *stack;

    (void)state;
    outcomes = add_series(&list, "outcomes", 1);
    fill_patterns(outcomes, &scale);
    returns = add_series(&list, "returns", 1);
    fill_returns(returns, &core);
    returns->points[30].cycles += 20; /* depths 31 and 32 */
    returns->points[31].cycles += 40;
    assert_int_equal(
        sonde_infer_history(
            &(struct history_series){.outcomes = &list.rows[0], .returns = &list.rows[1]},
            &findings),
        0);
    stack = get(&findings, "history.return_stack");
    assert_true(stack->value == 32);
    assert_true(stack->low == 30 && stack->high == 32);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

/* Code that costs half a misprediction by itself from 32 KiB on hides where targets are
 * no longer known, unless that is sooner. */
static void test_code_costs_as_much(void **state)
{
    struct predictor core = {.penalty = 20, .taken = 1024, .code = 10};
    struct findings findings = {0};
    size_t failed = 0;

    (void)state;
    infer_predictor(&core, &findings);
    assert_true(get(&findings, "history.btb.16")->value == 1024);
    assert_true(get(&findings, "history.btb.16")->confidence > 0.7);
    assert_true(get(&findings, "history.btb.64")->value == 1024);
    assert_true(get(&findings, "history.btb.64")->confidence < 0.5);
    assert_non_null(strstr(get(&findings, "history.btb.64")->reason, "at least"));
    for (size_t i = 0; i < findings.control_count; i++)
        failed += !findings.controls[i].ok;
    assert_int_equal(failed, 2); /* at 32 and at 64 bytes */
    sonde_infer_findings_free(&findings);
}

/* A slower buffer holds all that are tried: it is no end. */
static void test_slow_buffer_is_no_end(void **state)
{
    struct predictor core = {.penalty = 20, .taken = 1e6, .slow = 5};
    struct findings findings = {0};

    (void)state;
    infer_predictor(&core, &findings);
    assert_true(isnan(get(&findings, "history.btb.64")->value));
    assert_true(get(&findings, "history.btb.64")->low == TAKEN_BYTES / 64);
    sonde_infer_findings_free(&findings);
}

static void test_too_few_rows(void **state)
{
    struct history_series none = {.outcomes = NULL};
    struct findings findings = {0};
    struct series_list list = {0};

    (void)state;
    assert_int_equal(sonde_infer_taken(&none, 16, 20, &findings), 0);
    assert_given_up(&findings, "history.btb.16");
    sonde_infer_findings_free(&findings);
    findings = (struct findings){0};
    add_series(&list, "taken", 2);
    add_series(&list, "straight", 2);
    for (double branches = 64; branches <= 512; branches *= 2) {
        add_point(&list.rows[0], branches, 32, 1, 0);
        add_point(&list.rows[1], branches, 32, branches == 256 ? NAN : 2, 0);
    }
    none = (struct history_series){.taken = &list.rows[0], .straight = &list.rows[1]};
    assert_int_equal(sonde_infer_taken(&none, 32, 20, &findings), 0);
    assert_given_up(&findings, "history.btb.32");
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void test_beyond_what_was_tried(void **state)
{
    struct predictor core = {.penalty = 20,
                             .remembers = 1e6,
                             .return_stack = 1e6,
                             .targets = 1e6,
                             .taken = 1e6};
    struct findings findings = {0};

    (void)state;
    infer_predictor(&core, &findings);
    assert_true(isnan(get(&findings, "history.pattern")->value));
    assert_true(get(&findings, "history.pattern")->low == 65536);
    assert_true(isnan(get(&findings, "history.return_stack")->value));
    assert_true(get(&findings, "history.return_stack")->low == CALLS_DEPTH_MAX - 3);
    assert_true(isnan(get(&findings, "history.targets")->value));
    assert_true(get(&findings, "history.targets")->low == CALLS_TARGETS);
    assert_true(isnan(get(&findings, "history.btb.16")->value));
    assert_true(get(&findings, "history.btb.16")->low == TAKEN_BYTES / 16);
    sonde_infer_findings_free(&findings);
}

static void test_without_scale(void **state)
{
    struct predictor core = {
        .penalty = 1, .remembers = 64, .return_stack = 16, .targets = 4};
    struct history_series none = {.outcomes = NULL};
    struct findings findings = {0};

    (void)state;
    infer_predictor(&core, &findings);
    assert_given_up(&findings, "history.pattern");
    assert_given_up(&findings, "history.return_stack");
    assert_given_up(&findings, "history.targets");
    assert_given_up(&findings, "history.btb.16");
    assert_given_up(&findings, "history.btb.64");
    sonde_infer_findings_free(&findings);
    findings = (struct findings){0};
    assert_int_equal(sonde_infer_history(&none, &findings), 0);
    assert_given_up(&findings, "history.pattern");
    sonde_infer_findings_free(&findings);
}

/* --- machine code --- */

static void test_loops_are_read(void **state)
{
    static const struct {
        const char *kernel;
        size_t branches;
    } cases[] = {{"branch_bits", 64},
                 {"branch_one", 1},
                 {"branch_kept", 1},
                 {"branch_select", 0},
                 {"chase", 0},
                 {"call_nest", 0},
                 {"call_targets", CALLS_TARGET_BITS}};

    (void)state;
    if (sonde_kernel_find("branch_bits")->instructions == 0)
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kernel_function *run = sonde_kernel_find(cases[i].kernel)->run;
        size_t branches = 99;

        assert_int_equal(
            sonde_arch_loop_branches((const void *)(uintptr_t)run, &branches), 0);
        assert_int_equal(branches, cases[i].branches);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_penalty_comes_back),
        cmocka_unit_test(test_no_penalty_is_no_figure),
        cmocka_unit_test(test_failed_control_is_no_figure),
        cmocka_unit_test(test_without_clock),
        cmocka_unit_test(test_nothing_measured),
        cmocka_unit_test(test_compiled),
        cmocka_unit_test(test_compiled_for_nothing),
        cmocka_unit_test(test_compiled_unread),
        cmocka_unit_test(test_predictors_come_back),
        cmocka_unit_test(test_disturbed_depth_is_no_stack),
        cmocka_unit_test(test_noise_is_no_stack),
        cmocka_unit_test(test_missing_depth),
        cmocka_unit_test(test_disturbed_edge_is_an_interval),
        cmocka_unit_test(test_code_costs_as_much),
        cmocka_unit_test(test_slow_buffer_is_no_end),
        cmocka_unit_test(test_too_few_rows),
        cmocka_unit_test(test_beyond_what_was_tried),
        cmocka_unit_test(test_without_scale),
        cmocka_unit_test(test_loops_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
