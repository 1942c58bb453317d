/* Plans: arrays of series and points that grow.
 *
 * Nothing here knows what a point means; probes fill them, the harness reads them. What
 * can fool a caller: the pointer to a point is good until the next append only. */
#include "measure/plan.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

enum { FIRST_SERIES = 8, FIRST_POINTS = 64, FIRST_TEAMS = 8 };

void sonde_measure_plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->team_count; i++)
        free(plan->teams[i]);
    free(plan->teams);
    free(plan->series);
    free(plan->points);
    *plan = (struct plan){0};
}

/* Makes room for one more of `size` bytes in `*rows`; false: out of memory. */
static bool make_room(void **rows, size_t count, size_t *capacity, size_t first,
                      size_t size)
{
    size_t wanted = *capacity ? 2 * *capacity : first;
    void *grown;

    if (count < *capacity)
        return true;
    if (wanted > SIZE_MAX / size)
        return false;
    grown = realloc(*rows, wanted * size);
    if (!grown)
        return false;
    *rows = grown;
    *capacity = wanted;
    return true;
}

int sonde_measure_plan_series(struct plan *plan, const struct series_plan *series)
{
    void *rows = plan->series;

    if (plan->series_count >= INT_MAX ||
        !make_room(&rows, plan->series_count, &plan->series_capacity, FIRST_SERIES,
                   sizeof *plan->series))
        return -ENOMEM;
    plan->series = rows;
    plan->series[plan->series_count] = *series;
    return (int)plan->series_count++;
}

int sonde_measure_plan_all_series(struct plan *plan, const struct series_plan *series,
                                  size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sonde_measure_plan_series(plan, &series[i]) < 0)
            return -ENOMEM;
    return 0;
}

struct point *sonde_measure_plan_point(struct plan *plan, unsigned series,
                                       const struct kernel *kernel)
{
    void *rows = plan->points;
    struct point *point;

    if (!make_room(&rows, plan->count, &plan->capacity, FIRST_POINTS,
                   sizeof *plan->points))
        return NULL;
    plan->points = rows;
    point = &plan->points[plan->count++];
    *point = (struct point){.kernel = kernel, .series = series, .operations = 1};
    return point;
}

uint64_t sonde_measure_plan_footprint(const struct plan *plan)
{
    uint64_t largest = 0;

    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].layout.kind != LAYOUT_NONE &&
            plan->points[i].layout.bytes > largest)
            largest = plan->points[i].layout.bytes;
    return largest;
}

const struct team *sonde_measure_plan_team(struct plan *plan, const struct cpulist *cpus)
{
    size_t members = sonde_base_cpulist_count(cpus);
    void *rows = plan->teams;
    struct team *team;
    int cpu = -1;

    if (!members || !make_room(&rows, plan->team_count, &plan->team_capacity, FIRST_TEAMS,
                               sizeof(struct team *)))
        return NULL;
    plan->teams = rows;
    team = malloc(sizeof *team + members * sizeof team->cpus[0]);
    if (!team)
        return NULL;
    team->members = members;
    for (size_t i = 0; i < members; i++) {
        cpu = sonde_base_cpulist_next(cpus, (unsigned)(cpu + 1));
        team->cpus[i] = (unsigned)cpu;
    }
    plan->teams[plan->team_count++] = team;
    return team;
}
