/* Which CPUs the calling thread may use, and putting it on one of them.
 *
 * The kernel refuses a mask shorter than its own (EINVAL), so the mask grows until it is
 * accepted; a fixed cpu_set_t fails on machines with more than 1024 CPUs. Some sandboxes
 * accept a binding and ignore it, so where the thread is gets asked afterwards: the mask
 * that is now in force, the CPU the thread runs on, and where that matters most the
 * process table, which the scheduler keeps.
 *
 * What can fool it: a sandbox whose process table repeats what was asked for too; nothing
 * a program can ask would tell. */
#include "machine/machine.h"

#include "base/text.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

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

/* Field 39 of the line; the second one is a name in brackets and may hold anything. */
static int cpu_by_table(void)
{
    enum { SECOND = 2, PROCESSOR = 39 };
    char line[1024];
    if (sonde_base_read_line("/proc/thread-self/stat", line, sizeof line) < 0)
        return -1;
    const char *at = strrchr(line, ')');
    for (int field = SECOND; at && field < PROCESSOR; field++)
        at = strchr(at + 1, ' ');
    return at ? atoi(at + 1) : -1;
}

int sonde_machine_current_cpu(void)
{
    int cpu = sched_getcpu();
    return cpu < 0 ? cpu_by_table() : cpu;
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

/* Binds the calling thread to the one CPU of the list, and looks whether that holds. */
static int bind_to(const struct cpulist *only, unsigned cpu)
{
    int rc = sonde_machine_affinity_set(only);
    if (rc == 0)
        rc = verify_mask(only);
    int here = sonde_machine_current_cpu();
    if (rc == 0 && here >= 0 && (unsigned)here != cpu)
        rc = -EXDEV;
    return rc;
}

/* What was accepted and does not hold may have been undone by somebody else between the
 * call and the look, who moves the thread from outside; a system that only pretends to
 * bind pretends every time. */
#define BINDING_TRIES 10

int sonde_machine_pin(unsigned cpu)
{
    struct cpulist only = {0};
    int rc = sonde_base_cpulist_add(&only, cpu);
    if (rc == 0)
        rc = -EXDEV;
    for (int tries = 0; tries < BINDING_TRIES && rc == -EXDEV; tries++)
        rc = bind_to(&only, cpu);
    sonde_base_cpulist_free(&only);
    return rc;
}

/* Accepted and not honoured: by which witness? */
static int explain(unsigned cpu, int table, struct message *why)
{
    struct cpulist now = {0};
    char mask[64];
    int here = sonde_machine_current_cpu();
    bool alone = sonde_machine_affinity_get(&now) == 0 &&
                 sonde_base_cpulist_count(&now) == 1 && sonde_base_cpulist_has(&now, cpu);
    sonde_base_cpulist_format(&now, mask, sizeof mask);
    sonde_base_cpulist_free(&now);
    if (here >= 0 && table >= 0 && here != table)
        return sonde_base_fail(why, -EXDEV,
                               "the thread was bound to CPU %u; the C library says it "
                               "runs on CPU %d, the process table CPU %d",
                               cpu, here, table);
    if (!alone)
        return sonde_base_fail(why, -EXDEV,
                               "binding to CPU %u was accepted and not honoured: the "
                               "thread may still run on %s",
                               cpu, mask);
    return sonde_base_fail(why, -EXDEV,
                           "binding to CPU %u was accepted and not honoured: the thread "
                           "runs on CPU %d",
                           cpu, table >= 0 ? table : here);
}

int sonde_machine_pin_proven(unsigned cpu, struct message *why)
{
    int rc = sonde_machine_pin(cpu), table = cpu_by_table();
    if (rc == 0 && table >= 0 && (unsigned)table != cpu)
        rc = -EXDEV;
    if (rc == -EXDEV)
        return explain(cpu, table, why);
    return rc == 0 ? 0
                   : sonde_base_fail(why, rc, "binding to CPU %u was refused: %s", cpu,
                                     strerror(-rc));
}
