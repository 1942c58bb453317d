/* Associativity from conflicts: lines at one stride, chased in random order.
 *
 *   cost
 *    |            ____ more lines than ways: every access misses
 *    |___________/
 *    +-----------|---- lines N        knee N(stride)
 *
 * At large strides all lines fall into one set and the knee is the number of ways; below
 * the span (size / ways) it doubles with every halving of the stride. Size = ways x span.
 * METHOD: docs/METHOD.md, "ways". */
#ifndef SONDE_INFER_CONFLICTS_H
#define SONDE_INFER_CONFLICTS_H

#include "infer/finding.h"
#include "measure/series.h"

/* `series` has axes stride (bytes) and lines (count), cost per access in its value (and
 * in cycles where known). Adds <level>.ways, <level>.sets, <level>.span and <level>.size
 * (by conflicts) for `level` ("l1d"), with the control that the knee doubles below the
 * span. Strides that disagree make them not measurable. 0 or -ENOMEM. */
int sonde_infer_conflicts(const struct series *series, const char *level,
                          double line_bytes, struct findings *findings);

#endif
