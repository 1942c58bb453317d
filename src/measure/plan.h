/* The plan is data: every point a probe wants, described before anything runs.
 *
 * The harness owns the order, the rounds, the clock and the reducers. The same plan can
 * be listed, costed, shuffled and run on the simulated machine. */
#ifndef SONDE_MEASURE_PLAN_H
#define SONDE_MEASURE_PLAN_H

#include "kernels/kernel.h"
#include "machine/machine.h"
#include "measure/series.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum layout_kind {
    LAYOUT_NONE,  /* the kernel uses no memory */
    LAYOUT_BLOCK, /* `bytes` of words, filled with random content (or zero) */
    LAYOUT_RING,  /* a closed ring of pointers through `nodes` nodes */
};

enum layout_order {
    ORDER_RANDOM, /* windows are visited in order, the nodes inside each in random order;
                     with window 0 the whole ring is one window */
    ORDER_ASCENDING,  /* in address order */
    ORDER_DESCENDING, /* windows in order, the nodes inside each backwards; with window 0
                         the whole ring backwards */
    ORDER_SCATTERED,  /* windows in random order, the nodes inside each in address order;
                         the windows divide the ring */
};

/* What a block holds, where it is neither zero nor cold. */
enum layout_content {
    CONTENT_RANDOM,       /* words drawn from the seed of the placement */
    CONTENT_WORD,         /* `word`, again and again */
    CONTENT_SORTED_BITS,  /* as many ones as random words have, after all the zeros */
    CONTENT_SORTED_BYTES, /* random bytes in ascending order */
    CONTENT_COUNTING,     /* 16-bit numbers 0, 1, 2, ... */
    CONTENT_TILED,        /* fixed random bytes that begin anew every TILE_BYTES
                             (kernels/tile.h);        laid once for many placements */
};

enum { CURSORS_MAX = 64 }; /* walks of one ring at once */

/* What memory a point wants. A ring:
 *
 *   base          + pitch                      + pitch * (nodes - 1)
 *   | node 0      | node 1     | ...           | node nodes-1
 *   | + skew*0    | + skew*1   (index mod 64)  |
 *
 * Node i is one pointer at base + shift + i * pitch + (i mod 64) * skew. With a pair it
 * is two, `pair` bytes apart: the first leads to the second, the second to the next node,
 * and a cycle takes two steps a node. With cursors the kernel gets an array of so many
 * pointers to nodes, all in the first half of the cycle (what linking left in near caches
 * lies in the second), each of which it moves on by a node a step. */
struct layout {
    enum layout_kind kind;
    enum layout_order order;
    enum page_kind pages;
    uint64_t bytes; /* LAYOUT_BLOCK: size; LAYOUT_RING: all of it, filled by the plan */
    uint64_t nodes;
    uint64_t pitch;   /* bytes, a multiple of 8 */
    uint64_t window;  /* bytes; 0: no windows */
    uint64_t skew;    /* bytes, a multiple of 8 */
    uint64_t pair;    /* bytes, a multiple of 8 below the pitch; 0: one pointer a node */
    uint64_t shift;   /* bytes, a multiple of 8: moves every node off the base */
    uint64_t cursors; /* LAYOUT_RING: walks at once, up to CURSORS_MAX; 0: the kernel gets
                         a node, not an array */
    uint64_t align;   /* the base is a random multiple of this; 0: the page size */
    bool cold;        /* pages are given back first: the first touch is what is timed */
    bool zero;        /* LAYOUT_BLOCK: all zero instead of random */
    enum layout_content content; /* LAYOUT_BLOCK */
    uint64_t word;               /* CONTENT_WORD */
    /* LAYOUT_BLOCK: filled anew before every sample, so that no predictor has seen its
     * content before. Not for teams. */
    bool fresh;
    /* LAYOUT_BLOCK: steps of one pass over it, a multiple of the kernel's unroll; 0: no
     * passes. A sample shorter than a pass goes on where the last one ended, `pitch`
     * bytes further for each step (or, with POINT_NUMBERED, as the kernel's own number).
     * Not for teams. */
    uint64_t pass;
    uint64_t warm; /* the last so many steps of a pass are the warm-up; 0: all of it */
};

enum point_option {
    POINT_ONE_ROUND = 1 << 0, /* all its samples in one visit, in the order taken */
    /* The members of a team draw from one pool in a zeroed block: together they return
     * what the reference says, each as much as it got, and fairness is least over most.
     */
    POINT_POOLED = 1 << 2,
    POINT_KEEP_SWITCHED =
        1 << 1, /* do not reject samples with a switch: they are the topic */
    /* What it measures lies outside of the core: a neighbour on the same core is no
     * reason to set a sample aside or to wait. */
    POINT_ANY_CORE = 1 << 3,
    /* The step of the pass that a sample begins with is in the upper half of `argument`;
     * its memory begins where it always does. */
    POINT_NUMBERED = 1 << 4,
};

/* Threads that run the kernel at the same time, each bound to its CPU. */
struct team {
    size_t members;
    unsigned cpus[]; /* one per member */
};

struct point {
    const struct kernel *kernel;
    struct layout layout;
    uint64_t argument; /* the kernel's third parameter */
    uint64_t count;    /* steps per sample; 0: the harness sizes it */
    double operations; /* what one step stands for: value = ns / (steps * operations) */
    double at[SERIES_AXES_MAX];
    const char *label; /* for a category axis; a literal, or NULL */
    unsigned series;   /* which series of the plan it belongs to */
    unsigned options;  /* enum point_option */
    /* NULL: the measuring thread alone. Otherwise member m runs the kernel at
     * base + m * spacing, with m added to `argument` when `roles` is set; the kernel's
     * value must not depend on how the members interleave. */
    const struct team *team;
    uint64_t spacing;
    bool roles;
    unsigned samples; /* exactly this many; 0: the stopping rule decides */
    double weight;    /* its part of the time, against 1 of other points; 0: 1 */
};

struct series_plan {
    const char *name;
    struct axis axes[SERIES_AXES_MAX];
    unsigned axis_count;
    const char *quantity, *unit;
    enum statistic statistic;
    bool rate; /* value = operations per second instead of ns per operation */
};

struct plan {
    struct series_plan *series;
    size_t series_count, series_capacity;
    struct point *points;
    size_t count, capacity;
    struct team **teams; /* owned */
    size_t team_count, team_capacity;
    double budget_s; /* wall clock for all of it; 0: the effort decides */
};

void sonde_measure_plan_free(struct plan *plan);
/* Appends a series and returns its index, or -ENOMEM. The strings must be literals. */
int sonde_measure_plan_series(struct plan *plan, const struct series_plan *series);
/* Appends a zeroed point (operations 1) of series `series`; NULL: out of memory. The
 * pointer is good until the next append. */
struct point *sonde_measure_plan_point(struct plan *plan, unsigned series,
                                       const struct kernel *kernel);
/* A team of the CPUs of `cpus`, owned by the plan; NULL: out of memory or an empty list.
 */
const struct team *sonde_measure_plan_team(struct plan *plan, const struct cpulist *cpus);
/* The largest footprint of any point, in bytes. */
uint64_t sonde_measure_plan_footprint(const struct plan *plan);

#endif
