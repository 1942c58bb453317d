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

enum { VIEWS_MAX = 32 };

/* Where the memory of a block comes from. */
enum layout_source {
    SOURCE_ARENA,  /* mapped and touched once, before the rounds */
    SOURCE_FRESH,  /* mapped for this placement alone, and not touched: a cold block */
    SOURCE_CALLOC, /* asked for by calloc(), the same; the kind of page is its choice */
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
    /* `word` in all of the memory of its kind, and the kernel leaves it so: written once,
     * not for every placement, and an answer holds wherever the block lies. */
    CONTENT_UNIFORM,
    CONTENT_TILED, /* fixed random bytes that begin anew every TILE_BYTES
                      (kernels/tile.h);        laid once for many placements */
};

enum { CURSORS_MAX = 64 }; /* walks of one ring at once */

/* What memory a point wants. A ring:
 *
 *   base          + pitch                      + pitch * (nodes - 1)
 *   | node 0      | node 1     | ...           | node nodes-1
 *   | + skew*0    | + skew*1   (index mod 64)  |
 *
 * Node i is one pointer at base + shift + i * pitch + (i mod skew_period) * skew, the
 * period 64 unless the layout gives another. With a pair it is two, `pair` bytes apart:
 * the first leads to the second, the second to the next node, and a cycle takes two steps
 * a node. With cursors the kernel gets an array of so many pointers to nodes, all in the
 * first half of the cycle (what linking left in near caches lies in the second), each of
 * which it moves on by a node a step. */
struct layout {
    enum layout_kind kind;
    enum layout_order order;
    enum page_kind pages;
    unsigned node;  /* 1 + the node whose memory it is, among the machine's, huge pages
                       from the arena; 0: of any */
    uint64_t bytes; /* LAYOUT_BLOCK: size; LAYOUT_RING: all of it, filled by the plan */
    uint64_t nodes;
    uint64_t pitch;       /* bytes, a multiple of 8 */
    uint64_t window;      /* bytes; 0: no windows */
    uint64_t skew;        /* bytes, a multiple of 8 */
    uint64_t skew_period; /* nodes after which the skew begins anew; 0: 64 */
    uint64_t pair;    /* bytes, a multiple of 8 below the pitch; 0: one pointer a node */
    uint64_t shift;   /* bytes, a multiple of 8: moves every node off the base */
    uint64_t cursors; /* LAYOUT_RING: walks at once, up to CURSORS_MAX; 0: the kernel gets
                         a node, not an array */
    uint64_t align;   /* the base is a random multiple of this; 0: the page size */
    /* LAYOUT_RING: its memory, `view_bytes` of it (a page), is mapped so many times, side
     * by side, and each group of `view_group` bytes of nodes is used through one of the
     * views, drawn so that all serve alike; 0: it is mapped once, as ever. */
    unsigned views;
    uint64_t view_bytes, view_group;
    /* LAYOUT_RING: nodes of a row, and how far from it the next one begins, between its
     * nodes: node i lies at i % row * pitch + i / row * row_step. 0: one row. */
    uint64_t row, row_step;
    /* LAYOUT_RING: where each node lies, in bytes from the base plus the shift, instead
     * of pitch and skew; NULL: there. Not owned. */
    const uint64_t *places;
    /* LAYOUT_RING, of nodes in even distances: where an earlier point of the plan has
     * left the same ring it is used again, from a random place of its cycle on. Linking a
     * large one takes longer than a visit's samples. */
    bool lasting;
    bool fixed;    /* the base is where the memory begins, placement after placement */
    uint64_t seed; /* LAYOUT_RING: its order is drawn from this; 0: anew each placement */
    enum layout_source source; /* LAYOUT_BLOCK */
    /* LAYOUT_BLOCK, cold: a sample goes on where the one before ended, `argument` bytes
     * further for every step, so that each meets pages of its own; those beyond the end
     * of the block are refused. One step a sample, and not for teams. */
    bool advance;
    bool cold; /* pages are given back first: the first touch is what is timed */
    bool zero; /* LAYOUT_BLOCK: all zero instead of random */
    enum layout_content content; /* LAYOUT_BLOCK */
    uint64_t word;               /* CONTENT_WORD */
    /* LAYOUT_BLOCK: each sample works on the next part of so many bytes, in turn, so that
     * short samples see a large block; 0: every sample on all of it. */
    uint64_t part;
    uint64_t beside; /* bytes behind it, for what loads memory meanwhile */
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
    /* Nothing but the time is asked for: no pulses around a sample, which would take
     * longer than it does. Its core clock and its share of the core are not told. */
    POINT_BARE = 1 << 5,
};

/* Threads that run the kernel at the same time, each bound to its CPU. */
struct team {
    size_t members;
    unsigned cpus[]; /* one per member */
};

/* Memory and value of a point whose kernel is not ours: somebody else's function, with a
 * buffer and a check of its own. `self` is handed to all of them. */
struct subject {
    void *self;
    /* Readies the memory afresh before a visit; gives what the kernel gets first. */
    int (*prepare)(void *self, uint64_t seed, void **data);
    /* After a batch of `steps` that returned `value`: was it right? */
    bool (*check)(void *self, uint64_t steps, uint64_t value);
};

/* What all members of a team but the first do instead: turns, one after the other, again
 * and again until the first has done its steps. Each has its own stretch of memory, which
 * lies beside the layout and holds anything; a turn works on the next piece of it. */
struct load {
    struct load_turn {
        const struct kernel *kernel; /* NULL: no more turns */
        uint64_t steps, argument;
    } turns[2];                 /* without the first there is no load */
    uint64_t bytes, piece;      /* of a stretch; of what a turn works on */
    const struct kernel *pause; /* what is done between turns, without memory */
    uint64_t pause_steps;       /* 0: nothing */
    unsigned series; /* gets what the turns moved, in bytes a second, at the same place;
                        before the point's own */
};

/* What passes through the caches before each sample, untimed: a kernel that only reads,
 * on the next piece of a stretch that lies beside the layout. */
struct stir {
    const struct kernel *kernel; /* NULL: nothing does */
    uint64_t steps, argument;
    uint64_t bytes, piece; /* of the stretch; of what passes at a time */
};

struct point {
    const struct kernel *kernel;
    struct layout layout;
    uint64_t argument; /* the kernel's third parameter */
    uint64_t count;    /* steps per sample; 0: the harness sizes it */
    double operations; /* what one step stands for: value = ns / (steps * operations) */
    /* Operations that the core can do in a cycle at most; 0: not known. A sample that
     * claims more is counted and set aside, and a point that mostly does is unlawful. */
    double most_per_cycle;
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
    struct load load;   /* with a team only */
    struct stir stir;   /* not with a team */
    unsigned samples;   /* exactly this many; 0: the stopping rule decides */
    unsigned per_visit; /* samples of one visit; 0: the harness's own number */
    unsigned warm_ups;  /* whole samples before those of a visit; 0: the harness's way */
    double weight;      /* its part of the time, against 1 of other points; 0: 1 */
    /* NULL: one of our kernels on memory by `layout`. Hardware only, no teams; the layout
     * is then LAYOUT_NONE. */
    const struct subject *subject;
};

struct series_plan {
    const char *name;
    struct axis axes[SERIES_AXES_MAX];
    unsigned axis_count;
    const char *place_names[SERIES_AXES_MAX]; /* see struct series; literals */
    const char *quantity, *unit;
    enum statistic statistic;
    bool rate; /* value = operations per second instead of ns per operation */
    /* It fills the core, though it is told as a time: a neighbour on the core takes its
     * part of it. Rates do so by themselves. */
    bool throughput;
};

/* A search for the lines of one set, which no address tells: see search.h. */
struct search {
    unsigned groups, partners; /* series of the plan that its points belong to */
    uint64_t page_bytes, line_bytes;
    uint64_t pages;    /* of memory, huge where granted; 0: no search */
    unsigned tries;    /* at most */
    unsigned agreeing; /* as many that found the same number are enough */
};

struct plan {
    struct series_plan *series;
    size_t series_count, series_capacity;
    struct point *points;
    size_t count, capacity;
    struct team **teams; /* owned */
    size_t team_count, team_capacity;
    double budget_s; /* seconds for all of it by default; 0: all that its probe has */
    struct search search;
};

void sonde_measure_plan_free(struct plan *plan);
/* Appends a series and returns its index, or -ENOMEM. The strings must be literals. */
int sonde_measure_plan_series(struct plan *plan, const struct series_plan *series);
/* Appends `count` series, numbered from the first as they stand. 0 or -ENOMEM. */
int sonde_measure_plan_all_series(struct plan *plan, const struct series_plan *series,
                                  size_t count);
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
