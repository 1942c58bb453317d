/* What the hardware translates by: the effective granule, kept apart from the granted
 * one.
 *
 * A guest may be given huge pages that its host maps as small ones; only a measurement
 * tells. Lines spread one to a small page are held against the same number of lines
 * packed together: both use the same sets of the first level, only the pages differ. */
#ifndef SONDE_INFER_GRANULE_H
#define SONDE_INFER_GRANULE_H

#include "infer/finding.h"
#include "measure/series.h"

/* `spread` and `packed` have one axis, lines (count). Adds page.granule (bytes):
 * `page_bytes` where spreading costs, otherwise at least `spread_bytes`, the largest
 * stretch that still cost nothing; and the control that the packed walk stayed flat.
 * `granted_huge` is what smaps said (0 to 1; NaN unknown). 0 or -ENOMEM. */
int sonde_infer_granule(const struct series *spread, const struct series *packed,
                        double page_bytes, double granted_huge,
                        struct findings *findings);

#endif
