/* Lines that share a set of a cache indexed by physical addresses, found by time alone.
 *
 * Of more lines than their sets hold those go that the others miss least, until the lines
 * of one set are left; with one more than it holds, each of them ends the overflow by its
 * absence. */
#ifndef SONDE_MEASURE_SEARCH_H
#define SONDE_MEASURE_SEARCH_H

#include "measure/harness.h"

/* Runs the search of `plan` on memory that is reserved already; `series` is the first of
 * the plan's. Adds to its series `groups` points (try, count): how many lines the set of
 * this try holds, counted twice; a single 0 where no set was found to overflow. To its
 * series `partners`, for tries that counted alike, points (try, what): how many lines at
 * random were tried, and how many of them are of the set. `start_s` is when the plan
 * began. 0, -ENOMEM, or an error of the meter; out of time is none: the tries that were
 * finished are there. */
int sonde_measure_search(const struct plan *plan, struct meter *meter,
                         const struct scales *scales, const struct run_control *control,
                         double start_s, struct series *series, struct message *why);

#endif
