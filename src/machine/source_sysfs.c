/* Caches as /sys/devices/system/cpu/cpuN/cache declares them for one CPU.
 *
 * The indexN folders are taken by their level and type, never by their order: index0 is
 * the instruction cache on some machines. Each CPU has folders of its own, so a hybrid
 * part or one where some CPUs lack a level is seen as that CPU has it. `size` may
 * literally say "unknown size", and `coherency_line_size` or `ways_of_associativity` may
 * be 0 or missing; all of these are unknown.
 *
 *     level 1 Data -> l1d   1 Instruction -> l1i   2 Unified or Data -> l2
 *     2 Instruction -> l2i  3 -> l3                4 -> l4
 *
 * What can fool it: on x86 the kernel repeats CPUID, which a hypervisor may have made up;
 * elsewhere a device tree or ACPI table, which a board vendor may have copied. */
#include "base/text.h"
#include "base/units.h"
#include "machine/sources.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDEX "/sys/devices/system/cpu/cpu%u/cache/index%u"

enum { LEVEL_MAX = 4 };

/* "l1d" for level 1 and "Data"; false when it is none that we have a name for. */
static bool cache_name(double level, const char *type, char *name, size_t size)
{
    if (!(level >= 1 && level <= LEVEL_MAX))
        return false;
    bool instruction = strcmp(type, "Instruction") == 0;
    if (!instruction && strcmp(type, "Data") != 0 && strcmp(type, "Unified") != 0)
        return false;
    const char *suffix = instruction ? "i" : level < 2 ? "d" : "";
    snprintf(name, size, "l%.0f%s", level, suffix);
    return true;
}

static struct fact *add_row(struct facts *facts, const char *witness, const char *cache,
                            const char *what, const char *unit, double value)
{
    char name[32];
    snprintf(name, sizeof name, "%s.%s", cache, what);
    return sonde_machine_fact_cache(facts, name, "sysfs", witness, unit, value,
                                    "not declared");
}

static double read_size(const struct machine *machine, unsigned cpu, unsigned index,
                        char *raw, size_t size)
{
    uint64_t bytes;
    if (sonde_machine_read_line(machine, raw, size, INDEX "/size", cpu, index) < 0) {
        snprintf(raw, size, "not declared");
        return NAN;
    }
    if (sonde_base_parse_size(raw, &bytes) < 0)
        return NAN;
    return (double)bytes;
}

/* "0000,00000101": words of 32 bits in hexadecimal, the highest first. */
static int parse_mask(struct cpulist *list, const char *mask)
{
    unsigned bit = 0;
    int rc = 0;
    for (size_t i = strlen(mask); rc == 0 && i-- > 0;) {
        if (mask[i] == ',')
            continue;
        if (!isxdigit((unsigned char)mask[i]))
            return -EINVAL;
        char digit[2] = {mask[i], '\0'};
        unsigned value = (unsigned)strtoul(digit, NULL, 16);
        for (unsigned k = 0; rc == 0 && k < 4; k++, bit++)
            if (value >> k & 1)
                rc = bit < SONDE_CPU_MAX ? sonde_base_cpulist_add(list, bit) : -ERANGE;
    }
    return rc;
}

static int read_map(const struct machine *machine, unsigned cpu, unsigned index,
                    struct cpulist *list)
{
    char *mask = NULL;
    size_t length = 0;
    int rc = sonde_machine_read_file(machine, &mask, &length, INDEX "/shared_cpu_map",
                                     cpu, index);
    if (rc == 0)
        rc = parse_mask(list, sonde_base_trim(mask));
    free(mask);
    return rc;
}

/* Old kernels have the map alone; where both are there they must agree. */
static int read_shared(const struct machine *machine, unsigned cpu, unsigned index,
                       struct cpulist *list, bool *contradict)
{
    struct cpulist map = {0};
    int list_rc =
        sonde_machine_read_cpus(machine, list, INDEX "/shared_cpu_list", cpu, index);
    int map_rc = read_map(machine, cpu, index, &map);
    bool listed = list_rc == 0 && sonde_base_cpulist_count(list) > 0;
    bool mapped = map_rc == 0 && sonde_base_cpulist_count(&map) > 0;
    *contradict = listed && mapped && !sonde_base_cpulist_equal(list, &map);
    int rc = listed || mapped ? 0 : -ENODATA;
    if (!listed && mapped)
        rc = sonde_base_cpulist_copy(list, &map);
    sonde_base_cpulist_free(&map);
    return rc;
}

static struct fact *add_sharers(struct facts *facts, const char *name,
                                const char *witness, const struct cpulist *list,
                                bool contradict)
{
    char text[256];
    sonde_base_cpulist_format(list, text, sizeof text);
    struct fact *fact = sonde_machine_fact_text(facts, name, "sysfs", witness, text);
    if (fact)
        fact->value = (double)sonde_base_cpulist_count(list);
    if (fact && contradict)
        sonde_machine_fact_doubt(fact, "shared_cpu_list and shared_cpu_map differ");
    return fact;
}

static int add_shared(const struct machine *machine, struct facts *facts, unsigned cpu,
                      unsigned index, const char *cache)
{
    char name[32];
    bool contradict = false;
    struct cpulist list = {0};
    snprintf(name, sizeof name, "%s.shared", cache);
    const char *witness = sonde_machine_cache_witness(machine, "firmware");
    int rc = read_shared(machine, cpu, index, &list, &contradict);
    struct fact *fact = rc == 0
                            ? add_sharers(facts, name, witness, &list, contradict)
                            : sonde_machine_fact_unknown(facts, name, "sysfs", witness,
                                                         "count", "not declared");
    sonde_base_cpulist_free(&list);
    if (!fact)
        return -ENOMEM;
    fact->unit = "count";
    return 0;
}

/* Rows of one index folder. 0, also when it is none that we know; -ENOMEM. */
static int add_index(const struct machine *machine, struct facts *facts, unsigned cpu,
                     unsigned index)
{
    double level = NAN, line = NAN, ways = NAN;
    char type[24], cache[8], raw[40];
    if (sonde_machine_read_count(machine, &level, INDEX "/level", cpu, index) < 0 ||
        sonde_machine_read_line(machine, type, sizeof type, INDEX "/type", cpu, index) <
            0 ||
        !cache_name(level, type, cache, sizeof cache))
        return 0;
    const char *witness = sonde_machine_cache_witness(machine, "firmware");
    double size = read_size(machine, cpu, index, raw, sizeof raw);
    sonde_machine_read_count(machine, &line, INDEX "/coherency_line_size", cpu, index);
    sonde_machine_read_count(machine, &ways, INDEX "/ways_of_associativity", cpu, index);
    struct fact *fact = add_row(facts, witness, cache, "size", "bytes", size);
    if (!fact)
        return -ENOMEM;
    if (isnan(size))
        sonde_machine_fact_note(fact, "%s", raw);
    if (!add_row(facts, witness, cache, "line", "bytes", line) ||
        !add_row(facts, witness, cache, "ways", "count", ways))
        return -ENOMEM;
    if (strcmp(cache, "l1d") == 0 && line > 0 &&
        !sonde_machine_fact_number(facts, "line.size", "sysfs", witness, "bytes", line))
        return -ENOMEM;
    return add_shared(machine, facts, cpu, index, cache);
}

struct walk {
    const struct machine *machine;
    struct facts *facts;
    unsigned cpu;
};

static int visit_index(void *context, unsigned long index)
{
    struct walk *walk = context;
    return add_index(walk->machine, walk->facts, walk->cpu, (unsigned)index);
}

int sonde_machine_source_sysfs(const struct machine *machine, unsigned cpu,
                               struct facts *facts)
{
    static const char *const expected[] = {"l1d.size", "l2.size", "l3.size"};
    char folder[80], why[96];
    size_t before = facts->count;
    struct walk walk = {machine, facts, cpu};
    snprintf(folder, sizeof folder, "/sys/devices/system/cpu/cpu%u/cache", cpu);
    int rc =
        sonde_machine_each_numbered(machine, folder, "index", "", visit_index, &walk);
    if (rc == -ENOMEM || facts->count > before)
        return rc == -ENOMEM ? rc : 0;
    snprintf(why, sizeof why, "no caches in %s", folder);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (!sonde_machine_fact_unknown(facts, expected[i], "sysfs",
                                        sonde_machine_cache_witness(machine, "firmware"),
                                        "bytes", why))
            return -ENOMEM;
    return 0;
}
