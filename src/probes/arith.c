/* Probe `arith`: latency and throughput of operations, in cycles of the core.
 *
 * Each operation has two kernels: one chain in which each waits for the one before, and
 * many chains that wait for nothing but the pipes. Integer, float64 and float32, and of
 * these (integers of 32 bits) every width of vector registers that this core has and this
 * system saves; three functions of the C library.
 *
 * Operands have full mantissas, are the same for all cores, and return to where they
 * began after one or two steps: nothing decays to a number that is easier to compute
 * with.
 *
 * What can fool it: dividers and library functions whose time depends on the operands
 * (one kind is measured), a neighbour on the same core (throughputs fall), and cores that
 * move registers at a cost (x86 divides are surrounded by moves). Control: the integer
 * add and multiply, whole numbers of cycles. */
#include "probes/probe.h"

#include "arch/arch.h"
#include "infer/arith.h"

#include <errno.h>
#include <stdio.h>

enum { LATENCY, THROUGHPUT };

struct operation {
    struct arith_operation what;
    const char *latency, *throughput; /* kernels */
    uint64_t argument;
    bool library;
};

/* An odd factor whose powers look random. */
static const uint64_t factor = 0x9e3779b97f4a7c15;

#define SCALAR(name, included, whole)                                                    \
    {                                                                                    \
        {name, included, whole, 0, NULL, 0}, name "_chain", name "_wide", 0, false       \
    }
#define LIBRARY(name, included)                                                          \
    {                                                                                    \
        {name, included, false, 0, NULL, 0}, name "_chain", name "_wide", 0, true        \
    }
#define BITS_v128 128
#define BITS_v256 256
#define BITS_v512 512
#define BITS_sve  0 /* as it is granted */
#define VECTOR(operation, kind, bits, width, steps, whole, beside, ...)                  \
    {{#operation "." #width, beside, whole, 0, #width, BITS_##width},                    \
     #operation "_" #width "_chain",                                                     \
     #operation "_" #width "_wide",                                                      \
     0,                                                                                  \
     false},
static const struct operation table[] = {
    {{"add", NULL, true, 0, NULL, 0}, "add_chain", "add_wide", 3, false},
    {{"mul", NULL, true, 0, NULL, 0}, "mul_chain", "mul_wide", factor, false},
    SCALAR("div", NULL, false),
    SCALAR("fadd", NULL, true),
    SCALAR("fmul", NULL, true),
    SCALAR("fma", NULL, true),
    SCALAR("fdiv", NULL, false),
    SCALAR("fsqrt", "fmul", false),
    SCALAR("fadd32", NULL, true),
    SCALAR("fmul32", NULL, true),
    SCALAR("fma32", NULL, true),
    SCALAR("fdiv32", NULL, false),
    SCALAR("fsqrt32", "fmul32", false),
#include "kernels/vectors.def"
    LIBRARY("sin", "fadd"),
    LIBRARY("exp", NULL),
    LIBRARY("pow", NULL),
};
#undef SCALAR
#undef LIBRARY

enum { OPERATIONS = sizeof table / sizeof table[0] };

/* A kernel of which this ISA has only the reference counts no instructions, as do those
 * of the library, which are C. */
static bool is_here(const struct operation *operation, const struct kernel *kernel)
{
    if (kernel->instructions == 0 && !operation->library)
        return false;
    return (kernel->features & ~sonde_arch_features()) == 0;
}

static int add_point(struct plan *plan, unsigned series, size_t index,
                     const char *kernel_name)
{
    const struct kernel *kernel = sonde_kernel_find(kernel_name);
    struct point *point;

    if (!kernel || !is_here(&table[index], kernel))
        return 0;
    point = sonde_measure_plan_point(plan, series, kernel);
    if (!point)
        return -ENOMEM;
    point->argument = table[index].argument;
    point->at[0] = (double)index;
    point->label = table[index].what.name;
    return 0;
}

static int add_series(struct plan *plan, const char *name, const char *quantity,
                      bool throughput)
{
    struct series_plan series = {
        .name = name,
        .axes = {{"operation", "", "category"}},
        .axis_count = 1,
        .quantity = quantity,
        .unit = "ns",
        .statistic = STATISTIC_Q25,
        .throughput = throughput,
    };

    return sonde_measure_plan_series(plan, &series);
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    int error = 0;

    (void)context, (void)so_far;
    if (stage > 0)
        return 0;
    if (add_series(plan, "latency", "time of a dependent operation", false) < 0 ||
        add_series(plan, "throughput", "time of an independent operation", true) < 0)
        error = -ENOMEM;
    for (size_t i = 0; i < OPERATIONS && !error; i++) {
        error = add_point(plan, LATENCY, i, table[i].latency);
        if (!error)
            error = add_point(plan, THROUGHPUT, i, table[i].throughput);
    }
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct series *latency = sonde_measure_series_find(series, "latency");
    const struct series *throughput = sonde_measure_series_find(series, "throughput");
    struct arith_operation operations[OPERATIONS];

    (void)context;
    if (!latency || !throughput)
        return -ENODATA;
    for (size_t i = 0; i < OPERATIONS; i++) {
        operations[i] = table[i].what;
        if (operations[i].name[0] == 'f' || operations[i].vector)
            operations[i].chains = sonde_kernel_wide_chains();
        if (operations[i].vector && operations[i].bits == 0)
            operations[i].bits = 8 * (unsigned)sonde_arch_scalable_bytes();
    }
    return sonde_infer_arith(latency, throughput, operations, OPERATIONS, findings);
}

const struct probe sonde_probe_arith = {
    .name = "arith",
    .summary = "latency and throughput of operations, scalar, vector and library",
    .asks = "How long does an operation take, and how many fit in a cycle?",
    .seconds = 2,
    .plan = plan,
    .infer = infer,
};
