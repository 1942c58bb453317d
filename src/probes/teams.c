/* What the probes with threads share: who is in a team, where it works, and why a point
 * of one has no figures.
 *
 * The CPUs of a team are spread over the allowed ones, so that two members are siblings
 * only where nothing else is left. What can fool it: numbering differs between machines,
 * and the first and the last CPU may still be siblings; the probe of the ways between
 * CPUs tells which are. */
#include "probes/teams.h"

#include "infer/figures.h"

#include <errno.h>
#include <math.h>

int sonde_probe_need_two(const struct probe_context *context, struct message *why)
{
    size_t allowed = sonde_base_cpulist_count(&context->machine->allowed);

    if (allowed < 2)
        return sonde_base_fail(why, -ENOTSUP, "needs two CPUs; %zu allowed", allowed);
    return 0;
}

size_t sonde_probe_team_most(const struct probe_context *context)
{
    size_t allowed = sonde_base_cpulist_count(&context->machine->allowed);

    return allowed < SONDE_TEAM_MAX ? allowed : SONDE_TEAM_MAX;
}

const struct team *sonde_probe_team(const struct probe_context *context,
                                    struct plan *plan, size_t members)
{
    const struct cpulist *allowed = &context->machine->allowed;
    size_t count = sonde_base_cpulist_count(allowed), place = 0, taken = 0;
    struct cpulist cpus = {0};
    const struct team *team = NULL;
    int error = 0;

    for (int cpu = sonde_base_cpulist_next(allowed, 0); cpu >= 0 && !error;
         cpu = sonde_base_cpulist_next(allowed, (unsigned)cpu + 1), place++) {
        size_t wanted = members > 1 ? taken * (count - 1) / (members - 1) : 0;

        if (taken < members && place == wanted) {
            error = sonde_base_cpulist_add(&cpus, (unsigned)cpu);
            taken++;
        }
    }
    if (!error)
        team = sonde_measure_plan_team(plan, &cpus);
    sonde_base_cpulist_free(&cpus);
    return team;
}

struct point *sonde_probe_team_point(struct plan *plan, unsigned series,
                                     const char *kernel, const struct team *team,
                                     uint64_t spacing)
{
    struct point *point =
        team ? sonde_measure_plan_point(plan, series, sonde_kernel_find(kernel)) : NULL;

    if (!point)
        return NULL;
    point->team = team;
    point->spacing = spacing;
    point->layout = (struct layout){
        .kind = LAYOUT_BLOCK,
        .bytes = 4096 + spacing * (team->members - 1),
        .align = 4096,
        .zero = true,
    };
    return point;
}

static const struct series_point *find(const struct series *series, double first,
                                       double second)
{
    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (point->at[0] == first && (series->axis_count < 2 || point->at[1] == second))
            return point;
    }
    return NULL;
}

const struct series_point *sonde_probe_team_at(const struct series *series, double first,
                                               double second)
{
    const struct series_point *point = find(series, first, second);

    return point && point->n && point->best > 0 ? point : NULL;
}

const char *sonde_probe_team_why(const struct series *series, double first, double second)
{
    return sonde_infer_why_no_figures(find(series, first, second));
}
