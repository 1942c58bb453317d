/* Memory mapped for one placement alone: never touched before it is timed, or the same
 * pages at several addresses. */
#ifndef SONDE_MEASURE_MAPPING_H
#define SONDE_MEASURE_MAPPING_H

#include "measure/plan.h"

#include <stddef.h>

struct mapping {
    char *base;   /* page-aligned; NULL: nothing is mapped */
    void *map;    /* what was mapped, for unmapping; or NULL */
    size_t bytes; /* of the map */
    void *heap;   /* what calloc() gave, for free(); or NULL */
};

/* Memory for a block of SOURCE_FRESH (advised for its kind of pages, and aligned to them)
 * or SOURCE_CALLOC, or `views` mappings of the same `view_bytes`, side by side. 0,
 * -ENOMEM, or a negative errno where memory cannot be mapped several times. */
int sonde_measure_mapping_open(struct mapping *mapping, const struct layout *layout,
                               size_t page_bytes);
/* Zeroed, and closed twice, is closed. */
void sonde_measure_mapping_close(struct mapping *mapping);

#endif
