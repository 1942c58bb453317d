/* What arithmetic costs on a planted machine.
 *
 *   <operation>_chain   the latency; with what a step has beside it, as on hardware
 *   <operation>_wide    the reciprocal of the rate
 *   fmul_x<K>           latency / K, but no less than what the pipes take
 *   subnormal_...       the latency; more for subnormal operands that are not flushed
 *
 * Adds, multiplies and fused ones are the model's; they are the same at each width, and
 * vectors of integers go through the pipes of floats.
 * Divides, roots and library functions cost what a core of 2020 took for them: they are
 * here so that plans run, not to be told from one another. */
#include "measure/simulation_arith.h"

#include "kernels/operands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct cost {
    double latency, each; /* cycles: dependent; independent */
};

static bool starts(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static struct cost cost_by_name(const struct sim_model *model, const char *name)
{
    double pipe = 1 / model->chains.float_pipes;
    const struct {
        const char *prefix;
        struct cost cost;
    } rows[] = {
        {"fadd", {model->chains.fadd_cycles, pipe}},
        {"fmul", {model->chains.fmul_cycles, pipe}},
        {"fma", {model->chains.fma_cycles, pipe}},
        {"mul_", {model->chains.multiply_cycles, 1}},
        {"add32_", {model->chains.add_cycles, pipe}},
        {"mul32_", {model->chains.multiply_cycles, pipe}},
        {"div_", {12, 7}},
        {"fdiv", {13, 4.5}},
        /* Their chains have a multiply or an add beside them. */
        {"fsqrt", {20 + model->chains.fmul_cycles, 8}},
        {"sin_", {45 + model->chains.fadd_cycles, 40}},
        {"exp_", {35, 25}},
        {"pow_", {60, 60}},
        {"subnormal_add", {model->chains.fadd_cycles, pipe}},
        {"subnormal_mul", {model->chains.fmul_cycles, pipe}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (starts(name, rows[i].prefix))
            return rows[i].cost;
    return (struct cost){NAN, NAN};
}

double sonde_measure_simulation_arith(const struct sim_model *model,
                                      const struct point *point, double slowdown)
{
    const char *name = point->kernel->name, *suffix = strrchr(name, '_');
    struct cost cost = cost_by_name(model, name);
    unsigned chains = 0;

    if (!suffix || isnan(cost.latency))
        return NAN;
    if (strcmp(suffix, "_wide") == 0)
        return cost.each * slowdown;
    if (sscanf(suffix, "_x%u", &chains) == 1 && chains > 0)
        return fmax(cost.latency / chains, cost.each * slowdown);
    if (starts(name, "subnormal") && point->argument == OPERANDS_SUBNORMAL)
        return cost.latency + model->chains.subnormal_cycles;
    return cost.latency;
}
