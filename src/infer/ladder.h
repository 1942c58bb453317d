/* Findings from the latency ladder: the three walks of a pointer chase over growing
 * sizes.
 *
 * The same code serves our own probe and curves of other tools; all it sees are series.
 * Names it gives: l1d.size, l1d.latency, l1d.latency_cycles, the same for l2 and any
 * further private level, llc.effective, llc.latency, llc.latency_cycles, memory.latency,
 * memory.latency_cycles, page.granule (through the translation control). */
#ifndef SONDE_INFER_LADDER_H
#define SONDE_INFER_LADDER_H

#include "infer/finding.h"
#include "infer/levels.h"
#include "measure/series.h"

#include <stdbool.h>
#include <stdint.h>

struct ladder {
    const struct series *windowed; /* translation kept out; the primary where it exists */
    const struct series *random;   /* pays translation; the control, or the primary */
    const struct series *sequential; /* what prefetchers hide; may be NULL */
    const struct series *wide; /* the windowed walk at twice the line: the control that
                                  boundaries are in bytes; may be NULL */
    /* A second witness for the first level, from conflicts (ways x span); NaN: none. */
    double l1_by_conflicts;
    bool shared_last_level; /* the last level is shared: report it as what is effective
                               now */
    bool memory_limited;    /* the sizes ended because memory was not granted */
    uint64_t seed;
};

/* Adds findings and controls. Every level found becomes findings; the last plateau is
 * memory only when the curve reached a plateau there and lies far enough above the level
 * before it to be one; otherwise memory.latency is given up with the reason. 0 or
 * -ENOMEM. `levels`, when not NULL, receives the primary curve's levels for display. */
int sonde_infer_ladder(const struct ladder *ladder, struct levels *levels,
                       struct findings *findings);

#endif
