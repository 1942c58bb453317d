/* Findings from the latency ladder: the three walks of a pointer chase over growing
 * sizes.
 *
 * The same code serves our own probe and curves of other tools; all it sees are series.
 * Names it gives: l1d.size, l1d.latency, l1d.latency_cycles, the same for l2 and any
 * further private level, llc.effective, llc.latency, llc.latency_cycles, memory.latency,
 * memory.latency_cycles. Latencies in ns where the curve is in ns, in cycles where every
 * point has them.
 *
 * Which level is which: the first is l1d. Of three or more cache levels the last is llc
 * and those between are l2, l3, ...; of two, the second is llc when the last level is
 * known to be shared and it takes at least 5.5 times as long as the first, and l2
 * otherwise. A last plateau that is no memory is a cache level
 * whose size was not reached. */
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
    double granule_bytes;   /* what memory is translated by; NaN: not known */
};

/* Memory is claimed only of a plateau that ends the curve, costs at least twice the level
 * before it, lies at twice its capacity or beyond, and is as slow as memory is: 45 ns
 * (the array, its channel and the way there take that much on any machine), or 20 times
 * the first level where only cycles are known.
 *
 * A latency is read off the flattest third of its plateau; where the wide walk costs more
 * there (lines come in pairs), off that walk. Its interval reaches from the samples'
 * minimum to their median for private levels (value: low quartile), and to the upper
 * quartile for what is shared (value: median); it is never narrower than the bootstrap's,
 * and a quarter percent is added for the clocks.
 *
 * Adds findings and controls. Every level found becomes findings; the last plateau is
 * memory only when the curve reached a plateau there and lies far enough above the level
 * before it to be one; otherwise memory.latency is given up with the reason. 0 or
 * -ENOMEM. `levels`, when not NULL, receives the primary curve's levels for display. */
int sonde_infer_ladder(const struct ladder *ladder, struct levels *levels,
                       struct findings *findings);

#endif
