/* What stores and the loads after them cost on a planted machine.
 *
 *   a load inside the store     latency_cycles
 *   a load that overlaps it     failure_cycles
 *   a load beside it            the first level, and nothing waits for the store
 *   one address, one register   renamed_cycles
 *   4 KiB apart                 the first level and alias_cycles
 *   a load across a line, page  the first level and split_cycles, page_split_cycles
 *
 * Steps have an add of one cycle beside them, as on hardware. */
#include "measure/simulation_forward.h"

#include "kernels/forward.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double add_cycles = 1, alias_bytes = 4096, load_bytes = 8;

static double pair(const struct sim_model *model, double stored, double loaded,
                   double offset)
{
    if (offset >= stored || offset + loaded <= 0)
        return add_cycles + model->levels[0].latency_cycles;
    if (offset < 0 || offset + loaded > stored)
        return add_cycles + model->forward.failure_cycles;
    return add_cycles + model->forward.latency_cycles;
}

static double apart(const struct sim_model *model, double distance)
{
    bool alias = distance > 0 && fmod(distance, alias_bytes) == 0;

    return model->levels[0].latency_cycles + (alias ? model->forward.alias_cycles : 0);
}

static double load(const struct sim_model *model, double at)
{
    double page = (double)model->page_bytes, line = (double)model->line_bytes;
    double cycles = model->levels[0].latency_cycles;

    if (fmod(at, page) > page - load_bytes)
        return cycles + model->forward.page_split_cycles;
    return fmod(at, line) > line - load_bytes ? cycles + model->forward.split_cycles
                                              : cycles;
}

double sonde_measure_simulation_forward(const struct sim_model *model,
                                        const struct point *point)
{
    double store_at = (double)(point->argument & UINT32_MAX);
    double load_at = (double)(point->argument >> FORWARD_LOAD_SHIFT);
    const char *name = point->kernel->name;
    unsigned stored, loaded;

    if (sscanf(name, "forward_%u_%u", &stored, &loaded) == 2)
        return pair(model, stored, loaded, load_at - store_at);
    if (strcmp(name, "forward_same") == 0)
        return add_cycles + model->forward.renamed_cycles;
    if (strcmp(name, "forward_apart") == 0)
        return apart(model, load_at - store_at);
    return strcmp(name, "load_at") == 0 ? load(model, load_at) : NAN;
}
