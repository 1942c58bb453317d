/* What the control groups above this process grant it: memory, CPU time, CPUs.
 *
 * Every level counts, not only the nearest: a limit of a grandparent kills just as well.
 * v2 says memory.max (hard) and memory.high (throttled from there on, so no place for a
 * measurement either) and "max" for none; v1 says memory.limit_in_bytes, with a huge
 * number for none (PAGE_COUNTER_MAX pages: 0x7FFFFFFFFFFFF000 with 4 KiB pages, a little
 * less with larger ones), and memory.stat carries the least limit of all levels, even of
 * those that a container cannot see. Usage is counted without the inactive file pages,
 * which the kernel gives back when memory is asked for.
 *
 * What can fool it: limits above the root of a container's own view in v2; and limits
 * that change while the program runs, which is why the memory allowed is read anew each
 * time. */
#include "base/text.h"
#include "base/units.h"
#include "machine/sources.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Far above any memory, far below every spelling of "no limit" in v1. */
#define UNLIMITED 0x1p62

/* A limit in bytes; NaN for "max", the huge number of v1, or no such file. */
static double read_limit(const struct machine *machine, const char *folder,
                         const char *file)
{
    double bytes;
    if (sonde_machine_read_count(machine, &bytes, "%s/%s", folder, file) < 0 ||
        bytes >= UNLIMITED)
        return NAN;
    return bytes;
}

/* "name 123" in a memory.stat held in memory; NaN when absent. */
static double stat_value(const char *stat, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = stat; line && *line;) {
        if (strncmp(line, name, length) == 0 && line[length] == ' ')
            return strtod(line + length + 1, NULL);
        line = strchr(line, '\n');
        if (line)
            line++;
    }
    return NAN;
}

struct level_memory {
    double limit, usage;
};

static struct level_memory read_memory(const struct machine *machine,
                                       const struct cgroup_level *level)
{
    const char *folder = level->folder;
    char *stat = NULL;
    size_t length = 0;
    struct level_memory memory = {NAN, NAN};
    if (sonde_machine_read_file(machine, &stat, &length, "%s/memory.stat", folder) < 0)
        stat = NULL;
    double reclaimable;
    if (level->unified) {
        memory.limit = fmin(read_limit(machine, folder, "memory.max"),
                            read_limit(machine, folder, "memory.high"));
        memory.usage = read_limit(machine, folder, "memory.current");
        reclaimable = stat_value(stat, "inactive_file");
    } else {
        bool top = strcmp(level->path, "/") == 0;
        double above = stat_value(stat, "hierarchical_memory_limit");
        memory.limit = fmin(read_limit(machine, folder, "memory.limit_in_bytes"),
                            top && above < UNLIMITED ? above : NAN);
        memory.usage = read_limit(machine, folder, "memory.usage_in_bytes");
        reclaimable = stat_value(stat, "total_inactive_file");
    }
    if (reclaimable > 0)
        memory.usage = fmax(0, memory.usage - reclaimable);
    free(stat);
    return memory;
}

static void name_level(const struct cgroup_level *level, char *out, size_t size)
{
    snprintf(out, size, "cgroup %.*s (%s)", (int)size - 16, level->path,
             level->unified ? "v2" : "v1");
}

struct least {
    const struct machine *machine;
    struct memory_limit *limit;
};

static int take_least(void *context, const struct cgroup_level *level)
{
    struct least *least = context;
    struct level_memory memory = read_memory(least->machine, level);
    if (isnan(memory.limit))
        return 0;
    if (!(memory.limit > least->limit->bytes)) { /* of equals, the highest set it */
        least->limit->bytes = memory.limit;
        name_level(level, least->limit->by, sizeof least->limit->by);
    }
    double used = isnan(memory.usage) ? 0 : memory.usage;
    least->limit->headroom = fmin(least->limit->headroom, fmax(0, memory.limit - used));
    return 0;
}

int sonde_machine_cgroup_memory(const struct machine *machine, struct memory_limit *limit)
{
    *limit = (struct memory_limit){.bytes = NAN, .headroom = NAN};
    struct least least = {machine, limit};
    return sonde_machine_cgroup_each(machine, "memory", take_least, &least);
}

/* --- CPUs
 * --------------------------------------------------------------------------------- */

struct cpu_search {
    const struct machine *machine;
    struct cpulist *list;
};

static int take_cpus(void *context, const struct cgroup_level *level)
{
    static const char *const files[] = {"cpuset.cpus.effective", "cpuset.effective_cpus",
                                        "cpuset.cpus", "cpus"};
    struct cpu_search *search = context;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        int rc = sonde_machine_read_cpus(search->machine, search->list, "%s/%s",
                                         level->folder, files[i]);
        if (rc == -ENOMEM)
            return rc;
        if (rc == 0 && sonde_base_cpulist_count(search->list))
            return 1; /* the nearest level that has any */
    }
    return 0;
}

int sonde_machine_cgroup_cpus(const struct machine *machine, struct cpulist *list)
{
    struct cpu_search search = {machine, list};
    int rc = sonde_machine_cgroup_each(machine, "cpuset", take_cpus, &search);
    if (rc < 0)
        return rc;
    return rc == 1 ? 0 : -ENOENT;
}

/* --- CPU time
 * ------------------------------------------------------------------------------ */

/* v2: "50000 100000" or "max 100000". v1: two files, quota -1 for none. */
static double read_quota(const struct machine *machine, const struct cgroup_level *level)
{
    char line[64];
    double quota, period;
    if (level->unified) {
        unsigned long long a, b;
        if (sonde_machine_read_line(machine, line, sizeof line, "%s/cpu.max",
                                    level->folder) < 0 ||
            sscanf(line, "%llu %llu", &a, &b) != 2 || b == 0)
            return NAN;
        return (double)a / (double)b;
    }
    if (sonde_machine_read_count(machine, &quota, "%s/cpu.cfs_quota_us", level->folder) <
            0 ||
        sonde_machine_read_count(machine, &period, "%s/cpu.cfs_period_us",
                                 level->folder) < 0 ||
        quota <= 0 || period <= 0)
        return NAN;
    return quota / period;
}

struct quota_search {
    const struct machine *machine;
    double least;
};

static int take_quota(void *context, const struct cgroup_level *level)
{
    struct quota_search *search = context;
    search->least = fmin(search->least, read_quota(search->machine, level));
    return 0;
}

double sonde_machine_cgroup_quota(const struct machine *machine)
{
    struct quota_search search = {machine, NAN};
    sonde_machine_cgroup_each(machine, "cpu", take_quota, &search);
    return search.least;
}

/* --- the rows
 * -------------------------------------------------------------------------------- */

struct rows {
    const struct machine *machine;
    struct facts *facts;
    size_t limits;
};

static int add_limit(void *context, const struct cgroup_level *level)
{
    struct rows *rows = context;
    struct level_memory memory = read_memory(rows->machine, level);
    if (isnan(memory.limit))
        return 0;
    const char *source = level->unified ? "cgroup.v2" : "cgroup.v1";
    struct fact *fact = sonde_machine_fact_number(rows->facts, "memory.limit", source,
                                                  "cgroup", "bytes", memory.limit);
    if (!fact)
        return -ENOMEM;
    rows->limits++;
    if (isnan(memory.usage))
        sonde_machine_fact_note(fact, "cgroup %s", level->path);
    else
        sonde_machine_fact_note(fact, "cgroup %s, %s in use", level->path,
                                sonde_base_format_bytes(memory.usage).text);
    return 0;
}

static int add_cpus(const struct machine *machine, struct facts *facts)
{
    char text[256];
    struct cpulist list = {0};
    int rc = sonde_machine_cgroup_cpus(machine, &list);
    if (rc == 0) {
        sonde_base_cpulist_format(&list, text, sizeof text);
        struct fact *fact =
            sonde_machine_fact_text(facts, "cpus.cpuset", "cgroup", "cgroup", text);
        if (fact)
            fact->value = (double)sonde_base_cpulist_count(&list);
        rc = fact ? 0 : -ENOMEM;
    }
    sonde_base_cpulist_free(&list);
    return rc == -ENOMEM ? rc : 0;
}

int sonde_machine_source_cgroup(const struct machine *machine, unsigned cpu,
                                struct facts *facts)
{
    (void)cpu;
    struct rows rows = {machine, facts, 0};
    int rc = sonde_machine_cgroup_each(machine, "memory", add_limit, &rows);
    if (rc == -ENOMEM)
        return rc;
    const char *nothing = rc == -ENOENT ? "no control groups are mounted"
                                        : "no control group above sets a limit";
    if (rows.limits == 0 && !sonde_machine_fact_unknown(facts, "memory.limit", "cgroup",
                                                        "cgroup", "bytes", nothing))
        return -ENOMEM;
    double quota = sonde_machine_cgroup_quota(machine);
    struct fact *fact =
        isnan(quota)
            ? sonde_machine_fact_text(facts, "cpu.quota", "cgroup", "cgroup", "none")
            : sonde_machine_fact_number(facts, "cpu.quota", "cgroup", "cgroup", "count",
                                        quota);
    if (!fact)
        return -ENOMEM;
    return add_cpus(machine, facts);
}
