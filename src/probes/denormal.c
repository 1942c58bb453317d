/* Probe `denormal`: the same operations on normal and on subnormal numbers.
 *
 * Numbers next to zero, too small for a full mantissa, are handled by microcode or by
 * detours on some cores and in stride on others. One loop runs on both kinds of operands,
 * with flushing of subnormal numbers to zero off and on: only operands and mode differ.
 *
 * What can fool it: see infer/arith_denormal.c. Control: flushed, the penalty is gone;
 * and the mode alone costs nothing. */
#include "probes/probe.h"

#include "infer/arith.h"
#include "kernels/operands.h"

#include <errno.h>

static const char *const labels[] = {"normal", "subnormal", "normal, flushed",
                                     "subnormal, flushed"};
static const struct {
    const char *name, *kernel;
} table[] = {{"add", "subnormal_add"}, {"multiply", "subnormal_mul"}};

static int add_points(struct plan *plan, unsigned series, const struct kernel *kernel)
{
    for (uint64_t mode = 0; mode <= (OPERANDS_SUBNORMAL | OPERANDS_FLUSHED); mode++) {
        struct point *point = sonde_measure_plan_point(plan, series, kernel);

        if (!point)
            return -ENOMEM;
        point->argument = mode;
        point->at[0] = (double)mode;
        point->label = labels[mode];
    }
    return 0;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    (void)context, (void)so_far;
    if (stage > 0)
        return 0;
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct kernel *kernel = sonde_kernel_find(table[i].kernel);
        struct series_plan series = {
            .name = table[i].name,
            .axes = {{"operands", "", "category"}},
            .axis_count = 1,
            .quantity = "time of a dependent operation",
            .unit = "ns",
            .statistic = STATISTIC_Q25,
        };

        if (kernel->instructions == 0)
            return sonde_base_fail(why, -ENOTSUP,
                                   "this instruction set has no kernels in assembly, and "
                                   "C cannot set the mode of flushing");
        if (sonde_measure_plan_series(plan, &series) < 0 || add_points(plan, i, kernel))
            return sonde_base_fail(why, -ENOMEM, "out of memory");
    }
    return 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct series *add = sonde_measure_series_find(series, table[0].name);
    const struct series *multiply = sonde_measure_series_find(series, table[1].name);

    (void)context;
    return sonde_infer_denormal(add, multiply, findings);
}

const struct probe sonde_probe_denormal = {
    .name = "denormal",
    .summary = "the price of subnormal numbers, and flushing them to zero",
    .asks = "Do numbers next to zero slow computing down?",
    .seconds = 0.5,
    .plan = plan,
    .infer = infer,
};
