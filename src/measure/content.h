/* What blocks of memory hold before a kernel reads them. */
#ifndef SONDE_MEASURE_CONTENT_H
#define SONDE_MEASURE_CONTENT_H

#include "measure/plan.h"

#include <stdint.h>

/* Fills the block of `layout` at `base`, aligned to 8 bytes, with what the layout asks
 * for; the same seed gives the same content. A cold block is given back to the system. */
void sonde_measure_fill(const struct layout *layout, char *base, uint64_t seed);

#endif
