/* The meter of the real machine.
 *
 * A placement takes a random base inside the arena (so that every round sees other
 * pages), links the ring or fills the block, and proves it: each pointer is read back in
 * visiting order and each node is met once, which also leaves the caches as a walk would.
 * A sample brackets the kernel by two pulses (core clock, share of the core) and checks
 * the kernel's answer against the prediction.
 *
 * What can fool it: memory given by the kernel but not by the host; the pages behind the
 * base are drawn anew only as far as the arena holds different ones; and the pulse itself
 * takes some 15 µs, in which the clock may move again. */
#include "measure/hardware.h"
#include "base/random.h"
#include "measure/arena.h"
#include "measure/chains.h"
#include "measure/clocks.h"
#include "measure/content.h"
#include "measure/load.h"
#include "measure/mapping.h"
#include "measure/meter.h"
#include "measure/node.h"
#include "measure/ring.h"
#include "measure/team.h"
#include "measure/timer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Room beside the largest footprint, so that even that has more than one base: a thousand
 * of them on pages of 4 KiB. */
static const size_t arena_slack = 4 << 20;

static int hardware_weigh(void *self, double seconds, struct scales *scales)
{
    struct hardware *hardware = self;
    int error;

    memset(scales, 0, sizeof *scales);
    if (!sonde_measure_clock_moves())
        return -ETIME;
    sonde_measure_clocks(seconds * 0.3, scales, &hardware->timer);
    if (!(scales->timer_step_ns > 0))
        return -ETIME;
    error = sonde_measure_core_clock(&hardware->timer, seconds * 0.3, scales);
    if (error)
        return error;
    sonde_measure_lost_time(&hardware->timer, seconds * 0.3, scales);
    sonde_measure_warp(&hardware->machine->allowed, scales);
    return 0;
}

static int hardware_recheck(void *self, struct scales *scales)
{
    struct scales again = {0};
    struct timer timer;

    (void)self;
    if (!(scales->tick_hz > 0))
        return 0;
    sonde_measure_clocks(0.02, &again, &timer);
    scales->tick_drift_ppm = fabs(again.tick_hz / scales->tick_hz - 1) * 1e6;
    return 0;
}

/* What is laid out at once: all arenas without their slack, and `more` beside them. */
static void note_footprint(struct hardware *hardware, uint64_t more)
{
    for (int i = 0; i < ARENAS; i++)
        more += hardware->wanted[i];
    hardware->footprint = fmax(hardware->footprint, (double)more);
}

static void drop_arena(struct hardware *hardware, int index)
{
    hardware->uniform[index] = false;
    hardware->tiled[index] = false;
    hardware->wanted[index] = 0;
    sonde_measure_arena_close(&hardware->arenas[index]);
}

static int arena_of(const struct layout *layout)
{
    return layout->node ? PAGE_KINDS - 1 + (int)layout->node : (int)layout->pages;
}

static int open_arena(struct hardware *hardware, int index, size_t bytes)
{
    struct arena *arena = &hardware->arenas[index];
    size_t place = (size_t)index - PAGE_KINDS;
    int node, error;

    if (index < PAGE_KINDS)
        return sonde_measure_arena_open(arena, (enum page_kind)index, bytes,
                                        hardware->machine->page_bytes);
    if (place >= hardware->machine->node_count)
        return -ENOMEM;
    node = (int)hardware->machine->nodes[place].number;
    if (sonde_measure_node_bind(node))
        return -ENOMEM;
    error =
        sonde_measure_arena_open(arena, PAGES_HUGE, bytes, hardware->machine->page_bytes);
    sonde_measure_node_bind(-1);
    if (error || sonde_measure_node_holds(node, arena->base, arena->bytes))
        return error;
    sonde_measure_arena_close(arena);
    return -ENOMEM;
}

static int reserve(struct hardware *hardware, int index, uint64_t bytes,
                   uint64_t *granted)
{
    struct arena *arena = &hardware->arenas[index];
    size_t slack = bytes < arena_slack ? (size_t)bytes : arena_slack;
    double room = hardware->memory_bytes;
    int error = 0;

    hardware->lasting = NULL; /* of another plan */
    if (!bytes) {
        drop_arena(hardware, index);
        *granted = 0;
        return 0;
    }
    for (int i = 0; i < ARENAS; i++)
        if (i != index)
            room -= (double)hardware->arenas[i].bytes;
    if (room < (double)hardware->machine->page_bytes)
        return -ENOMEM;
    if ((double)bytes > room)
        bytes = (uint64_t)room;
    if ((double)(bytes + slack) > room)
        slack = (size_t)(room - (double)bytes);
    if (arena->bytes < bytes) {
        drop_arena(hardware, index);
        error = open_arena(hardware, index, (size_t)bytes + slack);
    }
    *granted = arena->bytes;
    hardware->wanted[index] = bytes < arena->bytes ? bytes : arena->bytes;
    note_footprint(hardware, 0);
    return error;
}

static int hardware_reserve(void *self, enum page_kind pages, uint64_t bytes,
                            uint64_t *granted)
{
    return reserve(self, (int)pages, bytes, granted);
}

static int hardware_reserve_on(void *self, unsigned node, uint64_t bytes,
                               uint64_t *granted)
{
    return reserve(self, PAGE_KINDS - 1 + (int)node, bytes, granted);
}

static int hardware_backing(void *self, enum page_kind pages,
                            struct page_backing *backing)
{
    struct hardware *hardware = self;
    struct arena *arena = &hardware->arenas[pages];

    if (!arena->base)
        return -ENODATA;
    return sonde_machine_backing(arena->base, arena->bytes, backing);
}

/* --- placing -------------------------------------------------------------------------
 */

static char *draw_base(struct hardware *hardware, const struct layout *layout,
                       uint64_t seed)
{
    struct arena *arena = &hardware->arenas[arena_of(layout)];
    uint64_t align = layout->align ? layout->align : hardware->machine->page_bytes;
    struct random_source random;
    uint64_t choices;

    if (!arena->base || layout->bytes + layout->beside > arena->bytes)
        return NULL;
    if (layout->fixed)
        return arena->base;
    sonde_base_random_seed(&random, seed);
    choices = (arena->bytes - layout->bytes - layout->beside) / align + 1;
    return arena->base + sonde_base_random_below(&random, choices) * align;
}

/* Memory that is mapped for this placement alone; NULL: none. */
static char *map_base(struct hardware *hardware, const struct layout *layout)
{
    double room = hardware->memory_bytes;

    for (int i = 0; i < ARENAS; i++)
        room -= (double)hardware->arenas[i].bytes;
    if ((double)layout->bytes > room ||
        sonde_measure_mapping_open(&hardware->mapping, layout,
                                   hardware->machine->page_bytes))
        return NULL;
    note_footprint(hardware, layout->views ? layout->view_bytes : layout->bytes);
    return hardware->mapping.base;
}

static void fill_uniformly(struct hardware *hardware, const struct layout *layout)
{
    struct arena *arena = &hardware->arenas[arena_of(layout)];
    struct layout whole = *layout;

    if (hardware->uniform[arena_of(layout)] &&
        hardware->uniform_word[arena_of(layout)] == layout->word)
        return;
    whole.bytes = arena->bytes;
    sonde_measure_fill(&whole, arena->base, 0);
    hardware->uniform[arena_of(layout)] = true;
    hardware->uniform_word[arena_of(layout)] = layout->word;
    hardware->tiled[arena_of(layout)] = false;
    sonde_measure_predictions_forget(&hardware->predictions);
}

static bool is_uniform(const struct layout *layout)
{
    return layout->kind == LAYOUT_BLOCK && layout->content == CONTENT_UNIFORM;
}

/* Tiles are laid over a whole arena once: placing hundreds of blocks of 100 MiB would
 * take longer than measuring them. They begin at the arena, whose base any block's is a
 * multiple of TILE_BYTES away from. */
static void fill_block(struct hardware *hardware, const struct layout *layout, char *base,
                       uint64_t seed)
{
    struct arena *arena = &hardware->arenas[arena_of(layout)];
    bool tiles = layout->content == CONTENT_TILED && !layout->zero && !layout->cold;
    struct layout all = {.bytes = arena->bytes, .content = CONTENT_TILED};

    hardware->block_seed = seed;
    if (!tiles)
        sonde_measure_fill(layout, base, seed);
    else if (!hardware->tiled[arena_of(layout)])
        sonde_measure_fill(&all, arena->base, seed);
    hardware->tiled[arena_of(layout)] = tiles;
}

static int hardware_place(void *self, const struct point *point, uint64_t seed,
                          struct placement *placement, struct message *why)
{
    struct hardware *hardware = self;
    const struct layout *layout = &point->layout;
    char *base;
    int error = 0;

    *placement = (struct placement){.bytes = layout->bytes};
    sonde_measure_home_keep(&hardware->home);
    if (point->subject)
        return point->subject->prepare(point->subject->self, seed, &placement->base);
    if (layout->kind == LAYOUT_NONE)
        return 0;
    if (layout->kind == LAYOUT_RING &&
        sonde_measure_ring_again(hardware, point, &hardware->arenas[arena_of(layout)],
                                 seed, placement))
        return 0;
    hardware->lasting = NULL;
    sonde_measure_mapping_close(&hardware->mapping);
    base = layout->source == SOURCE_ARENA && !layout->views
               ? draw_base(hardware, layout, seed)
               : map_base(hardware, layout);
    if (!base)
        return sonde_base_fail(why, -ENOMEM, "%llu bytes are more than was granted",
                               (unsigned long long)layout->bytes);
    hardware->uniform[arena_of(layout)] &= is_uniform(layout);
    if (layout->kind == LAYOUT_RING) {
        hardware->tiled[arena_of(layout)] = false;
        error = sonde_measure_place_ring(hardware, point, seed, base, why);
    } else if (is_uniform(layout)) {
        fill_uniformly(hardware, layout);
    } else if (layout->source == SOURCE_ARENA) {
        fill_block(hardware, layout, base, seed);
    }
    placement->detail = base;
    placement->base = base;
    if (error || layout->kind != LAYOUT_RING)
        return error;
    hardware->lasting = layout->lasting ? base : NULL;
    placement->base = (void *)sonde_measure_node_at(hardware, base, 0);
    if (layout->cursors) {
        error = sonde_measure_ready_cursors(hardware, layout, base);
        placement->base = hardware->cursors;
    }
    return error;
}

/* --- sampling ------------------------------------------------------------------------
 */

static uint64_t predict_pure(struct hardware *hardware, const struct point *point,
                             char *base, uint64_t steps)
{
    return sonde_measure_predict(&hardware->predictions, point->kernel, base, steps,
                                 point->argument);
}

/* Content that the core has not seen: the seed of the next one follows from this one. */
static void refresh_block(struct hardware *hardware, const struct point *point,
                          const struct placement *placement)
{
    struct random_source random;

    if (!point->layout.fresh)
        return;
    sonde_base_random_seed(&random, hardware->block_seed);
    hardware->block_seed = sonde_base_random_next(&random);
    sonde_measure_fill(&point->layout, placement->base, hardware->block_seed);
}

static void reset_block(struct hardware *hardware, const struct point *point,
                        const struct placement *placement)
{
    if (point->kernel->stores || point->layout.cold)
        sonde_measure_fill(&point->layout, placement->base, hardware->block_seed);
}

/* The reference must not be the first to touch a page: it works on a word that holds what
 * the page will, nothing. */
static uint64_t predict_untouched(const struct point *point)
{
    uint64_t nothing = 0;

    return point->kernel->reference(&nothing, 1, point->argument);
}

/* Moves a block that goes on to what the next sample touches. False: beyond the end. */
static bool move_on(const struct point *point, struct placement *placement)
{
    char *base = placement->base;
    uint64_t past;

    if (point->layout.kind != LAYOUT_BLOCK || !point->layout.advance)
        return true;
    past = placement->position++ * point->argument;
    if (past + point->argument > point->layout.bytes)
        return false;
    placement->base = past ? base + point->argument : base;
    return true;
}

/* A ring moves on to the node where the walk will end; of several, the sum of them. */
static uint64_t predict_ring(struct hardware *hardware, const struct layout *layout,
                             struct placement *placement, uint64_t steps)
{
    uint64_t sum = 0;

    placement->position =
        (placement->position + steps) % sonde_measure_ring_steps(layout);
    if (!layout->cursors)
        return (uint64_t)(uintptr_t)sonde_measure_node_at(hardware, placement->detail,
                                                          placement->position);
    for (uint64_t i = 0; i < layout->cursors; i++)
        sum += (uint64_t)(uintptr_t)sonde_measure_node_at(
            hardware, placement->detail,
            (sonde_measure_cursor_start(layout, i) + placement->position) %
                layout->nodes);
    return sum;
}

/* Where the sample works: the next part of a block that has several. */
static char *next_start(struct hardware *hardware, const struct layout *layout,
                        const struct placement *placement)
{
    char *base = placement->base;
    uint64_t parts = layout->part ? layout->bytes / layout->part : 0;

    return parts ? base + hardware->next_part++ % parts * layout->part : base;
}

/* What the kernel gets: a sample shorter than a pass goes on where the last one ended. */
struct beginning {
    void *data;
    uint64_t argument;
};

static struct beginning begin(struct hardware *hardware, const struct point *point,
                              struct placement *placement, uint64_t steps)
{
    const struct layout *layout = &point->layout;
    struct beginning beginning = {placement->base, point->argument};

    if (layout->part)
        beginning.data = next_start(hardware, layout, placement);

    if (layout->kind != LAYOUT_BLOCK || steps >= layout->pass)
        return beginning;
    if (placement->position + steps > layout->pass)
        placement->position = 0;
    if (point->options & POINT_NUMBERED)
        beginning.argument += placement->position << 32;
    else
        beginning.data = (char *)placement->base + placement->position * layout->pitch;
    placement->position += steps;
    return beginning;
}

/* What the kernel must return; a ring moves on to the node where the walk will end. */
static uint64_t predict(struct hardware *hardware, const struct point *point,
                        struct placement *placement, const struct beginning *beginning,
                        uint64_t steps)
{
    uint64_t value;

    if (point->subject)
        return 0; /* it knows itself what is right */
    switch (point->layout.kind) {
    case LAYOUT_NONE:
        return predict_pure(hardware, point, NULL, steps);
    case LAYOUT_BLOCK:
        if (point->layout.advance)
            return predict_untouched(point);
        if (is_uniform(&point->layout))
            return predict_pure(hardware, point, placement->detail, steps);
        refresh_block(hardware, point, placement);
        /* What the reference writes, and what the last sample wrote, is undone. */
        reset_block(hardware, point, placement);
        value = point->kernel->reference(beginning->data, steps, beginning->argument);
        reset_block(hardware, point, placement);
        return value;
    case LAYOUT_RING:
        return predict_ring(hardware, &point->layout, placement, steps);
    }
    return 0;
}

/* What the system did to this thread so far. */
struct events {
    long switches, sleeps, faults;
    int cpu;
};

static struct events events_now(void)
{
    struct rusage usage;
    struct events events = {.cpu = sonde_machine_current_cpu()};

    if (getrusage(RUSAGE_THREAD, &usage) == 0) {
        events.switches = usage.ru_nivcsw;
        events.sleeps = usage.ru_nvcsw;
        events.faults = usage.ru_minflt + usage.ru_majflt;
    }
    return events;
}

/* The thread was taken from its CPU and is back there: what it left warm was elsewhere.
 */
static bool was_moved(struct hardware *hardware)
{
    struct home *home = &hardware->home;

    if (home->lost || sonde_measure_home_is(home, sonde_machine_current_cpu()))
        return false;
    return !sonde_measure_home_keep(home);
}

/* The next piece of what passes by. */
static void stir(struct hardware *hardware, const struct point *point,
                 const struct placement *placement)
{
    const struct stir *stir = &point->stir;
    char *stretch = (char *)placement->detail + point->layout.bytes;

    if (!stir->kernel)
        return;
    stretch += hardware->next_piece++ % (stir->bytes / stir->piece) * stir->piece;
    stir->kernel->run(stretch, stir->steps, stir->argument);
}

static struct pulse pulse(const struct hardware *hardware, const struct point *point)
{
    static const struct pulse none = {NAN, NAN};

    return point->options & POINT_BARE ? none : sonde_measure_pulse(&hardware->timer);
}

static int sample_alone(struct hardware *hardware, const struct point *point,
                        struct placement *placement, uint64_t steps,
                        struct reading *reading)
{
    bool there = move_on(point, placement);
    struct beginning beginning = begin(hardware, point, placement, steps);
    uint64_t expected = predict(hardware, point, placement, &beginning, steps);
    uint64_t value, from, to;
    bool moved = was_moved(hardware);
    struct events earlier = events_now(), later;
    double counts[COUNTERS_MAX];
    struct pulse before, after;

    if (!there) {
        *reading = (struct reading){.correct = true}; /* no time: refused */
        return 0;
    }
    stir(hardware, point, placement);
    before = pulse(hardware, point);
    if (hardware->counters)
        sonde_machine_counters_begin(hardware->counters);
    from = sonde_measure_timer_read(&hardware->timer);
    value = point->kernel->run(beginning.data, steps, beginning.argument);
    to = sonde_measure_timer_read(&hardware->timer);
    if (hardware->counters)
        sonde_machine_counters_end(hardware->counters, counts);
    after = pulse(hardware, point);

    *reading = (struct reading){.overlap = NAN,
                                .fastest_ns = NAN,
                                .slowest_ns = NAN,
                                .together_ns = NAN,
                                .load = NAN};
    later = events_now();
    reading->switched =
        moved || later.switches != earlier.switches || later.cpu != earlier.cpu;
    reading->elsewhere = hardware->home.lost;
    reading->sleeps = (double)(later.sleeps - earlier.sleeps);
    reading->faults = (double)(later.faults - earlier.faults);
    reading->ns = sonde_measure_timer_between(&hardware->timer, from, to);
    reading->hz_before = before.hz;
    reading->hz_after = after.hz;
    reading->share_before = before.share;
    reading->share_after = after.share;
    reading->correct = point->subject
                           ? point->subject->check(point->subject->self, steps, value)
                           : value == expected;
    reading->counted = hardware->counters != NULL;
    if (reading->counted)
        memcpy(reading->counts, counts, sizeof counts);
    if (point->layout.kind == LAYOUT_RING && !point->layout.cursors)
        placement->base = (void *)(uintptr_t)expected;
    return 0;
}

/* The first member alone knows memory that must hold what was put there. */
static int sample_loaded(struct hardware *hardware, const struct point *point,
                         struct placement *placement, uint64_t steps,
                         struct reading *reading)
{
    struct beginning beginning = begin(hardware, point, placement, steps);
    char *start = beginning.data, *base = placement->detail;
    uint64_t expected = predict(hardware, point, placement, &beginning, steps);
    int error =
        sonde_measure_load_sample(&hardware->team, &hardware->timer, point, start,
                                  base + point->layout.bytes, steps, expected, reading);

    if (point->layout.kind == LAYOUT_RING)
        placement->base = (void *)(uintptr_t)expected;
    return error;
}

/* A ring is walked by a team of one, which goes on where it ended. */
static int sample_team(struct hardware *hardware, const struct point *point,
                       struct placement *placement, uint64_t steps,
                       struct reading *reading)
{
    bool ring = point->layout.kind == LAYOUT_RING, uniform = is_uniform(&point->layout);
    char *start =
        ring ? placement->base : next_start(hardware, &point->layout, placement);
    uint64_t expected = 0;
    int error;

    if (ring)
        expected = predict_ring(hardware, &point->layout, placement, steps);
    if (uniform)
        expected = predict_pure(hardware, point, start, steps);
    error = sonde_measure_team_sample(&hardware->team, &hardware->timer, point, start,
                                      steps, ring || uniform ? &expected : NULL, reading);
    if (ring)
        placement->base = (void *)(uintptr_t)expected;
    return error;
}

static int hardware_sample(void *self, const struct point *point,
                           struct placement *placement, uint64_t steps,
                           struct reading *reading)
{
    struct hardware *hardware = self;

    if (point->load.turns[0].kernel)
        return sample_loaded(hardware, point, placement, steps, reading);
    if (point->team)
        return sample_team(hardware, point, placement, steps, reading);
    return sample_alone(hardware, point, placement, steps, reading);
}

static int hardware_count(void *self, const struct counter_list *list,
                          struct message *why)
{
    struct hardware *hardware = self;

    sonde_machine_counters_close(hardware->counters);
    hardware->counters = NULL;
    return sonde_machine_counters_open(list, &hardware->counters, why);
}

static double hardware_elapsed(void *self)
{
    struct hardware *hardware = self;

    return (double)(sonde_measure_raw_ns() - hardware->start_ns) * 1e-9;
}

static double hardware_worked(void *self)
{
    struct timespec time;

    (void)self;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0)
        return NAN;
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double hardware_footprint(void *self)
{
    const struct hardware *hardware = self;

    return hardware->footprint;
}

static void hardware_release(void *self)
{
    struct hardware *hardware = self;

    for (int i = 0; i < ARENAS; i++)
        drop_arena(hardware, i);
    sonde_measure_mapping_close(&hardware->mapping);
    sonde_measure_ring_close(&hardware->ring);
    free(hardware->visited);
    hardware->visited = NULL;
    hardware->visited_bytes = 0;
}

static void hardware_close(void *self)
{
    struct hardware *hardware = self;

    hardware_release(hardware);
    sonde_measure_team_close(&hardware->team);
    sonde_machine_counters_close(hardware->counters);
    free(hardware->cursors);
    free(hardware);
}

static const struct meter_ops hardware_ops = {
    .name = "hardware",
    .weigh = hardware_weigh,
    .recheck = hardware_recheck,
    .reserve = hardware_reserve,
    .reserve_on = hardware_reserve_on,
    .backing = hardware_backing,
    .place = hardware_place,
    .sample = hardware_sample,
    .count = hardware_count,
    .release = hardware_release,
    .footprint = hardware_footprint,
    .elapsed = hardware_elapsed,
    .worked = hardware_worked,
    .close = hardware_close,
};

int sonde_measure_hardware_open(struct meter *meter, const struct machine *machine,
                                double memory_bytes, struct message *why)
{
    struct hardware *hardware = calloc(1, sizeof *hardware);

    if (!hardware)
        return sonde_base_fail(why, -ENOMEM, "out of memory");
    hardware->machine = machine;
    hardware->memory_bytes = memory_bytes;
    hardware->home = sonde_measure_home_here();
    hardware->timer = (struct timer){.ticks = false, .ns_per_tick = 1, .cost_ns = 0};
    hardware->start_ns = sonde_measure_raw_ns();
    meter->ops = &hardware_ops;
    meter->self = hardware;
    return 0;
}
