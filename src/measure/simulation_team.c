/* Several threads on a planted machine.
 *
 * Cores are numbered in a row, cluster by cluster; the siblings of a core are a fixed
 * number of CPUs apart (1: in a row; half of all CPUs: behind all the first ones). A line
 * takes one way per handoff, and members whose words lie within one granule hand its line
 * on with every step. What can fool it: real members also win several times in a row, so
 * real contention costs less than a way per step. */
#include "measure/simulation_team.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *kernel;
    double ways; /* per step and other member, where the members meet on a line */
} kernels[] = {
    {"count_plain", 0.5}, {"count_relaxed", 1}, {"count_ordered", 1},
    {"count_swap", 1.5},  {"load_acquire", 0},  {"store_release", 1},
    {"store_ordered", 1}, {"store_fence", 1},   {"load_fence", 0},
    {"fence_store", 1},   {"ping_pong", 2},     {"lock_mutex", 2},
    {"lock_spin", 1.5},   {"lock_read", 2},     {"lock_write", 2},
    {"futex_handoff", 2},
};

/* Waking a sleeper, beside the way of the line: a system call and an interrupt. */
static const double wake_ns = 2000;

static double ways_of(const char *kernel)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (strcmp(kernels[i].kernel, kernel) == 0)
            return kernels[i].ways;
    return NAN;
}

bool sonde_measure_simulation_is_team(const char *kernel)
{
    return !isnan(ways_of(kernel));
}

static unsigned core_of(const struct sim_model *model, unsigned cpu)
{
    unsigned apart = model->threads.numbered_apart;
    unsigned block = apart * model->threads.siblings;

    return cpu / block * apart + cpu % block % apart;
}

static double way_ns(const struct sim_model *model, unsigned a, unsigned b)
{
    unsigned cores = model->threads.cluster / model->threads.siblings;
    unsigned one = core_of(model, a), other = core_of(model, b);

    if (one == other)
        return model->threads.sibling_ns;
    if (one / cores == other / cores)
        return model->threads.cluster_ns;
    return model->threads.far_ns;
}

/* The line goes around: on average the way between the first and the last member. */
double sonde_measure_simulation_team_ns(const struct sim_model *model,
                                        const struct point *point)
{
    const struct team *team = point->team;
    double ways = ways_of(point->kernel->name), ns;

    if (!team || team->members < 2 || isnan(ways))
        return 0;
    if ((double)point->spacing >= model->threads.granule_bytes)
        return 0;
    ns = ways * way_ns(model, team->cpus[0], team->cpus[team->members - 1]);
    if (strcmp(point->kernel->name, "futex_handoff") == 0)
        ns += 2 * wake_ns;
    return ns * (double)(team->members - 1);
}

double sonde_measure_simulation_team_crowd(const struct sim_model *model,
                                           const struct point *point)
{
    const struct team *team = point->team;

    for (size_t i = 0; team && i < team->members; i++)
        for (size_t k = i + 1; k < team->members; k++)
            if (core_of(model, team->cpus[i]) == core_of(model, team->cpus[k]))
                return 2;
    return 1;
}

double sonde_measure_simulation_team_start(const struct sim_model *model,
                                           const struct team *team, uint64_t *crew)
{
    /* By what it is and not where: memory is used again. FNV-1a. */
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; team && i < team->members; i++)
        hash = (hash ^ team->cpus[i]) * UINT64_C(0x100000001b3);
    if (!team || hash == *crew)
        return 0;
    *crew = hash;
    return model->threads.start_ns * (double)team->members;
}

void sonde_measure_simulation_team_place(const struct sim_model *model,
                                         const struct team *team,
                                         struct random_source *random,
                                         struct reading *reading)
{
    reading->overlap = NAN;
    reading->in_place = true;
    if (!team)
        return;
    reading->overlap = team->members > 1 ? model->threads.together : 1;
    /* Drawn only where it decides: one more would change all that follows. */
    if (model->threads.in_place < 1)
        reading->in_place = sonde_base_random_unit(random) < model->threads.in_place;
}
