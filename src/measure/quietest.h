/* Which of several equal CPUs is disturbed least right now. */
#ifndef SONDE_MEASURE_QUIETEST_H
#define SONDE_MEASURE_QUIETEST_H

#include "base/cpulist.h"

#include <stddef.h>

/* Undisturbed moments of one CPU in the time that it was looked at. */
struct cpu_quiet {
    unsigned cpu;
    double quiet; /* moments a millisecond with the whole core; 0: none, or not bound */
};

/* Index of the CPU to take: the first one unless another had clearly more quiet moments.
 * `count` must not be 0. */
size_t sonde_measure_most_quiet(const struct cpu_quiet *cpus, size_t count);

/* The CPU to take, and what it was preferred to. */
struct cpu_choice {
    size_t looked_at;              /* CPUs; 1: there was nothing to choose */
    struct cpu_quiet taken, first; /* `first`: of the list; where 1, not looked at */
};

/* Looks at up to 16 CPUs of `cpus`, evenly spread, some 30 ms each, and leaves the thread
 * bound to the last one. 0 with the least disturbed in `*choice`; -ENODATA for an empty
 * list; -ENOMEM. */
int sonde_measure_quietest(const struct cpulist *cpus, struct cpu_choice *choice);

#endif
