/* How far each node's memory is from each node's CPUs. */
#ifndef SONDE_INFER_NUMA_H
#define SONDE_INFER_NUMA_H

#include "infer/finding.h"
#include "measure/series.h"

/* `latency` (ns) and `rate` (bytes a second of reads by all CPUs of a node) have the same
 * axes: the node of the CPUs and the node of the memory. Adds numa.nearest, .farthest and
 * .far_cost (the one over the other), numa.most and .least (rates), each with the pair
 * that it was seen on, and the controls. 0 or -ENOMEM. */
int sonde_infer_numa(const struct series *latency, const struct series *rate,
                     struct findings *findings);

#endif
