/* In which order the nodes of a ring are visited.
 *
 *   windows in address order     | 0       | 1       | 2    |  (the last may be partial)
 *   nodes inside one, shuffled   | 2 0 3 1 | 1 3 0 2 | 0 1  |
 *
 * One window's order is kept at a time; another is drawn from the seed and its own
 * number, so that it comes out the same whenever it is asked for. Without windows the
 * whole ring is one, drawn once. Following the last node by the first closes the ring:
 * any order that meets each node once is a single cycle.
 *
 * What can fool it: asking for steps back and forth across windows is correct but draws a
 * window at every crossing. */
#include "measure/ring.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { POINTER_BYTES = 8, SKEW_PERIOD = 64 };

/* Views are drawn from a stream of their own; windows have numbers far below. */
static const uint64_t view_label = UINT64_MAX;

bool sonde_measure_ring_valid(const struct layout *layout)
{
    if (layout->kind != LAYOUT_RING || layout->nodes == 0 || layout->pitch == 0)
        return false;
    if (layout->pitch % POINTER_BYTES || layout->skew % POINTER_BYTES ||
        layout->pair % POINTER_BYTES || layout->shift % POINTER_BYTES)
        return false;
    if (layout->pair && layout->pair + POINTER_BYTES > layout->pitch)
        return false;
    if (layout->views && (layout->views > VIEWS_MAX || !layout->view_group ||
                          layout->nodes * layout->pitch > layout->view_bytes))
        return false;
    if (layout->row &&
        (layout->skew || layout->pair || layout->row_step % POINTER_BYTES ||
         (layout->nodes - 1) / layout->row * layout->row_step + POINTER_BYTES >
             layout->pitch ||
         (layout->nodes > layout->row && !layout->row_step)))
        return false;
    if (layout->cursors > CURSORS_MAX || (layout->cursors && layout->pair))
        return false;
    if (layout->order == ORDER_SCATTERED)
        return layout->window >= layout->pitch &&
               layout->nodes % (layout->window / layout->pitch) == 0;
    return layout->window == 0 || layout->window >= layout->pitch;
}

static uint64_t nodes_of_window(const struct ring *ring, uint64_t window)
{
    uint64_t left = ring->nodes - window * ring->per_window;

    return left < ring->per_window ? left : ring->per_window;
}

static void draw_window(struct ring *ring, uint64_t window)
{
    struct random_source random = sonde_base_random_fork(&ring->random, window);
    uint64_t count = nodes_of_window(ring, window);
    bool backwards = ring->layout->order == ORDER_DESCENDING;

    for (uint64_t i = 0; i < count; i++)
        ring->order[i] = (uint32_t)(backwards ? count - 1 - i : i);
    if (!backwards)
        sonde_base_random_shuffle(&random, ring->order, (size_t)count);
    ring->drawn = window;
}

/* Group k of the nodes, in a random order of groups, gets view k modulo the views. */
static int draw_views(struct ring *ring)
{
    const struct layout *layout = ring->layout;
    struct random_source random = sonde_base_random_fork(&ring->random, view_label);
    uint64_t groups = (layout->nodes * layout->pitch - 1) / layout->view_group + 1;
    uint32_t *place = malloc((size_t)groups * sizeof *place);

    ring->view = malloc((size_t)layout->nodes);
    if (!place || !ring->view) {
        free(place);
        return -ENOMEM;
    }
    for (uint64_t i = 0; i < groups; i++)
        place[i] = (uint32_t)i;
    sonde_base_random_shuffle(&random, place, (size_t)groups);
    for (uint64_t i = 0; i < layout->nodes; i++)
        ring->view[i] = (unsigned char)(place[i * layout->pitch / layout->view_group] %
                                        layout->views);
    free(place);
    return 0;
}

static int draw_places(struct ring *ring)
{
    struct random_source random = sonde_base_random_fork(&ring->random, 0);

    if (ring->windows > UINT32_MAX)
        return -EINVAL;
    ring->places = malloc((size_t)ring->windows * sizeof *ring->places);
    if (!ring->places)
        return -ENOMEM;
    for (uint64_t i = 0; i < ring->windows; i++)
        ring->places[i] = (uint32_t)i;
    sonde_base_random_shuffle(&random, ring->places, (size_t)ring->windows);
    return 0;
}

int sonde_measure_ring_open(struct ring *ring, const struct layout *layout, uint64_t seed)
{
    *ring = (struct ring){.layout = layout, .drawn = UINT64_MAX};
    if (!sonde_measure_ring_valid(layout))
        return -EINVAL;
    ring->nodes = layout->nodes;
    ring->per_window = layout->nodes;
    if (layout->window && layout->window / layout->pitch < layout->nodes)
        ring->per_window = layout->window / layout->pitch;
    ring->windows = (ring->nodes - 1) / ring->per_window + 1;
    sonde_base_random_seed(&ring->random, layout->seed ? layout->seed : seed);
    if (layout->views && draw_views(ring))
        return -ENOMEM;
    if (layout->order == ORDER_ASCENDING)
        return 0;
    if (layout->order == ORDER_SCATTERED)
        return draw_places(ring);
    /* The order is of 32-bit indices; a window beyond would need 32 GiB of memory. */
    if (ring->per_window > UINT32_MAX)
        return -EINVAL;
    ring->order = malloc((size_t)ring->per_window * sizeof *ring->order);
    return ring->order ? 0 : -ENOMEM;
}

void sonde_measure_ring_close(struct ring *ring)
{
    free(ring->order);
    free(ring->view);
    free(ring->places);
    *ring = (struct ring){.drawn = UINT64_MAX};
}

uint64_t sonde_measure_ring_node(struct ring *ring, uint64_t step)
{
    uint64_t place = step < ring->nodes ? step : step % ring->nodes, window;

    if (ring->places)
        return ring->places[place / ring->per_window] * ring->per_window +
               place % ring->per_window;
    if (!ring->order)
        return place;
    window = ring->windows == 1 ? 0 : place / ring->per_window;
    if (window != ring->drawn)
        draw_window(ring, window);
    return window * ring->per_window + ring->order[place - window * ring->per_window];
}

const uint32_t *sonde_measure_ring_window(struct ring *ring, uint64_t window,
                                          uint64_t *first, uint64_t *count)
{
    *first = (ring->places ? ring->places[window] : window) * ring->per_window;
    *count = nodes_of_window(ring, window);
    if (ring->order && window != ring->drawn)
        draw_window(ring, window);
    return ring->order;
}

uint64_t sonde_measure_ring_steps(const struct layout *layout)
{
    return layout->pair ? 2 * layout->nodes : layout->nodes;
}

uint64_t sonde_measure_ring_offset(const struct layout *layout, uint64_t node)
{
    if (layout->places)
        return layout->shift + layout->places[node];
    uint64_t period = layout->skew_period ? layout->skew_period : SKEW_PERIOD;

    if (layout->row)
        return layout->shift + node % layout->row * layout->pitch +
               node / layout->row * layout->row_step;
    return layout->shift + node * layout->pitch + node % period * layout->skew;
}

uint64_t sonde_measure_ring_place(const struct ring *ring, uint64_t node)
{
    uint64_t view = ring->view ? ring->view[node] : 0;

    return sonde_measure_ring_offset(ring->layout, node) +
           view * ring->layout->view_bytes;
}

/* Twice around: the first time leaves on each line the view that the second finds. */
static double count_switches(struct ring *ring, unsigned char *last, uint64_t line_bytes)
{
    double switches = 0;

    for (uint64_t step = 0; step < 2 * ring->nodes; step++) {
        uint64_t node = sonde_measure_ring_node(ring, step);
        uint64_t line = sonde_measure_ring_offset(ring->layout, node) / line_bytes;

        if (step >= ring->nodes)
            switches += last[line] != ring->view[node];
        last[line] = ring->view[node];
    }
    return switches / (double)ring->nodes;
}

double sonde_measure_ring_switching(const struct layout *layout, uint64_t seed,
                                    uint64_t line_bytes)
{
    struct ring ring;
    unsigned char *last;
    double share = NAN;

    if (!layout->views || !line_bytes ||
        sonde_measure_ring_open(&ring, layout, seed) != 0)
        return NAN;
    last = calloc((size_t)(layout->view_bytes / line_bytes + 1), 1);
    if (last)
        share = count_switches(&ring, last, line_bytes);
    free(last);
    sonde_measure_ring_close(&ring);
    return share;
}
