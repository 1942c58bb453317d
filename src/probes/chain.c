/* Probe `chain`: dependent against independent operations.
 *
 * The same number of the same floating multiplies in 1, 2, 4, 8 and 16 chains. In one
 * chain each waits for the one before; in several the core works on all at once, as far
 * as it has pipes. What a program gains by breaking a chain (four sums instead of one) is
 * what this shows.
 *
 * What can fool it: see infer/arith_chains.c. On x86 the 16 chains fill all registers, so
 * their factors come from the first level of memory, beside the chains. Control: two
 * chains take half as long. */
#include "probes/probe.h"

#include "infer/arith.h"

#include <errno.h>

static const struct {
    const char *kernel;
    double chains;
} table[] = {
    {"fmul_chain", 1}, {"fmul_x2", 2}, {"fmul_x4", 4}, {"fmul_x8", 8}, {"fmul_x16", 16},
};

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    static const struct series_plan chains = {
        .name = "chains",
        .axes = {{"chains", "count", "log2"}},
        .axis_count = 1,
        .quantity = "time of a multiply",
        .unit = "ns",
        .statistic = STATISTIC_Q25,
        .throughput = true,
    };

    (void)context, (void)so_far;
    if (stage > 0)
        return 0;
    if (sonde_measure_plan_series(plan, &chains) < 0)
        return sonde_base_fail(why, -ENOMEM, "out of memory");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct kernel *kernel = sonde_kernel_find(table[i].kernel);
        struct point *point;

        if (kernel->instructions == 0)
            return sonde_base_fail(why, -ENOTSUP,
                                   "this instruction set has no kernels in assembly, and "
                                   "a compiler may break chains up");
        point = sonde_measure_plan_point(plan, 0, kernel);
        if (!point)
            return sonde_base_fail(why, -ENOMEM, "out of memory");
        point->at[0] = table[i].chains;
    }
    return 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct series *chains = sonde_measure_series_find(series, "chains");

    (void)context;
    return chains ? sonde_infer_chains(chains, findings) : -ENODATA;
}

const struct probe sonde_probe_chain = {
    .name = "chain",
    .summary = "dependent against independent operations: what overlap hides",
    .asks = "What does it cost to wait for each result?",
    .seconds = 0.6,
    .plan = plan,
    .infer = infer,
};
