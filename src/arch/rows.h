/* A list of arch_fact rows being filled; used by the folders of this room only. */
#ifndef SONDE_ARCH_ROWS_H
#define SONDE_ARCH_ROWS_H

#include "arch/arch.h"

struct arch_rows {
    struct arch_fact *facts;
    size_t capacity,
        count; /* `count` goes on past `capacity`; the rows then are dropped */
};

/* Literals throughout, since the rows keep them. `value` may be NaN (unknown). */
void sonde_arch_rows_number(struct arch_rows *rows, const char *name, const char *source,
                            const char *unit, double value, const char *note);
/* `text` is copied, blanks at its ends cut; an empty one adds nothing. */
void sonde_arch_rows_text(struct arch_rows *rows, const char *name, const char *source,
                          const char *text, const char *note);

/* The names of the facts of one cache. */
struct arch_cache_names {
    const char *size, *line, *ways, *shared_count;
};
enum arch_cache_type { CACHE_DATA = 1, CACHE_INSTRUCTION = 2, CACHE_UNIFIED = 3 };
/* Of a level from 1 to 4; NULL beyond, or for no type of the three. */
const struct arch_cache_names *sonde_arch_cache_names(unsigned level, unsigned type);

/* One cache as a source describes it; 0 is unknown. */
struct arch_cache {
    unsigned level, type;
    uint64_t bytes, line, ways, shared;
    const char *size_note, *ways_note;
};
/* Rows for size, line and ways (unknown ones included, with the reason), and for the
 * number of CPUs that share it where it is given. */
void sonde_arch_rows_cache(struct arch_rows *rows, const char *source,
                           const struct arch_cache *cache);

#endif
