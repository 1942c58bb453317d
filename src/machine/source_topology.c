/* Facts about CPUs: which exist, which are on line, which this process may use, how many
 * threads a core has, and which kinds of core there are.
 *
 * Lists are given in the kernel's grammar, with their count as the value. Where a list is
 * missing its row says what stood in for it, so that nothing is lost in silence.
 *
 * What can fool it: see topology.c and kinds.c, which gather what is shown here. */
#include "base/text.h"
#include "machine/sources.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CPU_FOLDER "/sys/devices/system/cpu"

static struct fact *add_list(struct facts *facts, const char *name, const char *source,
                             const struct cpulist *list)
{
    char text[512];
    sonde_base_cpulist_format(list, text, sizeof text);
    struct fact *fact = sonde_machine_fact_text(facts, name, source, "kernel", text);
    if (fact) {
        fact->unit = "count";
        fact->value = (double)sonde_base_cpulist_count(list);
        if (fact->value == 0)
            fact->value = NAN;
    }
    return fact;
}

/* Where a list came from when its own file was not there. */
static const char *stand_in(const struct machine *machine)
{
    if (sonde_machine_exists(machine, CPU_FOLDER "/cpu0"))
        return "the cpuN folders";
    if (sonde_machine_exists(machine, "/proc/cpuinfo"))
        return "/proc/cpuinfo";
    return machine->sysroot ? "nothing else" : "the affinity mask";
}

static int add_kernel_list(const struct machine *machine, struct facts *facts,
                           const char *name, const char *file, const struct cpulist *list)
{
    bool direct = sonde_machine_exists(machine, CPU_FOLDER "/%s", file);
    const char *source = direct ? "sysfs" : "fallback";
    struct fact *fact = add_list(facts, name, source, list);
    if (!fact)
        return -ENOMEM;
    if (!direct)
        sonde_machine_fact_note(fact, "no " CPU_FOLDER "/%s: taken from %s", file,
                                stand_in(machine));
    return 0;
}

/* Names the CPUs that are there and off line. */
static void note_offline(const struct machine *machine, struct fact *fact)
{
    char text[64];
    struct cpulist off = {0}, present = {0};
    if (sonde_machine_read_cpus(machine, &present, CPU_FOLDER "/present") < 0 ||
        sonde_base_cpulist_copy(&off, &present) < 0)
        goto out;
    for (int cpu = sonde_base_cpulist_next(&machine->online, 0); cpu >= 0;
         cpu = sonde_base_cpulist_next(&machine->online, (unsigned)cpu + 1))
        sonde_base_cpulist_remove(&off, (unsigned)cpu);
    if (sonde_base_cpulist_count(&off) && !fact->note)
        sonde_machine_fact_note(fact, "off line: %s",
                                sonde_base_cpulist_format(&off, text, sizeof text));
out:
    sonde_base_cpulist_free(&off);
    sonde_base_cpulist_free(&present);
}

static int add_allowed(const struct machine *machine, struct facts *facts)
{
    const char *source = machine->sysroot ? "captured" : "affinity";
    struct fact *fact = add_list(facts, "cpus.allowed", source, &machine->allowed);
    if (!fact)
        return -ENOMEM;
    size_t allowed = sonde_base_cpulist_count(&machine->allowed);
    size_t online = sonde_base_cpulist_count(&machine->online);
    if (allowed < online)
        sonde_machine_fact_note(fact, "%zu of %zu CPUs allowed", allowed, online);
    return 0;
}

static int read_threads(const struct machine *machine, unsigned cpu,
                        struct cpulist *threads)
{
    int rc = sonde_machine_read_cpus(machine, threads,
                                     CPU_FOLDER "/cpu%u/topology/core_cpus_list", cpu);

    return rc < 0 ? sonde_machine_read_cpus(
                        machine, threads,
                        CPU_FOLDER "/cpu%u/topology/thread_siblings_list", cpu)
                  : rc;
}

/* Hardware threads of the core that holds `cpu`. */
static int add_threads(const struct machine *machine, unsigned cpu, struct facts *facts)
{
    struct cpulist threads = {0};
    int rc = read_threads(machine, cpu, &threads);
    struct fact *fact =
        rc == 0 && sonde_base_cpulist_count(&threads)
            ? add_list(facts, "smt.threads", "sysfs", &threads)
            : sonde_machine_fact_unknown(facts, "smt.threads", "sysfs", "kernel", "count",
                                         "no list of siblings in /sys");
    sonde_base_cpulist_free(&threads);
    return fact ? 0 : -ENOMEM;
}

/* All cores, each by its threads, where every CPU on line tells its own. */
static int add_cores(const struct machine *machine, struct facts *facts)
{
    struct cpulist threads = {0};
    struct text text = {0};
    struct fact *fact = NULL;
    size_t cores = 0;
    int rc = 0;

    for (int cpu = sonde_base_cpulist_next(&machine->online, 0); cpu >= 0 && rc == 0;
         cpu = sonde_base_cpulist_next(&machine->online, (unsigned)cpu + 1)) {
        char list[256];

        rc = read_threads(machine, (unsigned)cpu, &threads);
        if (rc == 0 && sonde_base_cpulist_next(&threads, 0) == cpu)
            sonde_base_text_print(&text, "%s%s", cores++ ? "; " : "",
                                  sonde_base_cpulist_format(&threads, list, sizeof list));
    }
    if (rc == 0 && cores && !text.failed)
        fact = sonde_machine_fact_text(facts, "smt.cores", "sysfs", "kernel", text.data);
    if (fact) {
        fact->unit = "count";
        fact->value = (double)cores;
    }
    rc = rc == -ENOMEM || text.failed || (rc == 0 && cores && !fact) ? -ENOMEM : 0;
    sonde_base_cpulist_free(&threads);
    sonde_base_text_free(&text);
    return rc;
}

static int add_kinds(const struct machine *machine, struct facts *facts)
{
    char list[128];
    struct text text = {0};
    for (size_t i = 0; i < machine->kind_count; i++) {
        const struct core_kind *kind = &machine->kinds[i];
        sonde_base_cpulist_format(&kind->cpus, list, sizeof list);
        sonde_base_text_print(&text, "%s%s: %s", i ? "; " : "",
                              kind->name[0] ? kind->name : "all alike", list);
    }
    struct fact *fact =
        text.failed
            ? NULL
            : sonde_machine_fact_text(facts, "cpu.kinds", "derived", "kernel", text.data);
    sonde_base_text_free(&text);
    if (!fact)
        return -ENOMEM;
    fact->unit = "count";
    fact->value = (double)machine->kind_count;
    return 0;
}

int sonde_machine_source_topology(const struct machine *machine, unsigned cpu,
                                  struct facts *facts)
{
    int rc =
        add_kernel_list(machine, facts, "cpus.possible", "possible", &machine->possible);
    if (rc == 0)
        rc = add_kernel_list(machine, facts, "cpus.online", "online", &machine->online);
    if (rc == 0)
        note_offline(machine, &facts->rows[facts->count - 1]);
    if (rc == 0)
        rc = add_allowed(machine, facts);
    if (rc == 0)
        rc = add_threads(machine, cpu, facts);
    if (rc == 0)
        rc = add_cores(machine, facts);
    return rc == 0 ? add_kinds(machine, facts) : rc;
}
