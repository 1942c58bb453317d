/* Rings on the real machine: linked in visiting order, proven before they are timed.
 *
 * Each window is linked and then read back: every node must be met once, and the way out
 * of the last window must lead to the first node. What can fool it: nothing known; a ring
 * that is not proven is not timed. */
#include "measure/hardware.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The pointer that a walk follows at `step`. */
void **sonde_measure_node_at(struct hardware *hardware, char *base, uint64_t step)
{
    const struct layout *layout = hardware->ring.layout;
    uint64_t place = layout->pair ? step / 2 : step;
    uint64_t node = sonde_measure_ring_node(&hardware->ring, place);
    uint64_t second = layout->pair && step % 2 ? layout->pair : 0;

    return (void **)(void *)(base + sonde_measure_ring_place(&hardware->ring, node) +
                             second);
}

static bool mark_visited(struct hardware *hardware, uint64_t node)
{
    unsigned char bit = (unsigned char)(1u << (node % 8));
    bool fresh = !(hardware->visited[node / 8] & bit);

    hardware->visited[node / 8] |= bit;
    return fresh;
}

/* One window of a ring in memory: its nodes in visiting order. */
struct window {
    char *base; /* address of node 0 of the ring */
    const struct layout *layout;
    const struct ring *ring;
    const uint32_t *order; /* NULL: in address order */
    uint64_t first, count; /* number of its first node; nodes in it */
};

static uint64_t window_node(const struct window *window, uint64_t place)
{
    return window->first + (window->order ? window->order[place] : place);
}

static void **window_slot(const struct window *window, uint64_t node)
{
    const struct layout *layout = window->layout;
    uint64_t offset = layout->shift + node * layout->pitch;

    if (layout->skew || layout->views || layout->places || layout->row)
        offset = sonde_measure_ring_place(window->ring, node);
    return (void **)(void *)(window->base + offset);
}

/* The pointer of a node that leads out of it: its second, where it is a pair. */
static void **way_out(const struct window *window, void **node)
{
    return (void **)(void *)((char *)node + window->layout->pair);
}

/* Links the nodes of a window in visiting order, without the way out of its last one;
 * that is returned. */
static void **link_window(const struct window *window)
{
    void **node = window_slot(window, window_node(window, 0)), **out;

    *node = out = way_out(window, node);
    for (uint64_t place = 1; place < window->count; place++) {
        node = window_slot(window, window_node(window, place));
        *out = node;
        out = way_out(window, node);
        if (out != node)
            *node = out;
    }
    return out;
}

/* Follows the pointers through a window: each node must be met, and met once. */
static uint64_t prove_window(struct hardware *hardware, const struct window *window)
{
    void **expected = window_slot(window, window_node(window, 0));
    uint64_t faults = 0;

    for (uint64_t place = 0; place < window->count; place++) {
        uint64_t node = window_node(window, place);
        void **here = window_slot(window, node);

        faults += here != expected;
        faults += !mark_visited(hardware, node);
        if (window->layout->pair)
            faults += *here != way_out(window, here);
        if (place + 1 < window->count)
            expected = *way_out(window, here);
    }
    return faults;
}

/* Links the ring and proves it: it meets each node once and closes. Window by window, so
 * that reading back finds what was written in a near cache; what remains in the caches at
 * the end is what a walk would leave. */
static bool link_ring(struct hardware *hardware, char *base)
{
    struct ring *ring = &hardware->ring;
    struct window window = {.base = base, .layout = ring->layout, .ring = ring};
    uint64_t faults = 0;
    void **first = NULL, **last = NULL, **out;

    memset(hardware->visited, 0, (size_t)(ring->nodes / 8 + 1));
    for (uint64_t w = 0; w < ring->windows; w++) {
        void **head;

        window.order = sonde_measure_ring_window(ring, w, &window.first, &window.count);
        head = window_slot(&window, window_node(&window, 0));
        out = link_window(&window);
        faults += prove_window(hardware, &window);
        if (last)
            *last = head;
        else
            first = head;
        last = out;
    }
    *last = first;
    return faults == 0;
}

static int grow_bitmap(struct hardware *hardware, uint64_t nodes)
{
    size_t bytes = (size_t)(nodes / 8 + 1);
    unsigned char *visited;

    if (bytes <= hardware->visited_bytes)
        return 0;
    visited = realloc(hardware->visited, bytes);
    if (!visited)
        return -ENOMEM;
    hardware->visited = visited;
    hardware->visited_bytes = bytes;
    return 0;
}

int sonde_measure_place_ring(struct hardware *hardware, const struct point *point,
                             uint64_t seed, char *base, struct message *why)
{
    int error;

    sonde_measure_ring_close(&hardware->ring);
    error = sonde_measure_ring_open(&hardware->ring, &point->layout, seed);
    if (!error)
        error = grow_bitmap(hardware, point->layout.nodes);
    if (error)
        return sonde_base_fail(why, error, "a ring of %llu nodes could not be drawn: %s",
                               (unsigned long long)point->layout.nodes, strerror(-error));
    if (!link_ring(hardware, base))
        return sonde_base_fail(why, -EIO, "a ring of %llu nodes is not closed",
                               (unsigned long long)point->layout.nodes);
    return 0;
}

static bool same_ring(const struct layout *a, const struct layout *b)
{
    return a->kind == LAYOUT_RING && a->pages == b->pages && a->node == b->node &&
           a->order == b->order && a->nodes == b->nodes && a->pitch == b->pitch &&
           a->window == b->window && a->skew == b->skew && a->pair == b->pair &&
           a->shift == b->shift && a->bytes == b->bytes && !b->cursors && !b->views &&
           !b->row && !b->places;
}

bool sonde_measure_ring_again(struct hardware *hardware, const struct point *point,
                              const struct arena *arena, uint64_t seed,
                              struct placement *placement)
{
    const struct layout *layout = &point->layout;
    struct random_source random;

    if (!layout->lasting || !hardware->lasting ||
        !same_ring(hardware->ring.layout, layout) ||
        hardware->lasting + layout->bytes + layout->beside > arena->base + arena->bytes)
        return false;
    sonde_base_random_seed(&random, seed);
    placement->position =
        sonde_base_random_below(&random, sonde_measure_ring_steps(layout));
    placement->detail = hardware->lasting;
    placement->base =
        (void *)sonde_measure_node_at(hardware, hardware->lasting, placement->position);
    return true;
}

/* Where a walk begins. */
uint64_t sonde_measure_cursor_start(const struct layout *layout, uint64_t cursor)
{
    return cursor * layout->nodes / (2 * layout->cursors);
}

/* Eight lines of their own: the kernels write them. */
int sonde_measure_ready_cursors(struct hardware *hardware, const struct layout *layout,
                                char *base)
{
    if (!hardware->cursors)
        hardware->cursors = aligned_alloc(4096, 4096);
    if (!hardware->cursors)
        return -ENOMEM;
    for (uint64_t i = 0; i < layout->cursors; i++)
        hardware->cursors[i] =
            sonde_measure_node_at(hardware, base, sonde_measure_cursor_start(layout, i));
    return 0;
}
