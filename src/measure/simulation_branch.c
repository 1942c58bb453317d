/* What branches and calls cost on a planted machine.
 *
 *   branch        base + wrong guesses x mispredict_cycles; of new random outcomes half
 *                 are wrong, of a repeated pattern none up to `remembers` outcomes
 *   nested calls  base for each, and a misprediction for each beyond `return_stack`
 *   targets       a misprediction for each call once a cycle has more than `targets`
 *   taken         one for each branch once there are more than `taken` in a row; the
 *                 farther than `taken_apart` bytes, the fewer fit
 *
 * The compiler's loop costs what its machine code says: with or without a branch. Real
 * predictors forget gradually; these do it at once, which only makes the truth plain. */
#include "measure/simulation_branch.h"

#include "arch/arch.h"
#include "kernels/taken.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a step costs without surprises: issue, or a call and its return. */
static const double bit_cycles = 1, one_cycles = 3, byte_cycles = 2, call_cycles = 5,
                    target_cycles = 20;
static const double spelled_branches = 10; /* before each indirect call */

/* How many of the guesses on this content are wrong. */
static double wrong_share(const struct sim_model *model, const struct point *point,
                          uint64_t period)
{
    const struct layout *layout = &point->layout;

    if (layout->zero || layout->content != CONTENT_RANDOM)
        return 0;
    if (!layout->fresh && (double)period <= model->branches.remembers)
        return 0;
    return 0.5;
}

static uint64_t period_of(const struct point *point)
{
    uint64_t bits = 8 * point->layout.bytes;

    return point->argument < bits ? point->argument + 1 : bits;
}

static double nested(const struct sim_model *model, double depth, double slowdown)
{
    double beyond = fmax(0, depth - model->branches.return_stack);

    return depth * call_cycles * slowdown + beyond * model->branches.mispredict_cycles;
}

static double indirect(const struct sim_model *model, const struct point *point,
                       double slowdown)
{
    double wrong = 0;

    if (point->layout.content == CONTENT_RANDOM)
        wrong = 1 + spelled_branches / 2;
    else if ((double)point->argument + 1 > model->branches.targets)
        wrong = 1;
    return target_cycles * slowdown + wrong * model->branches.mispredict_cycles;
}

/* All branches of a row. */
static double row(const struct sim_model *model, const struct point *point,
                  double spacing, double slowdown)
{
    double count = (double)(uint32_t)point->argument;
    double held = model->branches.taken * fmin(1, model->branches.taken_apart / spacing);
    bool known = point->argument >> TAKEN_NONE_SHIFT || count <= held;

    return count *
           (bit_cycles * slowdown + (known ? 0 : model->branches.mispredict_cycles));
}

static bool has_branch(const struct kernel *kernel)
{
    size_t branches;

    return !sonde_arch_loop_branches((const void *)(uintptr_t)kernel->run, &branches) &&
           branches > 0;
}

double sonde_measure_simulation_branch(const struct sim_model *model,
                                       const struct point *point, double slowdown)
{
    const char *name = point->kernel->name;
    double mispredict = model->branches.mispredict_cycles;
    uint64_t all = 8 * point->layout.bytes;
    unsigned spacing;

    if (sscanf(name, "taken_%u", &spacing) == 1)
        return row(model, point, spacing, slowdown);
    if (strcmp(name, "branch_bits") == 0)
        return bit_cycles * slowdown + wrong_share(model, point, all) * mispredict;
    if (strcmp(name, "branch_one") == 0)
        return one_cycles * slowdown +
               wrong_share(model, point, period_of(point)) * mispredict;
    if (strcmp(name, "branch_kept") == 0 ||
        (strcmp(name, "branch_compiled") == 0 && has_branch(point->kernel)))
        return byte_cycles * slowdown +
               wrong_share(model, point, point->layout.bytes) * mispredict;
    if (strcmp(name, "branch_select") == 0 || strcmp(name, "branch_compiled") == 0)
        return byte_cycles * slowdown;
    if (strcmp(name, "call_nest") == 0)
        return nested(model, (double)point->argument, slowdown);
    if (strcmp(name, "call_targets") == 0)
        return indirect(model, point, slowdown);
    return NAN;
}
