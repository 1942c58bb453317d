/* The declared cores, as a number for each CPU.
 *
 * What can fool it: hypervisors declare what they please, which is why pairs are held
 * against it by contention. */
#include "infer/cores.h"

#include "base/cpulist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static long count_pairs(const int *core, size_t count, int cores)
{
    size_t *members = calloc((size_t)cores + 1, sizeof *members);
    long pairs = 0;

    if (!members)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        if (core[i] != CORE_UNKNOWN)
            pairs += (long)members[core[i]]++;
    free(members);
    return pairs;
}

long sonde_infer_cores(const char *text, const unsigned *cpus, size_t count, int *core)
{
    struct cpulist threads = {0};
    char *copy = text ? strdup(text) : NULL, *rest = copy, *one;
    int cores = 0, error = copy ? 0 : text ? -ENOMEM : -EINVAL;

    for (size_t i = 0; i < count; i++)
        core[i] = CORE_UNKNOWN;
    while (!error && (one = strsep(&rest, ";"))) {
        one += strspn(one, " ");
        error = sonde_base_cpulist_parse(&threads, one, NULL);
        for (size_t i = 0; i < count && !error; i++)
            if (sonde_base_cpulist_has(&threads, cpus[i]))
                core[i] = cores;
        cores++;
    }
    sonde_base_cpulist_free(&threads);
    free(copy);
    for (size_t i = 0; i < count && error; i++)
        core[i] = CORE_UNKNOWN;
    return error ? error : count_pairs(core, count, cores);
}
