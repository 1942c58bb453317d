/* Latency and throughput of operations, in cycles of the core.
 *
 *   latency      a chain in which each operation waits for the one before: cycles a step,
 *                less what a step has beside the operation
 *   throughput   many chains: steps a cycle
 *
 * Values stay as measured; a latency of a pipelined unit that is no whole number of
 * cycles within 3 % is flagged, since no such unit exists: the clock was not what the
 * pulses said.
 *
 * What can fool it: a neighbour on the same core (throughputs fall, latencies stay), too
 * few chains to fill the pipes (then it is said that the throughput is a lower bound),
 * and a clock that wide work lowers only after a while. */
#include "infer/arith.h"

#include "infer/figures.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A whole number of cycles within this; the core clock itself is known to 1 or 2 %. */
static const double whole_within = 0.03;
/* An interval wider than this share of the value leaves no integer to tell. */
static const double widest_interval = 0.25;
/* Fewer samples give no interval. */
static const size_t samples_least = 7;
/* Beyond it wide work moved the core clock; below it drift does. */
static const double clock_moved = 0.03;
/* So near to what the chains allow, they are the bound. */
static const double chains_bind = 0.95;

struct estimate {
    const struct series_point *point;
    double value, low, high; /* cycles a step; NaN: unknown */
    const char *why_not;
};

static const struct series_point *find_point(const struct series *series, size_t index)
{
    for (size_t i = 0; series && i < series->count; i++)
        if (series->points[i].at[0] == (double)index)
            return &series->points[i];
    return NULL;
}

static const char *fault_of(const struct series_point *point)
{
    if (point->flags & POINT_WRONG)
        return "the kernel returned a wrong value";
    if (point->n < samples_least)
        return "too few samples were left undisturbed";
    if (!(point->cycles > 0))
        return "the core clock is not known, so there are no cycles";
    if ((point->high - point->low) > widest_interval * point->best)
        return "the machine was too disturbed: the interval is wider than a quarter of "
               "the value";
    return NULL;
}

static struct estimate read_estimate(const struct series *series, size_t index)
{
    struct estimate estimate = {find_point(series, index), NAN, NAN, NAN, NULL};
    double scale;

    if (!estimate.point)
        return estimate;
    estimate.why_not = fault_of(estimate.point);
    if (estimate.why_not)
        return estimate;
    scale = estimate.point->cycles / estimate.point->best;
    estimate.value = estimate.point->cycles;
    estimate.low = estimate.point->low * scale;
    estimate.high = estimate.point->high * scale;
    return estimate;
}

static double confidence_of(const struct series_point *point)
{
    if (point->flags & (POINT_FEW | POINT_CUT))
        return 0.6;
    return point->flags & (POINT_UNSTABLE | POINT_NOISY) ? 0.8 : 0.95;
}

static bool is_whole(double value)
{
    return fabs(value - round(value)) <= whole_within * value && value > 0.5;
}

/* --- one operation ------------------------------------------------------------------ */

static size_t index_of(const struct arith_operation *operations, size_t count,
                       const char *name)
{
    size_t i = 0;

    while (i < count && strcmp(operations[i].name, name) != 0)
        i++;
    return i;
}

/* Takes off what a step has beside the operation. */
static void take_off(struct estimate *estimate, const struct estimate *included)
{
    if (isnan(included->value) && !estimate->why_not)
        estimate->why_not = "what its chain has beside it was not measured";
    estimate->value -= included->value;
    estimate->low -= included->high;
    estimate->high -= included->low;
}

static int report_latency(const struct arith_operation *operation,
                          const struct estimate *estimate, struct findings *findings)
{
    double confidence = confidence_of(estimate->point);
    struct finding *finding;
    char name[64];

    snprintf(name, sizeof name, "arith.%s.latency_cycles", operation->name);
    if (isnan(estimate->value)) {
        finding = sonde_infer_give_up(findings, name, "cycles", "%s", estimate->why_not);
        return finding ? 0 : -ENOMEM;
    }
    if (operation->whole && !is_whole(estimate->value))
        confidence = 0.4;
    finding = sonde_infer_find(findings, name, "cycles", estimate->value, estimate->low,
                               estimate->high, confidence, "one dependent chain");
    if (finding && operation->whole && !is_whole(estimate->value))
        sonde_infer_explain(finding, "no whole number of cycles: the clock moved, or two "
                                     "kinds of forwarding take turns");
    else if (finding && operation->included)
        sonde_infer_explain(finding, "the %s of its chain is taken off",
                            operation->included);
    return finding ? 0 : -ENOMEM;
}

static int report_throughput(const struct arith_operation *operation,
                             const struct estimate *estimate, double latency,
                             struct findings *findings)
{
    struct finding *finding;
    char name[64];

    snprintf(name, sizeof name, "arith.%s.throughput", operation->name);
    if (isnan(estimate->value)) {
        finding =
            sonde_infer_give_up(findings, name, "per cycle", "%s", estimate->why_not);
        return finding ? 0 : -ENOMEM;
    }
    finding = sonde_infer_find(findings, name, "per cycle", 1 / estimate->value,
                               1 / estimate->high, 1 / estimate->low,
                               confidence_of(estimate->point), "independent chains");
    if (finding && operation->chains &&
        latency >= chains_bind * operation->chains * estimate->value)
        sonde_infer_explain(finding, "at least: %u chains of this latency allow no more",
                            operation->chains);
    return finding ? 0 : -ENOMEM;
}

/* --- the core clock during wide work ------------------------------------------------ */

static double hz_of(const struct series_point *point)
{
    if (!point || !(point->cycles > 0) || !(point->best > 0))
        return NAN;
    return point->cycles / point->best * 1e9;
}

/* Of the first operation, the integer add. */
static double scalar_hz(const struct series *throughput)
{
    return hz_of(find_point(throughput, 0));
}

/* The last operation of each kind of registers is the heaviest. */
static bool ends_vector(const struct arith_operation *operations, size_t count, size_t i)
{
    const char *vector = operations[i].vector;

    return vector && (i + 1 == count || !operations[i + 1].vector ||
                      strcmp(operations[i + 1].vector, vector) != 0);
}

static int report_clock(const struct arith_operation *operation, double hz, double scalar,
                        struct findings *findings)
{
    struct finding *finding;
    char name[64];

    if (!(hz > 0) || !(scalar > 0))
        return 0;
    snprintf(name, sizeof name, "arith.%s.core_hz", operation->vector);
    finding = sonde_infer_find(findings, name, "hz", hz, NAN, NAN, 0.8,
                               "pulses of adds before and after wide work");
    if (finding && fabs(hz - scalar) <= clock_moved * scalar)
        sonde_infer_explain(finding,
                            "beside vectors of %u bits; the same beside scalar "
                            "work, within 3 %%",
                            operation->bits);
    else if (finding)
        sonde_infer_explain(finding,
                            "beside vectors of %u bits; %.2f times that beside scalar "
                            "work, %.2f GHz",
                            operation->bits, hz / scalar, scalar * 1e-9);
    return finding ? 0 : -ENOMEM;
}

static int report_clocks(const struct series *throughput,
                         const struct arith_operation *operations, size_t count,
                         struct findings *findings)
{
    double scalar = scalar_hz(throughput);
    int error = 0;

    for (size_t i = 0; i < count && !error; i++)
        if (ends_vector(operations, count, i))
            error = report_clock(&operations[i], hz_of(find_point(throughput, i)), scalar,
                                 findings);
    return error;
}

/* --- controls ----------------------------------------------------------------------- */

static int control_wrong(const struct series *latency, const struct series *throughput,
                         struct findings *findings)
{
    size_t points = 0, wrong = 0;

    for (size_t i = 0; i < latency->count + throughput->count; i++) {
        const struct series_point *point = i < latency->count
                                               ? &latency->points[i]
                                               : &throughput->points[i - latency->count];

        points++;
        wrong += (point->flags & POINT_WRONG) != 0;
    }
    return sonde_infer_control(findings, wrong == 0,
                               "each kernel returns what the reference does, to the bit: "
                               "no operand decays",
                               "none wrong", "%zu of %zu wrong", wrong, points)
               ? 0
               : -ENOMEM;
}

static int control_integers(const struct series *latency,
                            const struct arith_operation *operations, size_t count,
                            struct findings *findings)
{
    double add = read_estimate(latency, index_of(operations, count, "add")).value;
    double multiply = read_estimate(latency, index_of(operations, count, "mul")).value;

    if (!isnan(add) && !sonde_infer_control(findings, fabs(add - 1) <= whole_within,
                                            "a dependent integer add",
                                            "1.00 cycles within 3 %", "%.3f cycles", add))
        return -ENOMEM;
    if (!isnan(multiply) &&
        !sonde_infer_control(findings, is_whole(multiply), "a dependent integer multiply",
                             "a whole number of cycles within 3 %", "%.3f cycles",
                             multiply))
        return -ENOMEM;
    return 0;
}

int sonde_infer_arith(const struct series *latency, const struct series *throughput,
                      const struct arith_operation *operations, size_t count,
                      struct findings *findings)
{
    int error = 0;

    for (size_t i = 0; i < count && !error; i++) {
        struct estimate one = read_estimate(latency, i);
        struct estimate many = read_estimate(throughput, i);

        if (one.point && operations[i].included) {
            struct estimate included = read_estimate(
                latency, index_of(operations, count, operations[i].included));

            take_off(&one, &included);
        }
        if (one.point)
            error = report_latency(&operations[i], &one, findings);
        if (many.point && sonde_infer_why_shared(many.point)) {
            many.value = NAN;
            many.why_not = sonde_infer_why_shared(many.point);
        }
        if (many.point && !error)
            error = report_throughput(&operations[i], &many, one.value, findings);
    }
    if (!error)
        error = report_clocks(throughput, operations, count, findings);
    if (!error)
        error = control_integers(latency, operations, count, findings);
    if (!error)
        error = control_wrong(latency, throughput, findings);
    return error;
}
