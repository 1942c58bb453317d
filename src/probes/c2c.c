/* Probe `c2c`: the ways between CPUs, and which of them are siblings of one core.
 *
 *   A --release--> line --acquire--> B --release--> line --acquire--> A     two ways
 *
 *   up to 16 CPUs   all pairs, and all of them tried for siblings
 *   up to 48        all pairs; siblings tried where they are likely, declared, and not
 *   more            the first CPU with all, then a sample of pairs by the groups that
 *                   its ways show (infer/pairing.h); siblings tried as before
 *
 * Siblings are tried by independent adds that fill a core, on both at once, against
 * alone; a chain of dependent adds, which leaves room for a sibling, is the control. What
 * can fool it: a hypervisor that moves virtual CPUs (a pair then has two modes, which is
 * flagged), and one that runs them in turn (refused: they did not overlap; it is said in
 * how many samples). */
#include "probes/teams.h"

#include "infer/between.h"
#include "infer/cores.h"
#include "infer/pairing.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TRIED_MOST = 16,  /* CPUs of which all pairs are tried */
    PAIRED_MOST = 48, /* CPUs of which all pairs are measured */
    /* Beyond, a square of them takes too much memory; evenly spread ones are taken. */
    CPUS_MOST = 1024,
    ROUND_TRIPS = 512,
    /* Of one of many pairs: two visits are enough to tell near from far. */
    ROUND_TRIPS_SAMPLED = 128,
    SAMPLES_SAMPLED = 6,
    SAMPLES_TRIED = 21,
    SECONDS = 3
};
/* Parts of the time for the first stage, when there is a second. */
static const double first_part = 0.4;

enum { PAIRS, WIDE, CHAIN, ALONE, SAMPLED, KINDS };
static const char *const names[KINDS] = {"pairs", "wide", "chain", "alone", "sampled"};

struct design {
    const struct probe_context *context;
    struct plan *plan;
    unsigned *cpus; /* that are looked at, ascending; owned */
    size_t count;
    int series[KINDS]; /* number in the plan; -1: not of this stage */
};

static int add_series(struct design *design, unsigned kind)
{
    struct series_plan series = {.name = names[kind],
                                 .axes = {{"cpu", "", "linear"}, {"other", "", "linear"}},
                                 .axis_count = 2,
                                 .quantity = kind == PAIRS || kind == SAMPLED ? "latency"
                                                                              : "cost",
                                 .unit = "ns",
                                 .statistic = STATISTIC_Q25};

    design->series[kind] = sonde_measure_plan_series(design->plan, &series);
    return design->series[kind] < 0 ? -ENOMEM : 0;
}

static const struct team *team_of(struct plan *plan, unsigned a, unsigned b)
{
    struct cpulist cpus = {0};
    const struct team *team = NULL;

    if (!sonde_base_cpulist_add(&cpus, a) && !sonde_base_cpulist_add(&cpus, b))
        team = sonde_measure_plan_team(plan, &cpus);
    sonde_base_cpulist_free(&cpus);
    return team;
}

static int add_adds(struct design *design, unsigned kind, const char *kernel, unsigned a,
                    unsigned b)
{
    const struct team *team = team_of(design->plan, a, b);
    struct point *point = NULL;

    if (team)
        point = sonde_measure_plan_point(design->plan, (unsigned)design->series[kind],
                                         sonde_kernel_find(kernel));
    if (!point)
        return -ENOMEM;
    point->team = team;
    point->argument = 3;
    point->at[0] = a;
    point->at[1] = b;
    if (design->count > TRIED_MOST)
        point->samples = SAMPLES_TRIED;
    return 0;
}

static int add_way(struct design *design, unsigned kind, unsigned a, unsigned b)
{
    struct point *point =
        sonde_probe_team_point(design->plan, (unsigned)design->series[kind], "ping_pong",
                               team_of(design->plan, a, b), 0);
    bool many = design->count > TRIED_MOST;

    if (!point)
        return -ENOMEM;
    point->argument = 1;
    point->roles = true;
    point->count = many ? ROUND_TRIPS_SAMPLED : ROUND_TRIPS;
    point->samples = many ? SAMPLES_SAMPLED : 0;
    point->operations = 2;
    point->at[0] = a;
    point->at[1] = b;
    return 0;
}

static int try_pair(struct design *design, unsigned a, unsigned b)
{
    int error = add_adds(design, WIDE, "add_wide", a, b);

    return error ? error : add_adds(design, CHAIN, "add_chain", a, b);
}

/* Every CPU that is tried, once, alone. */
static int add_alone(struct design *design, const bool *wanted)
{
    int error = 0;

    for (size_t i = 0; i < design->count && !error; i++)
        if (wanted[i])
            error = add_adds(design, ALONE, "add_wide", design->cpus[i], design->cpus[i]);
    return error;
}

/* --- stages --- */

static int plan_all(struct design *design)
{
    bool wanted[TRIED_MOST] = {false};
    int error = 0;

    for (unsigned kind = WIDE; kind <= ALONE && !error; kind++)
        error = add_series(design, kind);
    for (size_t a = 0; a < design->count; a++) {
        wanted[a] = true;
        for (size_t b = a + 1; b < design->count && !error; b++)
            error = try_pair(design, design->cpus[a], design->cpus[b]);
    }
    return error ? error : add_alone(design, wanted);
}

static int plan_first(struct design *design)
{
    size_t rows = design->count > PAIRED_MOST ? 1 : design->count;
    int error = add_series(design, PAIRS);

    for (size_t a = 0; a < rows; a++)
        for (size_t b = a + 1; b < design->count && !error; b++)
            error = add_way(design, PAIRS, design->cpus[a], design->cpus[b]);
    if (!error && design->count <= TRIED_MOST)
        return plan_all(design);
    design->plan->budget_s = first_part * SECONDS;
    return error;
}

/* The ways from the first CPU to each, in the order of the CPUs. */
static int read_row(const struct design *design, const struct series_list *so_far,
                    double *row)
{
    const struct between between = {.pairs =
                                        sonde_measure_series_find(so_far, names[PAIRS])};
    struct square square;
    int error = sonde_infer_square(&between, &square);
    size_t first = error ? 0 : sonde_infer_square_place(&square, design->cpus[0]);

    for (size_t i = 0; i < design->count && !error; i++) {
        size_t at = sonde_infer_square_place(&square, design->cpus[i]);

        row[i] = first < square.count && at < square.count
                     ? square.way_ns[first * square.count + at]
                     : NAN;
    }
    sonde_infer_square_free(&square);
    return error;
}

static const char *declared_cores(const struct facts *facts)
{
    for (size_t i = 0; facts && i < facts->count; i++)
        if (strcmp(facts->rows[i].name, "smt.cores") == 0 &&
            facts->rows[i].status == FACT_KNOWN)
            return facts->rows[i].text;
    return NULL;
}

static int list_declared(const struct design *design, struct pairing *declared)
{
    const char *cores = declared_cores(design->context->facts);
    int *core = calloc(design->count, sizeof *core), error = 0;

    if (!core || sonde_infer_cores(cores, design->cpus, design->count, core) == -ENOMEM)
        error = -ENOMEM;
    for (size_t a = 0; a < design->count; a++)
        for (size_t b = a + 1; b < design->count && !error; b++)
            if (core[a] != CORE_UNKNOWN && core[a] == core[b])
                error = sonde_infer_pairing_add(declared, a, b);
    free(core);
    return error;
}

static int add_sample(struct design *design, const double *row)
{
    struct pairing pairing = {0};
    int error = add_series(design, SAMPLED);

    if (!error)
        error = sonde_infer_pairing_by_group(row, design->count, &pairing);
    for (size_t i = 0; i < pairing.count && !error; i++)
        error = add_way(design, SAMPLED, design->cpus[pairing.pairs[i].a],
                        design->cpus[pairing.pairs[i].b]);
    sonde_infer_pairing_free(&pairing);
    return error;
}

static int add_tries(struct design *design, const double *row)
{
    struct pairing declared = {0}, tries = {0};
    bool *wanted = calloc(design->count, sizeof *wanted);
    int error = wanted ? list_declared(design, &declared) : -ENOMEM;

    if (!error)
        error = sonde_infer_pairing_to_try(row, design->count, &declared, &tries);
    for (unsigned kind = WIDE; kind <= ALONE && !error; kind++)
        error = add_series(design, kind);
    for (size_t i = 0; i < tries.count && !error; i++) {
        const struct pair *pair = &tries.pairs[i];

        wanted[pair->a] = wanted[pair->b] = true;
        error = try_pair(design, design->cpus[pair->a], design->cpus[pair->b]);
    }
    if (!error)
        error = add_alone(design, wanted);
    free(wanted);
    sonde_infer_pairing_free(&declared);
    sonde_infer_pairing_free(&tries);
    return error;
}

static int plan_second(struct design *design, const struct series_list *so_far)
{
    double *row = calloc(design->count, sizeof *row);
    int error = row ? read_row(design, so_far, row) : -ENOMEM;

    if (!error)
        error = add_tries(design, row);
    if (!error && design->count > PAIRED_MOST)
        error = add_sample(design, row);
    free(row);
    design->plan->budget_s = (1 - first_part) * SECONDS;
    return error;
}

static int list_cpus(struct design *design)
{
    const struct cpulist *allowed = &design->context->machine->allowed;
    size_t all = sonde_base_cpulist_count(allowed), place = 0;

    design->cpus = calloc(all < CPUS_MOST ? all : CPUS_MOST, sizeof *design->cpus);
    if (!design->cpus)
        return -ENOMEM;
    for (int cpu = sonde_base_cpulist_next(allowed, 0); cpu >= 0;
         cpu = sonde_base_cpulist_next(allowed, (unsigned)cpu + 1), place++)
        if (all <= CPUS_MOST || place == design->count * (all - 1) / (CPUS_MOST - 1))
            design->cpus[design->count++] = (unsigned)cpu;
    return 0;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    struct design design = {.context = context, .plan = plan};
    int error = sonde_probe_need_two(context, why);

    if (error || stage > 1)
        return error;
    error = list_cpus(&design);
    if (!error && stage == 0)
        error = plan_first(&design);
    else if (!error && design.count > TRIED_MOST)
        error = plan_second(&design, so_far);
    free(design.cpus);
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct between between = {
        .pairs = sonde_measure_series_find(series, names[PAIRS]),
        .sampled = sonde_measure_series_find(series, names[SAMPLED]),
        .wide = sonde_measure_series_find(series, names[WIDE]),
        .chain = sonde_measure_series_find(series, names[CHAIN]),
        .alone = sonde_measure_series_find(series, names[ALONE]),
        .allowed = sonde_base_cpulist_count(&context->machine->allowed),
        .cores = declared_cores(context->facts),
    };

    return sonde_infer_between(&between, findings);
}

/* A pair of CPUs is done soon. */
static double wish(const struct machine *machine)
{
    double cpus = (double)sonde_base_cpulist_count(&machine->allowed);

    return fmin(SECONDS, cpus > 1 ? 0.4 * cpus : 0);
}

const struct probe sonde_probe_c2c = {
    .name = "c2c",
    .summary = "the ways between CPUs, their groups, and which are siblings",
    .asks = "How far is it from one CPU to another, and which share a core?",
    .seconds = SECONDS,
    .wish = wish,
    .plan = plan,
    .infer = infer,
};
