/* From counts of samples to figures of a point.
 *
 * Events over operations, both summed over all samples in which the event was counted: a
 * mean, since counts are exact and have no tail to be robust against that would not also
 * disturb the time. Events of the system (page faults, switches) need no counter and are
 * looked at in every sample. What can fool it: the first samples after a placement carry
 * misses of their own where a sample is a part of a cycle. */
#include "measure/counting.h"

#include <errno.h>
#include <math.h>

/* More samples with a fault than this were not an accident. */
static const double faulted_share = 0.1;

void sonde_measure_tally_add(struct tally *tally, const struct reading *reading,
                             double operations, bool kept)
{
    tally->switched += reading->switched;
    if (!kept)
        return;
    tally->kept++;
    tally->elsewhere += reading->elsewhere;
    tally->faulted += reading->faults > 0;
    tally->faults += reading->faults;
    tally->sleeps += reading->sleeps;
    tally->fault_operations += operations;
    for (size_t i = 0; reading->counted && i < COUNTERS_MAX; i++)
        if (isfinite(reading->counts[i])) {
            tally->counts[i] += reading->counts[i];
            tally->operations[i] += operations;
        }
}

int sonde_measure_tally_deliver(const struct tally *tally,
                                const struct counter_list *list, bool expected,
                                struct series_point *point)
{
    for (size_t i = 0; list && i < list->count; i++)
        if (tally->operations[i] > 0 &&
            !sonde_measure_counter_add(point, list->events[i].name,
                                       tally->counts[i] / tally->operations[i]))
            return -ENOMEM;
    if (tally->faults > 0 &&
        !sonde_measure_counter_add(point, "page-faults",
                                   tally->faults / tally->fault_operations))
        return -ENOMEM;
    if (!expected && (double)tally->faulted > faulted_share * (double)tally->kept)
        point->flags |= POINT_FAULTED;
    if (tally->switched > tally->kept)
        point->flags |= POINT_SWITCHED;
    if (tally->elsewhere > 0)
        point->flags |= POINT_ELSEWHERE;
    return 0;
}

int sonde_measure_tally_sleeps(const struct tally *tally, struct series_point *point)
{
    if (tally->kept == 0 || isnan(tally->sleeps))
        return 0;
    return sonde_measure_counter_add(point, "sleeps",
                                     tally->sleeps / tally->fault_operations)
               ? 0
               : -ENOMEM;
}
