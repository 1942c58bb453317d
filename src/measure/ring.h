/* Rings of pointers: in which order the nodes of a layout are visited.
 *
 * Both meters need it: the hardware to write the pointers, the simulation to know which
 * lines and pages are touched. Nothing is stored for rings of any size but the order of
 * one window, or one piece of a ring without windows: it is drawn again from the seed and
 * its number. */
#ifndef SONDE_MEASURE_RING_H
#define SONDE_MEASURE_RING_H

#include "base/random.h"
#include "measure/plan.h"

#include <stdbool.h>
#include <stdint.h>

struct ring {
    const struct layout *layout;
    struct random_source random;
    uint64_t nodes, per_window, windows;
    /* A large ring without windows is walked in pieces of its order, which then are
     * what per_window and windows count; their nodes lie anywhere in the ring. */
    bool pieces;
    struct permutation permutation; /* of a ring in pieces, unless it is descending */
    uint32_t *order;                /* of the window or piece drawn last; owned */
    uint32_t *places;    /* ORDER_SCATTERED: which window is visited when; owned */
    uint64_t drawn;      /* its number, or UINT64_MAX */
    unsigned char *view; /* through which each node is used; owned; NULL: no views */
};

/* Is it a ring: nodes there are, everything a multiple of 8, a pair inside its node, no
 * window smaller than a node? */
bool sonde_measure_ring_valid(const struct layout *layout);
/* 0, -EINVAL for a layout that is no ring, -ENOMEM. */
int sonde_measure_ring_open(struct ring *ring, const struct layout *layout,
                            uint64_t seed);
void sonde_measure_ring_close(struct ring *ring);
/* Index (0 to nodes-1) of the node visited at `step` (taken modulo nodes). Steps asked
 * for in ascending order cost O(1) each on average. */
uint64_t sonde_measure_ring_node(struct ring *ring, uint64_t step);
/* The visiting order inside a window (or piece), for whoever walks a whole one: node i-th
 * in it is `*first` + order[i], for i below `*count`. Windows are numbered as they are
 * visited. NULL when the nodes are visited in address order. Good until another window is
 * asked for. */
const uint32_t *sonde_measure_ring_window(struct ring *ring, uint64_t window,
                                          uint64_t *first, uint64_t *count);
/* Steps of one cycle: nodes, or twice as many where they are pairs. */
uint64_t sonde_measure_ring_steps(const struct layout *layout);
/* The share of a cycle's steps that use another view than the step before on their line
 * of `line_bytes`, for the order and views that `seed` gives. NaN for what is no ring of
 * views, or out of memory. */
double sonde_measure_ring_switching(const struct layout *layout, uint64_t seed,
                                    uint64_t line_bytes);
/* Byte offset of a node from the base, through its view where there are several. */
uint64_t sonde_measure_ring_place(const struct ring *ring, uint64_t node);
/* Byte offset of a node (of its first pointer) from the base. */
uint64_t sonde_measure_ring_offset(const struct layout *layout, uint64_t node);

#endif
