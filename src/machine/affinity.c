/* Which CPUs the calling thread may use, and putting it on one of them.
 *
 * The kernel refuses a mask shorter than its own (EINVAL), so the mask grows until it is
 * accepted; a fixed cpu_set_t fails on machines with more than 1024 CPUs. Some sandboxes
 * accept a binding and ignore it, so where the thread is gets asked afterwards, twice
 * over: the mask that is now in force, and the CPU the thread runs on.
 *
 * What can fool it: a sandbox that remembers the mask, reports the CPU asked for and
 * still moves the thread underneath; nothing a program can ask would tell. */
#include "machine/machine.h"

#include <errno.h>
#include <sched.h>

enum { FIRST_MASK_BITS = 1024 }; /* glibc's cpu_set_t; most kernels accept it at once */

/* Adds the members of a mask of `bits` bits. */
static int add_members(struct cpulist *list, const cpu_set_t *mask, unsigned bits)
{
    size_t size = CPU_ALLOC_SIZE(bits);
    for (unsigned cpu = 0; cpu < bits; cpu++) {
        if (!CPU_ISSET_S(cpu, size, mask))
            continue;
        int rc = sonde_base_cpulist_add(list, cpu);
        if (rc < 0)
            return rc;
    }
    return 0;
}

int sonde_machine_affinity_get(struct cpulist *list)
{
    struct cpulist found = {0};
    int rc = -EINVAL;
    for (unsigned bits = FIRST_MASK_BITS; rc == -EINVAL && bits <= SONDE_CPU_MAX;
         bits *= 2) {
        cpu_set_t *mask = CPU_ALLOC(bits);
        if (!mask)
            return -ENOMEM;
        CPU_ZERO_S(CPU_ALLOC_SIZE(bits), mask);
        rc = sched_getaffinity(0, CPU_ALLOC_SIZE(bits), mask) == 0 ? 0 : -errno;
        if (rc == 0)
            rc = add_members(&found, mask, bits);
        CPU_FREE(mask);
    }
    if (rc == 0 && sonde_base_cpulist_count(&found) == 0)
        rc = -ENODATA;
    if (rc == 0)
        rc = sonde_base_cpulist_copy(list, &found);
    sonde_base_cpulist_free(&found);
    return rc;
}

/* One attempt with a mask of `bits` bits. */
static int set_with_bits(const struct cpulist *list, unsigned bits)
{
    size_t size = CPU_ALLOC_SIZE(bits);
    cpu_set_t *mask = CPU_ALLOC(bits);
    if (!mask)
        return -ENOMEM;
    CPU_ZERO_S(size, mask);
    for (int cpu = sonde_base_cpulist_next(list, 0); cpu >= 0 && (unsigned)cpu < bits;
         cpu = sonde_base_cpulist_next(list, (unsigned)cpu + 1))
        CPU_SET_S((unsigned)cpu, size, mask);
    int rc = sched_setaffinity(0, size, mask) == 0 ? 0 : -errno;
    CPU_FREE(mask);
    return rc;
}

int sonde_machine_affinity_set(const struct cpulist *list)
{
    unsigned highest = 0;
    for (int cpu = sonde_base_cpulist_next(list, 0); cpu >= 0;
         cpu = sonde_base_cpulist_next(list, (unsigned)cpu + 1))
        highest = (unsigned)cpu;
    unsigned bits = FIRST_MASK_BITS;
    while (bits <= highest)
        bits *= 2;
    /* EINVAL means a mask too short or a CPU that is not allowed; only trying tells. */
    int rc = -EINVAL;
    for (; rc == -EINVAL && bits <= SONDE_CPU_MAX; bits *= 2)
        rc = set_with_bits(list, bits);
    return rc;
}

int sonde_machine_current_cpu(void)
{
    int cpu = sched_getcpu();
    return cpu < 0 ? -1 : cpu;
}

/* 0 when the mask in force is exactly `wanted`. */
static int verify_mask(const struct cpulist *wanted)
{
    struct cpulist now = {0};
    int rc = sonde_machine_affinity_get(&now);
    if (rc == 0 && !sonde_base_cpulist_equal(&now, wanted))
        rc = -EXDEV;
    sonde_base_cpulist_free(&now);
    return rc;
}

int sonde_machine_pin(unsigned cpu)
{
    struct cpulist only = {0};
    int rc = sonde_base_cpulist_add(&only, cpu);
    if (rc == 0)
        rc = sonde_machine_affinity_set(&only);
    if (rc == 0)
        rc = verify_mask(&only);
    int here = sonde_machine_current_cpu();
    if (rc == 0 && here >= 0 && (unsigned)here != cpu)
        rc = -EXDEV;
    sonde_base_cpulist_free(&only);
    return rc;
}
