/* What subnormal numbers cost, and that flushing them to zero takes the cost away.
 *
 * Four points for each operation, of the very same loop:
 *
 *                  as they are     flushed to zero
 *   normal         the reference   control: the mode alone costs nothing
 *   subnormal      the penalty     control: the penalty is gone
 *
 * A core that handles subnormal numbers in its pipes shows a ratio of 1: that is a
 * result. What can fool it: operands that decay to 0 (the references rule it out), a mode
 * left on by another library (the kernel sets it itself), and a core that handles only
 * results or only operands at speed: here both are subnormal. */
#include "infer/arith.h"

#include <errno.h>
#include <math.h>

enum { NORMAL, SUBNORMAL, NORMAL_FLUSHED, SUBNORMAL_FLUSHED, MODES };

/* A ratio below this is no penalty: drift and noise reach 2 to 3 %. */
static const double no_penalty = 1.05;
static const double same_within = 0.05;

struct costs {
    const struct series_point *point[MODES];
    bool complete;
};

static double cost_of(const struct series_point *point)
{
    return point->cycles > 0 ? point->cycles : point->best;
}

static struct costs read_costs(const struct series *series)
{
    struct costs costs = {.complete = true};

    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];
        double mode = point->at[0];

        if (mode >= 0 && mode < MODES && point->n > 0 && !(point->flags & POINT_WRONG))
            costs.point[(size_t)mode] = point;
    }
    for (int mode = 0; mode < MODES; mode++)
        costs.complete = costs.complete && costs.point[mode];
    return costs;
}

static double ratio(const struct costs *costs, int mode)
{
    return cost_of(costs->point[mode]) / cost_of(costs->point[NORMAL]);
}

static struct finding *find_ratio(struct findings *findings, const char *name,
                                  const struct costs *costs, int mode, const char *method)
{
    const struct series_point *point = costs->point[mode];
    const struct series_point *normal = costs->point[NORMAL];
    double value = ratio(costs, mode);
    double low = value * (point->low / point->best) * (normal->best / normal->high);
    double high = value * (point->high / point->best) * (normal->best / normal->low);

    return sonde_infer_find(findings, name, "ratio", value, low, high, 0.9, method);
}

static int report_penalty(const struct costs *worst, const char *operation,
                          struct findings *findings)
{
    struct finding *finding =
        find_ratio(findings, "denormal.penalty", worst, SUBNORMAL,
                   "subnormal over normal operands, the costlier operation");
    double normal = worst->point[NORMAL]->cycles, cycles;

    if (!finding)
        return -ENOMEM;
    if (finding->value < no_penalty)
        sonde_infer_explain(finding, "no penalty on this core");
    else
        sonde_infer_explain(finding, "of the %s; flushed to zero %.2f remains", operation,
                            ratio(worst, SUBNORMAL_FLUSHED));
    cycles = worst->point[SUBNORMAL]->cycles - normal;
    if (normal > 0 &&
        !sonde_infer_find(findings, "denormal.penalty_cycles", "cycles", cycles,
                          (finding->low - 1) * normal, (finding->high - 1) * normal, 0.9,
                          "subnormal less normal operands, in one chain"))
        return -ENOMEM;
    return find_ratio(findings, "denormal.with_ftz", worst, SUBNORMAL_FLUSHED,
                      "flushed subnormal over normal operands")
               ? 0
               : -ENOMEM;
}

static int control_modes(const struct costs *add, const struct costs *multiply,
                         struct findings *findings)
{
    double add_gone = ratio(add, SUBNORMAL_FLUSHED);
    double multiply_gone = ratio(multiply, SUBNORMAL_FLUSHED);
    double add_mode = ratio(add, NORMAL_FLUSHED);
    double multiply_mode = ratio(multiply, NORMAL_FLUSHED);

    if (!sonde_infer_control(
            findings, add_gone <= 1 + same_within && multiply_gone <= 1 + same_within,
            "subnormal operands, flushed to zero", "as cheap as normal ones, within 5 %",
            "add %.3f, multiply %.3f times", add_gone, multiply_gone))
        return -ENOMEM;
    return sonde_infer_control(findings,
                               fabs(add_mode - 1) <= same_within &&
                                   fabs(multiply_mode - 1) <= same_within,
                               "normal operands, flushing on against off",
                               "the same within 5 %", "add %.3f, multiply %.3f times",
                               add_mode, multiply_mode)
               ? 0
               : -ENOMEM;
}

int sonde_infer_denormal(const struct series *add, const struct series *multiply,
                         struct findings *findings)
{
    struct costs adds = read_costs(add), multiplies = read_costs(multiply);
    bool add_worse;
    int error;

    if (!adds.complete || !multiplies.complete)
        return sonde_infer_give_up(
                   findings, "denormal.penalty", "ratio",
                   "not all of normal and subnormal operands, flushed and "
                   "not, were timed")
                   ? 0
                   : -ENOMEM;
    if (!find_ratio(findings, "denormal.add", &adds, SUBNORMAL,
                    "adds of subnormal over normal operands") ||
        !find_ratio(findings, "denormal.multiply", &multiplies, SUBNORMAL,
                    "multiplies of subnormal over normal operands"))
        return -ENOMEM;
    add_worse = ratio(&adds, SUBNORMAL) > ratio(&multiplies, SUBNORMAL);
    error = report_penalty(add_worse ? &adds : &multiplies,
                           add_worse ? "add" : "multiply", findings);
    return error ? error : control_modes(&adds, &multiplies, findings);
}
