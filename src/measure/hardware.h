/* The state of the hardware meter, shared by hardware.c and hardware_ring.c. Nobody else
 * includes this. */
#ifndef SONDE_MEASURE_HARDWARE_H
#define SONDE_MEASURE_HARDWARE_H

#include "machine/counters.h"
#include "measure/arena.h"
#include "measure/home.h"
#include "measure/mapping.h"
#include "measure/meter.h"
#include "measure/prediction.h"
#include "measure/ring.h"
#include "measure/team.h"
#include "measure/timer.h"

/* One arena for each kind of page, and for each node. */
enum { PAGE_KINDS = PAGES_HUGE + 1, ARENAS = PAGE_KINDS + SONDE_NODES_MAX };

struct hardware {
    const struct machine *machine;
    double memory_bytes;
    struct home home;        /* where the thread belongs */
    uint64_t wanted[ARENAS]; /* of each arena: the largest footprint it was made for */
    double footprint;        /* the most of all of them at once so far, bytes */
    struct timer timer;
    struct arena arenas[ARENAS];
    struct mapping mapping; /* of the latest placement, when it is not in an arena */
    bool tiled[ARENAS];     /* all of the arena holds tiles */
    struct team_state team;
    struct ring ring;       /* of the latest placement, when it is one */
    char *lasting;          /* where that lies, while it may be used again; NULL: not */
    void **cursors;         /* CURSORS_MAX of them, where a ring is walked by several */
    unsigned char *visited; /* bitmap of the nodes of a ring */
    size_t visited_bytes;
    uint64_t block_seed; /* content of the latest block */
    uint64_t start_ns;
    uint64_t next_part;        /* of blocks that are worked on part by part */
    uint64_t next_piece;       /* of what passes by before samples */
    struct counters *counters; /* NULL: nothing is counted */
    bool uniform[ARENAS];      /* the arena holds uniform_word and nothing else */
    uint64_t uniform_word[ARENAS];
    struct predictions predictions; /* without memory, or on uniform memory */
};

/* --- hardware_ring.c */

/* Where the node of `step` lies, of the ring that was placed latest at `base`. */
void **sonde_measure_node_at(struct hardware *hardware, char *base, uint64_t step);
/* Links and proves the ring of a point. 0, -ENOMEM, or -EINVAL with the reason. */
int sonde_measure_place_ring(struct hardware *hardware, const struct point *point,
                             uint64_t seed, char *base, struct message *why);
/* Uses the ring that an earlier placement left, where the point allows that and it is the
 * same. False: it must be placed anew. */
bool sonde_measure_ring_again(struct hardware *hardware, const struct point *point,
                              const struct arena *arena, uint64_t seed,
                              struct placement *placement);
/* The step at which one of several walks begins. */
uint64_t sonde_measure_cursor_start(const struct layout *layout, uint64_t cursor);
/* Points the walks at their first nodes. 0 or -ENOMEM. */
int sonde_measure_ready_cursors(struct hardware *hardware, const struct layout *layout,
                                char *base);

#endif
