/* Several threads on a planted machine.
 *
 * CPUs are numbered core by core, cluster by cluster: `siblings` in a row share a core,
 * `cluster` in a row a cluster. A line takes one way per handoff, and members whose words
 * lie within one granule hand its line on with every step. What can fool it: real members
 * also win several times in a row, so real contention costs less than a way per step. */
#include "measure/simulation_team.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *kernel;
    double ways; /* per step and other member, where the members meet on a line */
} kernels[] = {
    {"count_plain", 0.5}, {"count_relaxed", 1}, {"count_ordered", 1},
    {"count_swap", 1.5},  {"load_acquire", 0},  {"store_release", 1},
    {"store_fence", 1},   {"ping_pong", 2},     {"lock_mutex", 2},
    {"lock_spin", 1.5},   {"lock_read", 2},     {"futex_handoff", 2},
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

static double way_ns(const struct sim_model *model, unsigned a, unsigned b)
{
    if (a / model->threads.siblings == b / model->threads.siblings)
        return model->threads.sibling_ns;
    if (a / model->threads.cluster == b / model->threads.cluster)
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

    for (size_t i = 0; team && i + 1 < team->members; i++)
        if (team->cpus[i] / model->threads.siblings ==
            team->cpus[i + 1] / model->threads.siblings)
            return 2;
    return 1;
}
