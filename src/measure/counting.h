/* From counts of samples to figures of a point. */
#ifndef SONDE_MEASURE_COUNTING_H
#define SONDE_MEASURE_COUNTING_H

#include "machine/counters.h"
#include "measure/meter.h"
#include "measure/series.h"

#include <stddef.h>

/* What the samples of one point counted so far; zeroed is nothing. */
struct tally {
    double counts[COUNTERS_MAX], operations[COUNTERS_MAX];
    double faults, fault_operations; /* page faults of kept samples */
    double sleeps;                   /* of kept samples; NaN: not known */
    size_t kept, faulted, switched; /* samples: kept, with a fault, CPU lost or changed */
    size_t elsewhere;               /* kept, and on another CPU than the thread's own */
};

/* A sample was looked at; `kept` says whether it counts. */
void sonde_measure_tally_add(struct tally *tally, const struct reading *reading,
                             double operations, bool kept);
/* Sleeps per operation into `point`, where they are known. 0 or -ENOMEM. */
int sonde_measure_tally_sleeps(const struct tally *tally, struct series_point *point);
/* Counters per operation (events over all their samples, by operations over the same) and
 * page faults, where there are any, into `point`; flags POINT_FAULTED when more than one
 * sample in ten had a fault that is not `expected`, POINT_SWITCHED when more samples were
 * lost to a switch than kept, POINT_ELSEWHERE when any was. `list` may be NULL. 0 or
 * -ENOMEM. */
int sonde_measure_tally_deliver(const struct tally *tally,
                                const struct counter_list *list, bool expected,
                                struct series_point *point);

#endif
