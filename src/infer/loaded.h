/* What memory answers in while it is busy. */
#ifndef SONDE_INFER_LOADED_H
#define SONDE_INFER_LOADED_H

#include "infer/finding.h"
#include "measure/series.h"

/* `latency` (ns) and `load` (bytes a second, as the loads counted it) have the same axes:
 * the pause between turns, and the share of reads in percent (100, 75, 50). `unloaded`
 * has one point, the same walk without loads. Adds loaded.unloaded (ns) and, of each
 * share, loaded.reads<share>.most (bytes a second), .latency (ns, at the most), .knee
 * (bytes a second where latency is 1.5 times the unloaded one), and the controls. The
 * most is called the peak only where latency there is twice the unloaded one. 0 or
 * -ENOMEM. */
int sonde_infer_loaded(const struct series *latency, const struct series *load,
                       const struct series *unloaded, struct findings *findings);

#endif
