/* One stretch of memory per kind of page, mapped and touched before the rounds. */
#ifndef SONDE_MEASURE_ARENA_H
#define SONDE_MEASURE_ARENA_H

#include "machine/machine.h"

#include <stddef.h>
#include <stdint.h>

struct arena {
    char *base;   /* aligned to 2 MiB; NULL: nothing mapped */
    size_t bytes; /* usable from base */
    void *map;    /* what was mapped, for unmapping */
    size_t map_bytes;
};

/* Maps at least `bytes` on pages of `pages` and touches all of it; halves the wish as
 * long as the kernel refuses (then bytes is smaller than asked), -ENOMEM below one page.
 */
int sonde_measure_arena_open(struct arena *arena, enum page_kind pages, size_t bytes,
                             size_t page_bytes);
void sonde_measure_arena_close(struct arena *arena);

#endif
