/* The counters of a planted machine.
 *
 * A core counts so many events at once as its model says; more are taken in turn, group
 * by group, as on hardware. Misses are those that the ring's cost was computed from, so
 * what comes back can be held against the plant. What it cannot show: counters that count
 * something else than their name says. */
#include "measure/simulation_count.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double cycles_of(const struct sim_count *count, const struct sim_model *model,
                        const struct point *point, double steps, double cycles)
{
    (void)count, (void)model, (void)point, (void)steps;
    return cycles;
}

static double instructions_of(const struct sim_count *count,
                              const struct sim_model *model, const struct point *point,
                              double steps, double cycles)
{
    (void)count, (void)model, (void)cycles;
    if (!point->kernel->instructions)
        return NAN;
    return steps * point->kernel->instructions / point->kernel->unroll;
}

static double l1_misses_of(const struct sim_count *count, const struct sim_model *model,
                           const struct point *point, double steps, double cycles)
{
    (void)model, (void)point, (void)cycles;
    return count->ring ? steps * count->miss[0] : NAN;
}

static double llc_misses_of(const struct sim_count *count, const struct sim_model *model,
                            const struct point *point, double steps, double cycles)
{
    double reach = 1;

    (void)point, (void)cycles;
    for (size_t i = 0; i < model->level_count; i++)
        reach = fmin(reach, count->miss[i]);
    return count->ring ? steps * reach : NAN;
}

static const struct planted {
    const char *name;
    double (*count)(const struct sim_count *count, const struct sim_model *model,
                    const struct point *point, double steps, double cycles);
} planted[] = {
    {"cycles", cycles_of},
    {"instructions", instructions_of},
    {"l1-misses", l1_misses_of},
    {"llc-misses", llc_misses_of},
};

static const struct planted *find(const char *name)
{
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++)
        if (strcmp(planted[i].name, name) == 0)
            return &planted[i];
    return NULL;
}

int sonde_measure_simulation_count_open(struct sim_count *count,
                                        const struct sim_model *model,
                                        const struct counter_list *list,
                                        struct message *why)
{
    char missing[120] = "";
    size_t known = 0;

    count->list = NULL;
    if (model->counters < 1)
        return sonde_base_fail(why, -ENOENT,
                               "the planted machine has no hardware counters");
    for (size_t i = 0; i < list->count; i++) {
        size_t used = strlen(missing);

        if (find(list->events[i].name))
            known++;
        else
            snprintf(missing + used, sizeof missing - used, "%s%s", used ? ", " : "",
                     list->events[i].name);
    }
    if (missing[0])
        sonde_base_fail(why, 0, "%s: not planted", missing);
    if (!known)
        return -ENOENT;
    count->list = list;
    count->at_once = (size_t)model->counters;
    count->phase = 0;
    return 0;
}

void sonde_measure_simulation_count_sample(struct sim_count *count,
                                           const struct sim_model *model,
                                           const struct point *point, uint64_t steps,
                                           double ns, double hz, struct reading *reading)
{
    size_t place = 0, groups, turn;

    reading->counted = count->list != NULL;
    if (!reading->counted)
        return;
    groups = (count->list->count + count->at_once - 1) / count->at_once;
    turn = sonde_machine_counters_turn(&count->phase, groups);
    for (size_t i = 0; i < COUNTERS_MAX; i++)
        reading->counts[i] = NAN;
    for (size_t i = 0; i < count->list->count; i++, place++) {
        const struct planted *row = find(count->list->events[i].name);

        if (row && place / count->at_once == turn)
            reading->counts[i] =
                row->count(count, model, point, (double)steps, ns * 1e-9 * hz);
    }
}
