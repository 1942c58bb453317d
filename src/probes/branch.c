/* Probe `branch`: what a misprediction costs, and what avoids it.
 *
 *   patterns  one branch per bit: always, never, sorted, alternating, one in 4, one in
 * 16, and random bits that no predictor has seen, drawn anew for each sample classic "sum
 * what is 128 or more" over the same random bytes, unsorted and sorted, as the compiler
 * makes it, by a branch, and by a conditional move
 *
 * Whether the compiler kept a branch is read from the machine code of its loop and held
 * against the time it takes. What can fool it: see infer/branch.c. */
#include "probes/probe.h"

#include "arch/arch.h"
#include "infer/branch.h"

#include <errno.h>

/* Outcomes a sample: 16 KiB of bits, half of a first level, and at one cycle each as long
 * as a sample has to be. */
static const uint64_t outcomes = 131072;
/* Bytes a sample of the classic loop, which takes two cycles or more for each. */
static const uint64_t bytes = 65536;

enum { PATTERN_SERIES, CLASSIC_SERIES };

static const struct {
    const char *label;
    enum layout_content content;
    uint64_t word;
} patterns[PATTERNS] = {
    [PATTERN_ALWAYS] = {"always", CONTENT_WORD, 0},
    [PATTERN_NEVER] = {"never", CONTENT_WORD, UINT64_MAX},
    [PATTERN_SORTED] = {"sorted", CONTENT_SORTED_BITS, 0},
    [PATTERN_ALTERNATING] = {"alternating", CONTENT_WORD, UINT64_C(0xaaaaaaaaaaaaaaaa)},
    [PATTERN_ONE_IN_4] = {"one in 4", CONTENT_WORD, UINT64_C(0x1111111111111111)},
    [PATTERN_ONE_IN_16] = {"one in 16", CONTENT_WORD, UINT64_C(0x0001000100010001)},
    [PATTERN_RANDOM] = {"random", CONTENT_RANDOM, 0},
};

static const char *const bodies[BODIES] = {
    [BODY_COMPILED] = "branch_compiled",
    [BODY_KEPT] = "branch_kept",
    [BODY_ARITHMETIC] = "branch_select",
};
static const char *const labels[BODIES][BRANCH_ORDERS] = {
    {"compiled, random", "compiled, sorted"},
    {"branch, random", "branch, sorted"},
    {"arithmetic, random", "arithmetic, sorted"},
};

static const struct series_plan series_plans[] = {
    [PATTERN_SERIES] = {.name = "patterns",
                        .axes = {{"pattern", "", "category"}},
                        .axis_count = 1,
                        .quantity = "time of a branch",
                        .unit = "ns",
                        .statistic = STATISTIC_Q25},
    [CLASSIC_SERIES] = {.name = "classic",
                        .axes = {{"body", "", "category"}, {"order", "", "category"}},
                        .axis_count = 2,
                        .quantity = "time of an element",
                        .unit = "ns",
                        .statistic = STATISTIC_Q25},
};

static int add_pattern(struct plan *plan, enum branch_pattern which)
{
    struct point *point =
        sonde_measure_plan_point(plan, PATTERN_SERIES, sonde_kernel_find("branch_bits"));

    if (!point)
        return -ENOMEM;
    point->layout = (struct layout){.kind = LAYOUT_BLOCK,
                                    .bytes = outcomes / 8,
                                    .content = patterns[which].content,
                                    .word = patterns[which].word,
                                    .fresh = patterns[which].content != CONTENT_WORD};
    point->count = outcomes;
    point->at[0] = which;
    point->label = patterns[which].label;
    return 0;
}

static int add_classic(struct plan *plan, enum branch_body body, enum branch_order order)
{
    struct point *point =
        sonde_measure_plan_point(plan, CLASSIC_SERIES, sonde_kernel_find(bodies[body]));

    if (!point)
        return -ENOMEM;
    point->layout = (struct layout){
        .kind = LAYOUT_BLOCK,
        .bytes = bytes,
        .content = order == BRANCH_ORDER_SORTED ? CONTENT_SORTED_BYTES : CONTENT_RANDOM,
        .fresh = true};
    point->count = bytes;
    point->at[0] = body;
    point->at[1] = order;
    point->label = labels[body][order];
    return 0;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    int error;

    (void)context, (void)so_far;
    if (stage > 0)
        return 0;
    if (sonde_kernel_find("branch_bits")->instructions == 0)
        return sonde_base_fail(why, -ENOTSUP,
                               "this instruction set has no kernels in assembly, and a "
                               "compiler may turn branches into arithmetic");
    error = sonde_measure_plan_all_series(plan, series_plans,
                                          sizeof series_plans / sizeof series_plans[0]);
    for (int which = 0; !error && which < PATTERNS; which++)
        error = add_pattern(plan, (enum branch_pattern)which);
    for (int i = 0; !error && i < BODIES * BRANCH_ORDERS; i++)
        error = add_classic(plan, (enum branch_body)(i / BRANCH_ORDERS),
                            (enum branch_order)(i % BRANCH_ORDERS));
    return error ? sonde_base_fail(why, error, "out of memory") : 0;
}

static int branches_compiled(void)
{
    kernel_function *run = sonde_kernel_find(bodies[BODY_COMPILED])->run;
    size_t branches;
    int error = sonde_arch_loop_branches((const void *)(uintptr_t)run, &branches);

    return error ? error : (int)branches;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    (void)context;
    return sonde_infer_branch(
        sonde_measure_series_find(series, series_plans[PATTERN_SERIES].name),
        sonde_measure_series_find(series, series_plans[CLASSIC_SERIES].name),
        branches_compiled(), findings);
}

const struct probe sonde_probe_branch = {
    .name = "branch",
    .summary = "the cost of a misprediction, and loops with and without a branch",
    .asks = "What does a wrongly predicted branch cost, and did the compiler keep one?",
    .seconds = 0.8,
    .plan = plan,
    .infer = infer,
};
