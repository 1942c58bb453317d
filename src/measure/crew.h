/* A crew: threads that work at the same time, each on its own CPU.
 *
 * Every member is bound to one CPU and asks where it is before and after its work; all
 * start together at a spin barrier. "Asked" is not "granted": a member that was
 * elsewhere, or members that hardly overlapped in time, make the result worthless, and
 * the crew says so. */
#ifndef SONDE_MEASURE_CREW_H
#define SONDE_MEASURE_CREW_H

#include "base/cpulist.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct crew_report {
    int cpu_asked, cpu_before, cpu_after; /* -1: could not be told */
    int bound; /* 0, or why the member could not be bound when it first ran (errno < 0) */
    uint64_t start_ns, end_ns; /* raw clock */
};

struct crew;

/* One thread per CPU of `cpus`. 0 or a negative errno with one line (once, with the count
 * of threads that failed, however many did). */
int sonde_measure_crew_open(struct crew **crew, const struct cpulist *cpus,
                            struct message *why);
size_t sonde_measure_crew_size(const struct crew *crew);
/* Runs `work(argument, member)` on all members, started together; returns when all have
 * ended. */
void sonde_measure_crew_run(struct crew *crew,
                            void (*work)(void *argument, size_t member), void *argument);
const struct crew_report *sonde_measure_crew_report(const struct crew *crew,
                                                    size_t member);
/* Of the last run: were all members where they were asked to be, before and after? */
bool sonde_measure_crew_in_place(const struct crew *crew);
/* Of the last run: the time all were at work over the time any was. 0 to 1. */
double sonde_measure_crew_overlap(const struct crew *crew);
void sonde_measure_crew_close(struct crew *crew);

#endif
