/* What a write does whose line is in no cache. */
#ifndef SONDE_INFER_WRITE_MISS_H
#define SONDE_INFER_WRITE_MISS_H

#include "infer/finding.h"
#include "measure/series.h"

/* `traffic` has axes footprint (bytes) and operation: rates of reads, writes and writes
 * past the caches over the largest footprint, and of both writes over the smallest.
 * `why` is why there are none, or NULL. Adds ways.write_miss, a text, or the reason why
 * there is none, and the controls. 0 or -ENOMEM. */
int sonde_infer_write_miss(const struct series *traffic, const char *why,
                           struct findings *findings);

#endif
