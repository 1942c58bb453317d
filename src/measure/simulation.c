/* The meter of a planted machine.
 *
 *   MODEL.json ─► simulation_model (what is planted) ─► simulation_cache (what a ring
 * costs) │ placement, sample  ◄── simulation_time (clock, noise, neighbour)
 *
 * Nothing is mapped and no kernel runs: a placement is an address and a mean cost, a
 * sample is that cost, disturbed, seen through the timer, between two pulses of the core
 * clock as on hardware. All randomness comes from the caller's seed, and time moves only
 * by what things are said to take, so a run is the same to the last bit.
 *
 * What can fool it: batches shorter than a cycle cost the mean of the cycle, so the
 * spread between parts of a ring is missing. */
#include "base/random.h"
#include "measure/meter.h"
#include "measure/ring.h"
#include "measure/simulation_arith.h"
#include "measure/simulation_branch.h"
#include "measure/simulation_cache.h"
#include "measure/simulation_count.h"
#include "measure/simulation_forward.h"
#include "measure/simulation_model.h"
#include "measure/simulation_stir.h"
#include "measure/simulation_stream.h"
#include "measure/simulation_stride.h"
#include "measure/simulation_system.h"
#include "measure/simulation_team.h"
#include "measure/simulation_time.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The pulse of the hardware meter: so many dependent and so many independent adds. */
static const double pulse_adds = 16000, pulse_wide = 16000;
/* A call, its arguments and its loop's end. */
static const double call_cycles = 20;
/* Linking and proving a ring waits for no load: so many are in flight at once. */
static const double loads_in_flight = 8, link_ns = 2;
/* Where memory starts, and the room around a ring in which its base is drawn, are those
 * of the hardware meter's arena. */
static const uint64_t arena_base = UINT64_C(1) << 40, arena_slack = 16 << 20;

struct simulation {
    struct sim_model model;
    struct sim_time time;
    struct sim_sets sets;
    struct sim_cost step; /* of the latest placement */
    struct sim_stride stride;
    struct sim_count count;
    uint64_t reserved[PAGES_HUGE + 1];
    uint64_t crew; /* the last team, see simulation_team.h */
};

/* --- kernels
 * ----------------------------------------------------------------------------- */

enum cost_kind {
    COST_CHASE,
    COST_ADD,
    COST_MULTIPLY,
    COST_WIDE,
    COST_FIXED,
    COST_TEAM,
    COST_ARITHMETIC,
    COST_FORWARD,
    COST_SYSTEM,
    COST_BRANCH,
    COST_STRIDE,
    COST_STREAM
};

/* Cycles per step of what is not a chase: from the chains of the model, or fixed (one
 * store or one dependent add a cycle; nothing for a loop that the compiler deleted). */
static const struct kernel_row {
    const char *name;
    enum cost_kind kind;
    double cycles;
} kernel_rows[] = {
    {"chase", COST_CHASE, 0},        {"add_chain", COST_ADD, 0},
    {"mul_chain", COST_MULTIPLY, 0}, {"add_wide", COST_WIDE, 0},
    {"touch", COST_FIXED, 1},        {"put", COST_FIXED, 1},
    {"sum_kept", COST_FIXED, 1},     {"sum_discarded", COST_FIXED, 0},
};

static const struct kernel_row threads = {"threads", COST_TEAM, 1};
static const struct kernel_row arithmetic = {"arithmetic", COST_ARITHMETIC, 0};
static const struct kernel_row streams = {"streams", COST_STREAM, 0};
static const struct kernel_row forward = {"forward", COST_FORWARD, 0};
static const struct kernel_row calls = {"calls", COST_SYSTEM, 0};
static const struct kernel_row branches = {"branches", COST_BRANCH, 0};
static const struct kernel_row strides = {"strides", COST_STRIDE, 0};

static const struct kernel_row *find_row(const struct simulation *simulation,
                                         const struct point *point)
{
    const char *name = point->kernel->name;

    for (size_t i = 0; i < sizeof kernel_rows / sizeof kernel_rows[0]; i++)
        if (strcmp(kernel_rows[i].name, name) == 0)
            return &kernel_rows[i];
    if (sonde_measure_simulation_is_stream(point->kernel))
        return &streams;
    if (strncmp(name, "chase_x", strlen("chase_x")) == 0)
        return &kernel_rows[0]; /* several of them at once */
    if (sonde_measure_simulation_is_team(point->kernel->name))
        return &threads;
    if (sonde_measure_simulation_is_stride(point->kernel->name))
        return &strides;
    if (isfinite(sonde_measure_simulation_arith(&simulation->model, point, 1)))
        return &arithmetic;
    if (isfinite(sonde_measure_simulation_forward(&simulation->model, point)))
        return &forward;
    if (isfinite(sonde_measure_simulation_system(&simulation->model, point)))
        return &calls;
    if (isfinite(sonde_measure_simulation_branch(&simulation->model, point, 1)))
        return &branches;
    return NULL;
}

/* Memory of a node so many nodes away takes longer and carries less. */
static struct sim_cost from_node(const struct sim_model *model, const struct point *point,
                                 struct sim_cost cost)
{
    unsigned cpu = point->team ? point->team->cpus[0] : 0;
    double from = floor(cpu / model->nodes.cpus), hops;

    if (!point->layout.node)
        return cost;
    hops = fabs(from - (double)(point->layout.node - 1));
    cost.ns *= point->layout.kind == LAYOUT_RING
                   ? 1 + hops * model->nodes.far_ns / model->memory.latency_ns
                   : pow(model->nodes.far_rate, -hops);
    return cost;
}

static struct sim_cost cost_of(const struct simulation *simulation,
                               const struct kernel_row *row, const struct point *point)
{
    const struct sim_model *model = &simulation->model;
    double slowdown = sonde_measure_simulation_slowdown(&simulation->time);
    double walks = fmax(1, (double)point->layout.cursors);

    switch (row->kind) {
    case COST_CHASE:
        if (point->load.turns[0].kernel)
            return sonde_measure_simulation_loaded(model, point, simulation->step);
        if (point->stir.kernel)
            return sonde_measure_simulation_stirred(model, point, simulation->step);
        return from_node(model, point,
                         (struct sim_cost){walks * simulation->step.cycles,
                                           walks * simulation->step.ns});
    case COST_ADD:
        return (struct sim_cost){model->chains.add_cycles, 0};
    case COST_MULTIPLY:
        return (struct sim_cost){model->chains.multiply_cycles, 0};
    case COST_WIDE:
        slowdown *= sonde_measure_simulation_team_crowd(model, point);
        return (struct sim_cost){slowdown / sonde_measure_simulation_width(model), 0};
    case COST_TEAM:
        return (struct sim_cost){slowdown * row->cycles,
                                 sonde_measure_simulation_team_ns(model, point)};
    case COST_FIXED:
        return (struct sim_cost){slowdown * row->cycles, 0};
    case COST_ARITHMETIC:
        return (struct sim_cost){sonde_measure_simulation_arith(model, point, slowdown),
                                 0};
    case COST_STREAM:
        return from_node(model, point,
                         sonde_measure_simulation_stream(model, point, slowdown));
    case COST_FORWARD:
        return (struct sim_cost){sonde_measure_simulation_forward(model, point), 0};
    case COST_SYSTEM:
        return (struct sim_cost){0, sonde_measure_simulation_system(model, point)};
    case COST_BRANCH:
        return (struct sim_cost){sonde_measure_simulation_branch(model, point, slowdown),
                                 0};
    case COST_STRIDE:
        return sonde_measure_simulation_stride_cost(
            &simulation->stride, slowdown,
            sonde_measure_simulation_hz(&simulation->time));
    }
    return (struct sim_cost){NAN, NAN};
}

/* --- placing
 * ----------------------------------------------------------------------------- */

static uint64_t draw_base(const struct simulation *simulation,
                          const struct layout *layout, struct random_source *random)
{
    uint64_t align = layout->align ? layout->align : simulation->model.page_bytes;
    uint64_t slack = layout->bytes < arena_slack ? layout->bytes : arena_slack;
    uint64_t held = simulation->reserved[layout->pages] + slack;

    if (held < layout->bytes)
        held = layout->bytes + slack; /* placed without a reservation */
    return arena_base +
           sonde_base_random_below(random, (held - layout->bytes) / align + 1) * align;
}

static int check_point(const struct simulation *simulation, const struct point *point,
                       struct message *why)
{
    const struct layout *layout = &point->layout;
    const struct kernel_row *row = find_row(simulation, point);

    if (!row)
        return sonde_base_fail(why, -ENOTSUP,
                               "the simulated machine has no cost for kernel %s; measure "
                               "it on hardware",
                               point->kernel->name);
    if ((layout->kind == LAYOUT_RING) != (row->kind == COST_CHASE) ||
        (layout->kind == LAYOUT_RING && !sonde_measure_ring_valid(layout)))
        return sonde_base_fail(why, -EINVAL, "kernel %s does not suit its layout",
                               point->kernel->name);
    if (layout->kind != LAYOUT_NONE &&
        (double)layout->bytes > simulation->model.memory.bytes)
        return sonde_base_fail(why, -ENOMEM, "%llu bytes are more than was granted",
                               (unsigned long long)layout->bytes);
    return 0;
}

static double step_ns(const struct simulation *simulation, const struct sim_cost *step)
{
    return step->cycles / sonde_measure_simulation_hz(&simulation->time) * 1e9 + step->ns;
}

static int simulation_place(void *self, const struct point *point, uint64_t seed,
                            struct placement *placement, struct message *why)
{
    struct simulation *simulation = self;
    const struct layout *layout = &point->layout;
    struct random_source random;
    int error = check_point(simulation, point, why);

    if (error)
        return error;
    *placement = (struct placement){.bytes = layout->bytes};
    simulation->step = (struct sim_cost){0, 0};
    simulation->count.ring = layout->kind == LAYOUT_RING;
    /* Memory that stays where it is keeps its frames. */
    sonde_base_random_seed(&random, layout->fixed ? 1 : seed);
    if (layout->kind == LAYOUT_RING) {
        uint64_t base =
            layout->fixed ? arena_base : draw_base(simulation, layout, &random);
        uint64_t frames = sonde_base_random_next(&random);

        simulation->step = sonde_measure_simulation_chase(
            &simulation->model, &simulation->sets, layout, base, frames);
        if (simulation->count.list)
            sonde_measure_simulation_misses(&simulation->model, &simulation->sets, layout,
                                            base, frames, simulation->count.miss);
        simulation->time.now_ns +=
            2 * (double)sonde_measure_ring_steps(layout) *
            (link_ns + step_ns(simulation, &simulation->step) / loads_in_flight);
    } else if (sonde_measure_simulation_is_stride(point->kernel->name)) {
        uint64_t base = draw_base(simulation, layout, &random);

        simulation->stride =
            sonde_measure_simulation_stride(&simulation->model, &simulation->sets, point,
                                            base, sonde_base_random_next(&random));
    } else if (layout->kind == LAYOUT_BLOCK && layout->content != CONTENT_UNIFORM) {
        simulation->time.now_ns += (double)layout->bytes / 8 * link_ns;
    }
    return 0;
}

static int simulation_reserve(void *self, enum page_kind pages, uint64_t bytes,
                              uint64_t *granted)
{
    struct simulation *simulation = self;
    double room = simulation->model.memory.bytes;

    if ((double)bytes > room)
        bytes = (uint64_t)room;
    simulation->reserved[pages] = bytes;
    /* Touching takes a fault per page, of the kind that is granted. */
    simulation->time.now_ns +=
        (double)bytes /
        (double)(pages == PAGES_HUGE ? simulation->model.huge_bytes
                                     : simulation->model.page_bytes) *
        simulation->model.page_fault_ns;
    *granted = bytes;
    return 0;
}

static int simulation_reserve_on(void *self, unsigned node, uint64_t bytes,
                                 uint64_t *granted)
{
    struct simulation *simulation = self;

    if (bytes && node > simulation->model.nodes.count)
        return -ENOMEM;
    *granted = bytes;
    simulation->time.now_ns += (double)bytes / (double)simulation->model.huge_bytes *
                               simulation->model.page_fault_ns;
    return 0;
}

static int simulation_backing(void *self, enum page_kind pages,
                              struct page_backing *backing)
{
    const struct simulation *simulation = self;
    double bytes = (double)simulation->reserved[pages];

    if (!(bytes > 0))
        return -ENODATA;
    *backing = (struct page_backing){
        .mapped_bytes = bytes,
        .resident_bytes = bytes,
        .huge_bytes = pages == PAGES_HUGE ? bytes : 0,
    };
    return 0;
}

/* --- sampling
 * ---------------------------------------------------------------------------- */

struct pulse_reading {
    double hz, share;
};

static struct pulse_reading take_pulse(struct simulation *simulation)
{
    struct sim_time *time = &simulation->time;
    double cycle_ns = 1e9 / sonde_measure_simulation_hz(time);
    double wide_cycles = sonde_measure_simulation_slowdown(time) /
                         sonde_measure_simulation_width(&simulation->model);
    double add_ns = sonde_measure_simulation_time_quietly(
        time, pulse_adds * simulation->model.chains.add_cycles * cycle_ns);
    double wide_ns =
        sonde_measure_simulation_time_quietly(time, pulse_wide * wide_cycles * cycle_ns);
    struct pulse_reading pulse = {NAN, NAN};

    if (add_ns > 0)
        pulse.hz = pulse_adds * 1e9 / add_ns;
    if (add_ns > 0 && wide_ns > 0)
        pulse.share = (add_ns / pulse_adds) / (wide_ns / pulse_wide);
    return pulse;
}

/* An interruption in both chains around a sample: its clock seems a sixth of what it is.
 */
static void disturb_pulses(struct simulation *simulation, struct pulse_reading *before,
                           struct pulse_reading *after)
{
    double faults = simulation->model.noise.pulse_faults;

    if (!(faults > 0) || sonde_base_random_unit(&simulation->time.random) >= faults)
        return;
    before->hz /= 6;
    after->hz /= 6;
}

/* Pages that a cold layout touches for the first time in `steps` steps. */
static double first_touches(const struct simulation *simulation,
                            const struct point *point, uint64_t steps)
{
    const struct layout *layout = &point->layout;
    double page = (double)simulation->model.page_bytes, stride = 8, bytes;

    if ((!layout->cold && layout->source == SOURCE_ARENA) || layout->kind == LAYOUT_NONE)
        return 0;
    if (layout->kind == LAYOUT_RING)
        stride = (double)layout->pitch;
    else if (point->argument)
        stride = (double)point->argument;
    bytes = fmin((double)layout->bytes, (double)steps * stride);
    return stride >= page ? fmin((double)steps, (double)layout->bytes / stride)
                          : ceil(bytes / page);
}

/* What the first touch of a page takes: never used before, used and given back, huge. */
static double fault_ns(const struct simulation *simulation, const struct layout *layout)
{
    if (layout->pages == PAGES_HUGE)
        return simulation->model.huge_fault_ns;
    return layout->source == SOURCE_ARENA ? simulation->model.recycled_fault_ns
                                          : simulation->model.page_fault_ns;
}

/* A block that goes on ends where it ends. */
static bool beyond(const struct point *point, struct placement *placement)
{
    return point->layout.advance &&
           ++placement->position * point->argument > point->layout.bytes;
}

static int simulation_sample(void *self, const struct point *point,
                             struct placement *placement, uint64_t steps,
                             struct reading *reading)
{
    struct simulation *simulation = self;
    const struct kernel_row *row = find_row(simulation, point);
    struct pulse_reading before, after;
    struct sim_cost step;
    double ns;

    if (!row)
        return -ENOTSUP;
    simulation->time.now_ns += sonde_measure_simulation_team_start(
        &simulation->model, point->team, &simulation->crew);
    simulation->time.now_ns +=
        sonde_measure_simulation_stir_ns(&simulation->model, point);
    before = take_pulse(simulation);
    step = cost_of(simulation, row, point);
    ns = (double)steps * step_ns(simulation, &step) +
         step_ns(simulation, &(struct sim_cost){call_cycles, 0}) +
         first_touches(simulation, point, steps) * fault_ns(simulation, &point->layout);
    reading->ns =
        sonde_measure_simulation_time_work(&simulation->time, ns, &reading->switched);
    if (beyond(point, placement))
        reading->ns = 0;
    after = take_pulse(simulation);
    disturb_pulses(simulation, &before, &after);
    reading->hz_before = before.hz;
    reading->hz_after = after.hz;
    reading->share_before = before.share;
    reading->share_after = after.share;
    reading->correct = true;
    reading->sleeps = NAN;
    reading->faults = first_touches(simulation, point, steps);
    sonde_measure_simulation_count_sample(
        &simulation->count, &simulation->model, point, steps, ns,
        sonde_measure_simulation_hz(&simulation->time), reading);
    sonde_measure_simulation_team_place(&simulation->model, point->team,
                                        &simulation->time.random, reading);
    reading->load = sonde_measure_simulation_load(&simulation->model, point);
    reading->fastest_ns = reading->slowest_ns = reading->together_ns = reading->ns;
    if (point->layout.kind == LAYOUT_RING)
        placement->position =
            (placement->position + steps) % sonde_measure_ring_steps(&point->layout);
    return 0;
}

/* --- the rest of a meter
 * ------------------------------------------------------------------- */

static int simulation_weigh(void *self, double seconds, struct scales *scales)
{
    struct simulation *simulation = self;

    sonde_measure_simulation_weigh(&simulation->time, seconds, scales);
    return 0;
}

static int simulation_recheck(void *self, struct scales *scales)
{
    struct simulation *simulation = self;

    simulation->time.now_ns += 20e6; /* what the hardware meter takes */
    scales->tick_drift_ppm = simulation->model.tick_drift_ppm;
    return 0;
}

static int simulation_count(void *self, const struct counter_list *list,
                            struct message *why)
{
    struct simulation *simulation = self;

    return sonde_measure_simulation_count_open(&simulation->count, &simulation->model,
                                               list, why);
}

static double simulation_elapsed(void *self)
{
    const struct simulation *simulation = self;

    return simulation->time.now_ns * 1e-9;
}

static void simulation_close(void *self)
{
    struct simulation *simulation = self;

    sonde_measure_simulation_sets_close(&simulation->sets);
    sonde_measure_simulation_free(&simulation->model);
    free(simulation);
}

static const struct meter_ops simulation_ops = {
    .name = "simulated",
    .weigh = simulation_weigh,
    .recheck = simulation_recheck,
    .reserve = simulation_reserve,
    .reserve_on = simulation_reserve_on,
    .backing = simulation_backing,
    .place = simulation_place,
    .sample = simulation_sample,
    .count = simulation_count,
    .elapsed = simulation_elapsed,
    .close = simulation_close,
};

int sonde_measure_simulation_open(struct meter *meter, struct machine *machine,
                                  struct facts *facts, const char *path, unsigned kind,
                                  uint64_t seed, struct message *why)
{
    struct simulation *simulation = calloc(1, sizeof *simulation);
    int error;

    if (!simulation)
        return sonde_base_fail(why, -ENOMEM, "out of memory");
    error = sonde_measure_simulation_read(path, kind, &simulation->model, machine, facts,
                                          why);
    if (error) {
        free(simulation);
        return error;
    }
    error = sonde_measure_simulation_sets_open(&simulation->model, &simulation->sets);
    if (error) {
        sonde_machine_close(machine);
        sonde_machine_facts_free(facts);
        simulation_close(simulation);
        return sonde_base_fail(why, error, "%s: out of memory for the caches", path);
    }
    sonde_measure_simulation_time_open(&simulation->time, &simulation->model, seed);
    meter->ops = &simulation_ops;
    meter->self = simulation;
    return 0;
}
