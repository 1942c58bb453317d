/* How much memory a measurement may use, and what backs the memory it got.
 *
 * MemAvailable speaks of the host alone: in a container with a limit of 64 MiB it may
 * still say 24 GB, and a buffer sized from it gets the program killed. So the least of
 * the host, every control group above, and the limits of this process (RLIMIT_AS,
 * RLIMIT_DATA) is taken, each less what is already in use. A quarter of that is for the
 * whole program, which holds more than what it measures.
 *
 * What can fool it: memory that others take after the question was asked; swap, which is
 * not counted; and an over-committed host beneath a virtual machine, of which a guest
 * sees nothing. smaps tells what this kernel granted, not what the host underneath did.
 */
#include "base/text.h"
#include "machine/sources.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The share of the least headroom that the program may use: the machine is not ours. */
#define ALLOWED_SHARE 0.25

struct meminfo {
    double total, available;
};

static struct meminfo read_meminfo(const struct machine *machine)
{
    char *data = NULL;
    size_t length = 0;
    struct meminfo info = {NAN, NAN};
    if (sonde_machine_read_file(machine, &data, &length, "/proc/meminfo") < 0)
        return info;
    info.total = sonde_machine_field_bytes(data, "MemTotal");
    info.available = sonde_machine_field_bytes(data, "MemAvailable");
    /* Kernels before 3.14 have no MemAvailable; free memory alone is the safe reading. */
    if (isnan(info.available))
        info.available = sonde_machine_field_bytes(data, "MemFree");
    free(data);
    if (info.total == 0)
        info.total = NAN;
    return info;
}

/* The soft limit of a resource in bytes; NaN: none. */
static double process_limit(int resource)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return NAN;
    return (double)limit.rlim_cur;
}

/* A limit of this process less what it uses of it ("VmSize", "VmData"). */
static double process_headroom(const char *status, int resource, const char *used_key)
{
    double limit = process_limit(resource);
    if (isnan(limit))
        return NAN;
    double used = sonde_machine_field_bytes(status, used_key);
    return fmax(0, limit - (isnan(used) ? 0 : used));
}

static double least_process_headroom(const struct machine *machine)
{
    char *status = NULL;
    size_t length = 0;
    if (sonde_machine_read_file(machine, &status, &length, "/proc/self/status") < 0)
        status = NULL;
    double least = fmin(process_headroom(status, RLIMIT_AS, "VmSize"),
                        process_headroom(status, RLIMIT_DATA, "VmData"));
    free(status);
    return least;
}

double sonde_machine_memory_allowed(const struct machine *machine)
{
    struct memory_limit group;
    struct meminfo host = read_meminfo(machine);
    sonde_machine_cgroup_memory(machine, &group);
    double least = fmin(host.available, group.headroom);
    bool known = !isnan(least);
    if (!machine->sysroot)
        least = fmin(least, least_process_headroom(machine));
    if (isnan(least))
        return SONDE_MEMORY_CAP;
    double quarter = floor(least * ALLOWED_SHARE);
    double allowed = floor(quarter - fmin(SONDE_MEMORY_BESIDE, quarter / 2));
    /* Only limits of this process known: they say nothing of the memory there is. */
    return known ? allowed : fmin(allowed, SONDE_MEMORY_CAP);
}

double sonde_machine_memory_peak(const struct machine *machine)
{
    char *status = NULL;
    size_t length = 0;
    if (machine->sysroot ||
        sonde_machine_read_file(machine, &status, &length, "/proc/self/status") < 0)
        return NAN;
    double peak = sonde_machine_field_bytes(status, "VmHWM");
    free(status);
    return peak;
}

static void grant(struct machine *machine, double bytes, const char *by)
{
    if (isnan(bytes) || bytes >= machine->memory_granted)
        return;
    machine->memory_granted = bytes;
    snprintf(machine->memory_granted_by, sizeof machine->memory_granted_by, "%s", by);
}

void sonde_machine_open_memory(struct machine *machine)
{
    struct memory_limit group;
    struct meminfo host = read_meminfo(machine);
    machine->memory_installed = host.total;
    machine->memory_available = host.available;
    machine->memory_granted = host.total;
    if (!isnan(host.total))
        snprintf(machine->memory_granted_by, sizeof machine->memory_granted_by,
                 "the host");
    sonde_machine_cgroup_memory(machine, &group);
    grant(machine, group.bytes, group.by);
    machine->stack_limit = NAN;
    if (machine->sysroot)
        return;
    grant(machine, process_limit(RLIMIT_AS), "RLIMIT_AS");
    grant(machine, process_limit(RLIMIT_DATA), "RLIMIT_DATA");
    machine->stack_limit = process_limit(RLIMIT_STACK);
}

/* --- what backs a range
 * -------------------------------------------------------------------- */

struct range {
    uintptr_t start, end;
};

static double overlap(struct range a, struct range b)
{
    uintptr_t start = a.start > b.start ? a.start : b.start;
    uintptr_t end = a.end < b.end ? a.end : b.end;
    return start < end ? (double)(end - start) : 0;
}

/* Adds one attribute line of a mapping that overlaps. smaps counts by mapping, so a
 * mapping that reaches beyond the range is taken in proportion. */
static void add_attribute(const char *line, double share, struct page_backing *backing)
{
    char key[32];
    double kib;
    if (sscanf(line, "%31[^:]: %lf kB", key, &kib) != 2)
        return;
    double bytes = kib * 1024 * share;
    if (strcmp(key, "Rss") == 0)
        backing->resident_bytes += bytes;
    else if (strcmp(key, "AnonHugePages") == 0 || strcmp(key, "ShmemPmdMapped") == 0 ||
             strcmp(key, "Private_Hugetlb") == 0 || strcmp(key, "Shared_Hugetlb") == 0)
        backing->huge_bytes += bytes;
}

static void scan_smaps(FILE *smaps, struct range wanted, struct page_backing *backing)
{
    char *line = NULL;
    size_t capacity = 0;
    double share = 0;
    *backing = (struct page_backing){0};
    while (getline(&line, &capacity, smaps) > 0) {
        struct range mapping;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &mapping.start, &mapping.end) ==
            2) {
            double common = overlap(mapping, wanted);
            if (mapping.start >= wanted.end)
                break; /* smaps ascends */
            share = common > 0 ? common / (double)(mapping.end - mapping.start) : 0;
            backing->mapped_bytes += common;
        } else if (share > 0) {
            add_attribute(line, share, backing);
        }
    }
    free(line);
}

int sonde_machine_backing(const void *start, size_t bytes, struct page_backing *backing)
{
    *backing = (struct page_backing){NAN, NAN, NAN};
    FILE *smaps = fopen("/proc/self/smaps", "re");
    if (!smaps)
        return -errno;
    struct range wanted = {(uintptr_t)start, (uintptr_t)start + bytes};
    scan_smaps(smaps, wanted, backing);
    /* Hugetlb pages are not part of Rss. */
    if (backing->resident_bytes < backing->huge_bytes)
        backing->resident_bytes = backing->huge_bytes;
    int rc = ferror(smaps) ? -EIO : 0;
    fclose(smaps);
    if (rc < 0 || backing->mapped_bytes == 0) {
        *backing = (struct page_backing){NAN, NAN, NAN};
        return rc < 0 ? rc : -ENODATA;
    }
    return 0;
}
