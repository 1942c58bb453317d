/* Hardware counters of the calling thread, by perf_event_open.
 *
 * Names are neutral ones (cycles, instructions, l1-misses, llc-misses, tlb-misses,
 * mispredictions), or those of libpfm4 where it is built in. Events are put into groups
 * that the core can count at once; begin() and end() count one group at a time, all of
 * them alike, so that nothing is ever estimated from part of the time. */
#ifndef SONDE_MACHINE_COUNTERS_H
#define SONDE_MACHINE_COUNTERS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COUNTERS_MAX = 16, COUNTER_NAME = 64 };

struct counter_event {
    char name[COUNTER_NAME]; /* as it was asked for */
    uint32_t type;           /* of perf_event_attr, as are the others */
    uint64_t config, config1, config2;
};

struct counter_list {
    struct counter_event events[COUNTERS_MAX];
    size_t count;
};

/* "cycles,l1-misses,..." without spaces; -EINVAL with one line for a name that is none, a
 * name twice, too many, or nothing. */
int sonde_machine_counters_parse(struct counter_list *list, const char *text,
                                 struct message *why);
/* A name of libpfm4 (event_names.c). 0; -ENOENT: it has none such for this processor;
 * -ENOTSUP: it is not built in. */
int sonde_machine_event_find(const char *name, struct counter_event *event);

/* Which of `groups` is counted next; `phase` is advanced. All come alike often, also
 * among every second, third, ... turn. */
size_t sonde_machine_counters_turn(uint64_t *phase, size_t groups);

struct counters;

/* Opens what the kernel gives to this thread. 0, with a line in `why` for events that
 * were not given; a negative errno and the reason when none was: nothing is then to
 * close. */
int sonde_machine_counters_open(const struct counter_list *list,
                                struct counters **counters, struct message *why);
void sonde_machine_counters_close(struct counters *counters);
/* Counts from 0 from here on, the next group in turn. */
void sonde_machine_counters_begin(struct counters *counters);
/* Stops; fills one value per event of the list, NaN for events of other groups and where
 * the kernel did not count all the time. */
void sonde_machine_counters_end(struct counters *counters, double *values);

/* Whether a counter of cycles opens: 0 or a negative errno. */
int sonde_machine_counters_try(void);
/* "forbidden to this process (EACCES, perf_event_paranoid 3)". */
void sonde_machine_counters_reason(int code, const char *paranoid, char *out,
                                   size_t size);

#endif
