/* What first touches of pages cost. */
#ifndef SONDE_INFER_FAULT_H
#define SONDE_INFER_FAULT_H

#include "infer/finding.h"
#include "measure/series.h"

/* `series` has a category axis with the labels "first", "recycled", "calloc", "huge" and
 * "second" (any may be missing), each value the time of one page in ns. Adds
 * fault.<label> (the median, with its interval) and fault.<label>_q90, fault.second, and
 * fault.huge_saving: bytes for bytes, small pages over huge ones of `huge_bytes`.
 * `huge_share`: of the memory, by smaps (0 to 1; NaN: unknown); below a half huge pages
 * were not granted, and nothing is said of them. Control: a second touch is far cheaper.
 * 0 or -ENOMEM. */
int sonde_infer_fault(const struct series *series, double page_bytes, double huge_bytes,
                      double huge_share, struct findings *findings);

#endif
