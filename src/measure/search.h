/* Lines that share a set of a cache indexed by physical addresses, found by time alone.
 *
 * As many lines as the cache holds are gathered one by one; each further line then makes
 * one set overflow, and those whose absence ends that are the lines of the set. */
#ifndef SONDE_MEASURE_SEARCH_H
#define SONDE_MEASURE_SEARCH_H

#include "measure/harness.h"

/* Runs the search of `plan` on memory that is reserved already; `series` is the first of
 * the plan's. Adds to its series `groups` a point (try, group) for each group, its value
 * the number of lines without which the set no longer overflows, and to `held` a point
 * (try) with the number of lines that the cache held. `start_s` is when the plan began.
 * 0, -ENOMEM, or an error of the meter; out of time is none: the tries that were finished
 * are there. */
int sonde_measure_search(const struct plan *plan, struct meter *meter,
                         const struct scales *scales, const struct run_control *control,
                         double start_s, struct series *series, struct message *why);

#endif
