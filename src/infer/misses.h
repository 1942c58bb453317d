/* Where misses begin: a witness of a level's size that does not look at time. Pure. */
#ifndef SONDE_INFER_MISSES_H
#define SONDE_INFER_MISSES_H

#include "infer/finding.h"
#include "measure/series.h"

/* From the counters `l1-misses` and `llc-misses` of a walk over size: l1d.misses_begin,
 * llc.misses_begin, each with a control against the size that latency gave (l1d.size,
 * llc.effective) where that is known. Without counters, nothing. 0 or -ENOMEM. */
int sonde_infer_misses(const struct series *walk, struct findings *findings);

#endif
