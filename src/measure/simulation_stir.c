/* A piece passes through the caches between two cycles of a ring.
 *
 *   own loss      levels that lie above the one that holds the stretch see the piece go
 *                 by: with LRU nothing is lost while ring and piece fit together, all of
 *                 it otherwise; with random replacement each line that comes in hits one
 *                 of the ring with the chance of its share of the level
 *   taken along   an inclusive level that cannot hold the stretch replaces a line for
 *                 each that comes in, and takes it from the levels above
 *
 * What can fool a reader: the ring is taken to be served by one level, and what it lost
 * by the next one; sets do not matter. */
#include "measure/simulation_stir.h"

#include <math.h>

static double room_bytes(const struct sim_model *model, size_t level)
{
    return model->levels[level].room * (double)model->levels[level].sets *
           (double)model->line_bytes;
}

/* The smallest level that holds so much; the number of levels: memory. */
static size_t holder(const struct sim_model *model, double bytes)
{
    size_t level = 0;

    while (level < model->level_count && room_bytes(model, level) < bytes)
        level++;
    return level;
}

static struct sim_cost cost_at(const struct sim_model *model, size_t level)
{
    if (level < model->level_count)
        return (struct sim_cost){model->levels[level].latency_cycles, 0};
    return (struct sim_cost){0, model->memory.latency_ns};
}

/* Share of the ring that level `i` lost to the piece itself. */
static double own_loss(const struct sim_model *model, size_t i, double ring, double piece)
{
    double room = room_bytes(model, i);

    if (!model->levels[i].random)
        return ring + piece > room ? 1 : 0;
    return 1 - exp(-piece / room);
}

static double taken_along(const struct sim_model *model, const struct stir *stir,
                          size_t from)
{
    double kept = 1;

    for (size_t i = from + 1; i < model->level_count; i++)
        if (model->levels[i].inclusive && (double)stir->bytes > room_bytes(model, i))
            kept *= 1 - fmin(1, (double)stir->piece / room_bytes(model, i));
    return 1 - kept;
}

static struct sim_cost mix(struct sim_cost cost, double share, struct sim_cost with)
{
    return (struct sim_cost){cost.cycles + share * (with.cycles - cost.cycles),
                             cost.ns + share * (with.ns - cost.ns)};
}

struct sim_cost sonde_measure_simulation_stirred(const struct sim_model *model,
                                                 const struct point *point,
                                                 struct sim_cost step)
{
    double ring = (double)(point->layout.nodes * point->layout.pitch);
    double piece = (double)point->stir.piece;
    size_t at = holder(model, ring), far = holder(model, (double)point->stir.bytes);

    if (!point->stir.kernel)
        return step;
    for (; at < far && at < model->level_count; at++) {
        double lost = own_loss(model, at, ring, piece);

        if (lost < 1)
            return mix(mix(step, lost, cost_at(model, at + 1)),
                       taken_along(model, &point->stir, at), cost_at(model, far));
        step = cost_at(model, at + 1);
    }
    return step;
}

double sonde_measure_simulation_stir_ns(const struct sim_model *model,
                                        const struct point *point)
{
    const struct stir *stir = &point->stir;
    size_t far = holder(model, (double)stir->bytes);
    double rate = model->bandwidth.memory_rate;

    if (!stir->kernel)
        return 0;
    if (far < model->level_count)
        rate = model->bandwidth.cache_bytes_per_cycle * model->core_hz;
    return (double)stir->piece / rate * 1e9;
}
