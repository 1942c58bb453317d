/* Sets of CPUs, as a bitmap that grows (machines with more than 1024 CPUs exist), and the
 * kernel's list grammar: "0-3,8", "0", "0-15:2/4", "" and a trailing newline. */
#ifndef SONDE_BASE_CPULIST_H
#define SONDE_BASE_CPULIST_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { SONDE_CPU_MAX = 65536 }; /* far above any kernel's NR_CPUS; bounds hostile input */

struct cpulist {
    unsigned long *bits; /* NULL when empty; owned */
    size_t words;
};

/* Releases and leaves an empty list. */
void sonde_base_cpulist_free(struct cpulist *list);
/* 0 or -EINVAL (with what is wrong: "0-", "3-1", "x", a CPU >= SONDE_CPU_MAX), -ENOMEM.
 * `list` must be initialised (zeroed is empty); its former contents are replaced on
 * success only. */
int sonde_base_cpulist_parse(struct cpulist *list, const char *text, struct message *why);
int sonde_base_cpulist_add(struct cpulist *list, unsigned cpu);
void sonde_base_cpulist_remove(struct cpulist *list, unsigned cpu);
bool sonde_base_cpulist_has(const struct cpulist *list, unsigned cpu);
size_t sonde_base_cpulist_count(const struct cpulist *list);
/* The first member >= from, or -1. Iterate: for (int c = next(l, 0); c >= 0;
 * c = next(l, (unsigned)c + 1)). */
int sonde_base_cpulist_next(const struct cpulist *list, unsigned from);
int sonde_base_cpulist_copy(struct cpulist *to, const struct cpulist *from);
/* `list` becomes its intersection with `other`. */
void sonde_base_cpulist_intersect(struct cpulist *list, const struct cpulist *other);
bool sonde_base_cpulist_equal(const struct cpulist *a, const struct cpulist *b);
/* "0-3,8" into `out` (cut with "..." when it does not fit); returns `out`. */
char *sonde_base_cpulist_format(const struct cpulist *list, char *out, size_t size);

#endif
