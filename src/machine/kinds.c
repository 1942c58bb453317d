/* Kinds of core: groups of allowed CPUs that are not built alike.
 *
 * Several ways to tell, the plainest first; the first that yields more than one group
 * wins:
 *   1. /sys/devices/cpu_core/cpus and cpu_atom/cpus: the kernel's lists for Intel
 * hybrids.
 *   2. The core type in CPUID, read on each CPU (live machine only).
 *   3. cpu_capacity. Values within 5 % are one kind: favoured cores of the same design
 *      differ by a few percent in their highest clock.
 *   4. MIDR_EL1 (Arm): the part number of the core.
 *   5. The first-level caches, where every CPU declares both of them.
 * The two-kind cases are named by which has the higher capacity or clock.
 *
 * What can fool it: a machine that hides all of these from a guest looks uniform; and two
 * kinds of core with equal caches and clocks count as one, which then does no harm. */
#include "base/text.h"
#include "base/units.h"
#include "machine/sources.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"

#define CPU_FOLDER "/sys/devices/system/cpu"

enum {
    KINDS_MAX = 8,          /* no shipped part has more than four kinds */
    CAPACITY_TOLERANCE = 5, /* percent; see above */
};

static int kind_add(struct machine *machine, const char *name, const struct cpulist *cpus)
{
    struct core_kind *kinds =
        realloc(machine->kinds, (machine->kind_count + 1) * sizeof *kinds);
    if (!kinds)
        return -ENOMEM;
    machine->kinds = kinds;
    struct core_kind *kind = &kinds[machine->kind_count];
    *kind = (struct core_kind){0};
    snprintf(kind->name, sizeof kind->name, "%s", name);
    int rc = sonde_base_cpulist_copy(&kind->cpus, cpus);
    if (rc == 0)
        machine->kind_count++;
    return rc;
}

static void kinds_clear(struct machine *machine)
{
    for (size_t i = 0; i < machine->kind_count; i++)
        sonde_base_cpulist_free(&machine->kinds[i].cpus);
    free(machine->kinds);
    machine->kinds = NULL;
    machine->kind_count = 0;
}

/* Puts `cpu` into the kind called `name`. */
static int kind_place(struct machine *machine, const char *name, unsigned cpu)
{
    for (size_t i = 0; i < machine->kind_count; i++)
        if (strcmp(machine->kinds[i].name, name) == 0)
            return sonde_base_cpulist_add(&machine->kinds[i].cpus, cpu);
    if (machine->kind_count == KINDS_MAX)
        return -E2BIG;
    struct cpulist only = {0};
    int rc = sonde_base_cpulist_add(&only, cpu);
    if (rc == 0)
        rc = kind_add(machine, name, &only);
    sonde_base_cpulist_free(&only);
    return rc;
}

/* --- 1: the kernel's own lists ---------------------------------------------------------
 */

static int kinds_from_lists(struct machine *machine)
{
    static const struct {
        const char *folder, *name;
    } lists[] = {{"cpu_core", "performance"},
                 {"cpu_atom", "efficient"},
                 {"cpu_lowpower", "low power"}};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof lists / sizeof *lists; i++) {
        struct cpulist cpus = {0};
        if (sonde_machine_read_cpus(machine, &cpus, "/sys/devices/%s/cpus",
                                    lists[i].folder) == 0) {
            sonde_base_cpulist_intersect(&cpus, &machine->allowed);
            if (sonde_base_cpulist_count(&cpus))
                rc = kind_add(machine, lists[i].name, &cpus);
        }
        sonde_base_cpulist_free(&cpus);
    }
    return rc;
}

/* --- 2 to 5: one label per CPU, CPUs of one label are one kind
 * --------------------------- */

typedef int labeller(const struct machine *machine, unsigned cpu, char *label,
                     size_t size);

static int label_by_registers(const struct machine *machine, unsigned cpu, char *label,
                              size_t size)
{
    struct arch_core core;
    if (machine->sysroot)
        return -ENOTSUP;
    int rc = sonde_machine_pin(cpu);
    if (rc < 0)
        return rc;
    sonde_arch_core(&core);
    snprintf(label, size, "%s", core.kind);
    return *label ? 0 : -ENODATA;
}

static int label_by_part(const struct machine *machine, unsigned cpu, char *label,
                         size_t size)
{
    char line[40];
    int rc =
        sonde_machine_read_line(machine, line, sizeof line,
                                CPU_FOLDER "/cpu%u/regs/identification/midr_el1", cpu);
    if (rc < 0)
        return rc;
    unsigned long long midr = strtoull(line, NULL, 16);
    if (midr == 0)
        return -ENODATA;
    /* MIDR_EL1: implementer in bits 31:24, part in 15:4 (Arm ARM). */
    snprintf(label, size, "part %#x:%#x", (unsigned)(midr >> 24) & 0xff,
             (unsigned)(midr >> 4) & 0xfff);
    return 0;
}

struct first_level {
    double data, instruction;
};

/* The sizes of L1d and L1i among index0 to index7, by level and type. */
static int read_first_level(const struct machine *machine, unsigned cpu,
                            struct first_level *sizes)
{
    *sizes = (struct first_level){NAN, NAN};
    for (unsigned i = 0; i < 8; i++) {
        char level[16], type[24], size[32];
        uint64_t bytes;
        if (sonde_machine_read_line(machine, level, sizeof level,
                                    CPU_FOLDER "/cpu%u/cache/index%u/level", cpu,
                                    i) < 0 ||
            strcmp(level, "1") != 0)
            continue;
        if (sonde_machine_read_line(machine, type, sizeof type,
                                    CPU_FOLDER "/cpu%u/cache/index%u/type", cpu, i) < 0 ||
            sonde_machine_read_line(machine, size, sizeof size,
                                    CPU_FOLDER "/cpu%u/cache/index%u/size", cpu, i) < 0 ||
            sonde_base_parse_size(size, &bytes) < 0)
            continue;
        if (strcmp(type, "Data") == 0)
            sizes->data = (double)bytes;
        else if (strcmp(type, "Instruction") == 0)
            sizes->instruction = (double)bytes;
    }
    return isnan(sizes->data) || isnan(sizes->instruction) ? -ENODATA : 0;
}

static int label_by_caches(const struct machine *machine, unsigned cpu, char *label,
                           size_t size)
{
    struct first_level sizes;
    int rc = read_first_level(machine, cpu, &sizes);
    if (rc == 0)
        snprintf(label, size, "L1 %.0f+%.0f KiB", sizes.data / 1024,
                 sizes.instruction / 1024);
    return rc;
}

/* Groups by label; any CPU without one makes the whole way useless (an error). */
static int kinds_by_label(struct machine *machine, labeller *label_of)
{
    int rc = 0;
    for (int cpu = sonde_base_cpulist_next(&machine->allowed, 0); rc == 0 && cpu >= 0;
         cpu = sonde_base_cpulist_next(&machine->allowed, (unsigned)cpu + 1)) {
        char label[24];
        rc = label_of(machine, (unsigned)cpu, label, sizeof label);
        if (rc == 0)
            rc = kind_place(machine, label, (unsigned)cpu);
    }
    return rc;
}

static int kinds_from_registers(struct machine *machine)
{
    struct cpulist before = {0};
    struct arch_core core;
    if (machine->sysroot)
        return -ENOTSUP;
    sonde_arch_core(&core);
    if (!core.kind[0]) /* not a hybrid part: spare the tour of all CPUs */
        return -ENODATA;
    int rc = sonde_machine_affinity_get(&before);
    if (rc == 0)
        rc = kinds_by_label(machine, label_by_registers);
    if (sonde_base_cpulist_count(&before))
        sonde_machine_affinity_set(&before);
    sonde_base_cpulist_free(&before);
    return rc;
}

static int kinds_from_parts(struct machine *machine)
{
    return kinds_by_label(machine, label_by_part);
}

static int kinds_from_caches(struct machine *machine)
{
    return kinds_by_label(machine, label_by_caches);
}

/* --- 3: capacity, with a tolerance
 * ------------------------------------------------------- */

struct capacity {
    double value;
    unsigned cpu;
};

static int compare_capacity(const void *a, const void *b)
{
    const struct capacity *left = a, *right = b;
    if (left->value != right->value)
        return left->value < right->value ? 1 : -1;
    return left->cpu < right->cpu ? -1 : 1;
}

static int read_capacities(const struct machine *machine, struct capacity *rows,
                           size_t *count)
{
    for (int cpu = sonde_base_cpulist_next(&machine->allowed, 0); cpu >= 0;
         cpu = sonde_base_cpulist_next(&machine->allowed, (unsigned)cpu + 1)) {
        double value;
        int rc = sonde_machine_read_count(machine, &value,
                                          CPU_FOLDER "/cpu%d/cpu_capacity", cpu);
        if (rc < 0 || value <= 0)
            return rc < 0 ? rc : -ENODATA;
        rows[(*count)++] = (struct capacity){value, (unsigned)cpu};
    }
    return 0;
}

static int kinds_from_capacity(struct machine *machine)
{
    size_t count = 0;
    size_t size = sonde_base_cpulist_count(&machine->allowed);
    struct capacity *rows = calloc(size ? size : 1, sizeof *rows);
    if (!rows)
        return -ENOMEM;
    int rc = read_capacities(machine, rows, &count);
    if (rc == 0 && count)
        qsort(rows, count, sizeof *rows, compare_capacity);
    double head = NAN;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        char name[24];
        /* Descending: a new kind begins where the fall from its first member is too deep.
         */
        if (i == 0 || rows[i].value * 100 < head * (100 - CAPACITY_TOLERANCE))
            head = rows[i].value;
        snprintf(name, sizeof name, "capacity %.0f", head);
        rc = kind_place(machine, name, rows[i].cpu);
    }
    free(rows);
    return rc;
}

/* --- all of it
 * ---------------------------------------------------------------------------- */

/* The highest clock of a kind's first CPU; NaN unknown. */
static double kind_clock(const struct machine *machine, const struct core_kind *kind)
{
    double khz = NAN;
    int cpu = sonde_base_cpulist_next(&kind->cpus, 0);
    if (cpu < 0 ||
        sonde_machine_read_count(machine, &khz,
                                 CPU_FOLDER "/cpu%d/cpufreq/cpuinfo_max_freq", cpu) < 0)
        return NAN;
    return khz;
}

/* Two kinds told apart by their caches get the names that people use, when clocks tell.
 */
static void rename_by_clock(struct machine *machine)
{
    if (machine->kind_count != 2)
        return;
    struct core_kind *a = &machine->kinds[0], *b = &machine->kinds[1];
    double clock_a = kind_clock(machine, a), clock_b = kind_clock(machine, b);
    if (isnan(clock_a) || isnan(clock_b) || clock_a == clock_b)
        return;
    snprintf(a->name, sizeof a->name, "%s",
             clock_a > clock_b ? "performance" : "efficient");
    snprintf(b->name, sizeof b->name, "%s",
             clock_a > clock_b ? "efficient" : "performance");
}

static int compare_first_cpu(const void *a, const void *b)
{
    const struct core_kind *left = a, *right = b;
    return sonde_base_cpulist_next(&left->cpus, 0) -
           sonde_base_cpulist_next(&right->cpus, 0);
}

static const struct way {
    const char *name;
    int (*group)(struct machine *machine);
    bool by_clock;
} ways[] = {
    {"cpu_core and cpu_atom lists", kinds_from_lists, false},
    {"core type in CPUID", kinds_from_registers, false},
    {"cpu_capacity", kinds_from_capacity, false},
    {"part number in MIDR_EL1", kinds_from_parts, false},
    {"first-level caches", kinds_from_caches, true},
};

/* Every allowed CPU must be in one kind, or the way was blind on some. */
static bool complete(const struct machine *machine)
{
    size_t placed = 0;
    for (size_t i = 0; i < machine->kind_count; i++)
        placed += sonde_base_cpulist_count(&machine->kinds[i].cpus);
    return machine->kind_count > 1 &&
           placed == sonde_base_cpulist_count(&machine->allowed);
}

int sonde_machine_open_kinds(struct machine *machine)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        int rc = ways[i].group(machine);
        if (rc == -ENOMEM)
            return rc;
        if (rc == 0 && complete(machine)) {
            if (ways[i].by_clock)
                rename_by_clock(machine);
            qsort(machine->kinds, machine->kind_count, sizeof *machine->kinds,
                  compare_first_cpu);
            return 0;
        }
        kinds_clear(machine);
    }
    return kind_add(machine, "", &machine->allowed);
}
