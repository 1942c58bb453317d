/* Which plateau of a curve is which level. Shared by the files of this room only. */
#ifndef SONDE_INFER_NAMING_H
#define SONDE_INFER_NAMING_H

#include "infer/levels.h"

#include <stdbool.h>
#include <stddef.h>

struct naming {
    char name[LEVELS_MAX]
             [8];      /* "l1d", "l2", "llc"; "memory"; "" for what only stands in */
    size_t caches;     /* levels that are caches, from the first */
    bool has_memory;   /* the last level is memory */
    char why_not[160]; /* why it is not, when it is not */
};

/* `costs_ns` are the levels' costs in ns, or NULL where only cycles are known. */
void sonde_infer_name_levels(const struct levels *levels, const struct curve *curve,
                             const double *costs_ns, bool shared_last_level,
                             bool memory_limited, struct naming *naming);

#endif
