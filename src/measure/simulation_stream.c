/* Streams through the memory of a planted machine.
 *
 *   first level   what the ports take, in pieces of the widest vector
 *   next levels   cache_bytes_per_cycle, halved from level to level
 *   memory        memory_rate, or a member's share of memory_rate_all
 *
 * Beyond the first level a write brings its line in before it sends it out; past the
 * caches it does not, and goes to memory wherever the array would fit. `miscount` plants
 * streams that do so many times less than they say; accesses at places that stay are
 * counted apart, and right.
 *
 * Loads go as fast as their pauses and memory let them; a chase beside them waits in a
 * queue: its latency grows by u^2 / (1 - u) / 2 of itself, u the part of memory in use.
 * What can fool it: members of a team share nothing but memory here. */
#include "measure/simulation_stream.h"

#include <math.h>
#include <string.h>

static const char *const operations[] = {"read_",     "write_",      "copy_",
                                         "triad_",    "nt_write_",   "nt_copy_",
                                         "nt_triad_", "ports_load_", "ports_store_"};

bool sonde_measure_simulation_is_stream(const struct kernel *kernel)
{
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        size_t length = strlen(operations[i]);
        const char *rest = kernel->name + length;

        if (strncmp(kernel->name, operations[i], length) == 0 &&
            (strcmp(rest, "c") == 0 ||
             (rest[0] == 'w' && rest[1] >= '1' && rest[1] <= '8')))
            return true;
    }
    return false;
}

struct step {
    double loads, stores, width, footprint; /* of a member */
    bool past_caches, stays; /* stays: at the same places again and again */
};

static struct step step_of(const struct point *point)
{
    const struct kernel *kernel = point->kernel;
    unsigned accesses = kernel->loads + kernel->stores;
    unsigned bytes = kernel->bytes_read + kernel->bytes_written;
    struct step step = {
        .loads = (double)kernel->loads / kernel->unroll,
        .stores = (double)kernel->stores / kernel->unroll,
        .width = (double)bytes / accesses,
        .past_caches = strncmp(kernel->name, "nt_", 3) == 0,
        .stays = strncmp(kernel->name, "ports_", 6) == 0,
    };

    step.footprint = (step.loads + step.stores) * (double)point->argument;
    if (point->layout.part)
        step.footprint = (double)point->layout.bytes;
    return step;
}

static double port_cycles(const struct sim_model *model, const struct step *step)
{
    double pieces = ceil(step->width / model->bandwidth.vector_bytes);
    double load_ports = step->width > 8 ? model->bandwidth.vector_load_ports
                                        : model->bandwidth.load_ports;

    return pieces *
           fmax(step->loads / load_ports, step->stores / model->bandwidth.store_ports);
}

struct sim_cost sonde_measure_simulation_stream(const struct sim_model *model,
                                                const struct point *point,
                                                double slowdown)
{
    struct step step = step_of(point);
    struct sim_cost cost = {slowdown * port_cycles(model, &step), 0};
    double allocated = step.past_caches || model->bandwidth.no_allocate ? 1 : 2;
    double traffic = (step.loads + allocated * step.stores) * step.width;
    double members = point->team ? (double)point->team->members : 1;
    size_t level = 0;

    while (level < model->level_count &&
           step.footprint > (double)model->levels[level].size_bytes)
        level++;
    if (level == model->level_count || step.past_caches)
        cost.ns = traffic * 1e9 /
                  fmin(model->bandwidth.memory_rate,
                       model->bandwidth.memory_rate_all / members);
    else if (level > 0)
        cost.cycles = fmax(cost.cycles, slowdown * traffic * exp2((double)level - 1) /
                                            model->bandwidth.cache_bytes_per_cycle);
    if (cost.ns > 0)
        cost.cycles = 0; /* the ports wait */
    if (!step.stays) {
        cost.cycles /= model->bandwidth.miscount;
        cost.ns /= model->bandwidth.miscount;
    }
    return cost;
}

/* Memory is never used up entirely. */
static const double use_most = 0.95;

double sonde_measure_simulation_load(const struct sim_model *model,
                                     const struct point *point)
{
    const struct load *load = &point->load;
    double bytes = 0, seconds = 0, pause_cycles, loaders;

    if (!load->turns[0].kernel || !point->team)
        return NAN;
    pause_cycles = (double)load->pause_steps * model->chains.add_cycles;
    loaders = (double)point->team->members - 1;
    for (size_t i = 0; i < 2 && load->turns[i].kernel; i++) {
        const struct kernel *kernel = load->turns[i].kernel;
        double moved = (double)(kernel->bytes_read + kernel->bytes_written) /
                       kernel->unroll * (double)load->turns[i].steps;

        bytes += moved;
        seconds += moved / model->bandwidth.memory_rate + pause_cycles / model->core_hz;
    }
    return fmin(loaders * bytes / seconds, use_most * model->bandwidth.memory_rate_all);
}

struct sim_cost sonde_measure_simulation_loaded(const struct sim_model *model,
                                                const struct point *point,
                                                struct sim_cost step)
{
    double use =
        sonde_measure_simulation_load(model, point) / model->bandwidth.memory_rate_all;

    if (!isnan(use))
        step.ns *= 1 + use * use / (1 - use) / 2;
    return step;
}
