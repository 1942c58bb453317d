/* What translation holds and costs: lines spread one to a page against the same number of
 * lines packed together. */
#ifndef SONDE_INFER_TRANSLATION_H
#define SONDE_INFER_TRANSLATION_H

#include "infer/finding.h"
#include "measure/series.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct translation {
    /* One axis, lines: side by side pages, and the same lines packed. Small pages. */
    const struct series *spread, *packed;
    /* The same with pages far apart, so that no entry can serve several; may be NULL. */
    const struct series *apart;
    /* One axis, pages: two lines to each, about the edge of the second level; may be
     * NULL. What a pair costs is twice its value. */
    const struct series *twice;
    /* Axes stride (bytes) and lines, on memory asked for as huge pages; may be NULL. */
    const struct series *strides;
    /* One axis, lines: one to a huge page; NULL where huge pages are not huge. */
    const struct series *huge;
    double page_bytes, huge_bytes;
    double huge_share; /* of the memory of `strides`, by smaps; NaN: unknown */
    bool nested;       /* inside a virtual machine */
};

/* How many pages a level holds, as `low` (still held) to `high` (no longer), and the cost
 * halfway between a hit and a miss of it. */
struct translation_knee {
    double low, high, half_cost;
};

/* The knee of level 0 (the first) or 1. 0; -ENODATA where none is seen; -ENOMEM. */
int sonde_infer_translation_knee(const struct translation *translation, size_t level,
                                 struct translation_knee *knee);

/* The smallest stride of `strides` at which its lines no longer fit the first level: what
 * is translated by. NaN: none does. */
double sonde_infer_translation_granule(const struct series *strides, double half_cost);

/* Adds tlb.l1.entries, .reach and .miss_cycles, tlb.l2.entries and .reach,
 * tlb.walk_cycles (tlb.l1.miss and tlb.walk, in ns, where cycles are not known),
 * page.granule and tlb.huge.entries, each with a range or the reason why not, and the
 * controls: the packed lines cost the same on both sides of a knee; pages far apart show
 * the same one; the second is at the same number of pages with two lines to each. 0 or
 * -ENOMEM. */
int sonde_infer_translation(const struct translation *translation,
                            struct findings *findings);

/* translation_granule.c: page.granule and tlb.huge.entries of the above. */
bool sonde_infer_translation_pages(const struct translation *translation,
                                   const struct translation_knee *knee,
                                   struct findings *findings);

/* The last number of lines of a series with one axis (its last) that costs at most
 * `half_cost`, and the next one tried; NaN where there is none. */
void sonde_infer_translation_edge(const struct series *series, double half_cost,
                                  double *low, double *high);

#endif
