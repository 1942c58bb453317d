/* Facts about memory: installed, available, granted; the nodes it is spread over.
 *
 * "Installed" is what the kernel manages (MemTotal), a few percent below what is plugged
 * in. The nodes' own figures are counted another way, so their sum is a fact of its own
 * and no second opinion. A node without CPUs is memory of a device or of a slow tier; it
 * is named, and not counted as a place where a thread can run.
 *
 * What can fool it: firmware tables that put every CPU into every node; the rows then say
 * so (plausibility.c). */
#include "base/text.h"
#include "base/units.h"
#include "machine/sources.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NODE_FOLDER "/sys/devices/system/node"

struct nodes {
    const struct machine *machine;
    struct cpulist all, with_cpus; /* sets of node numbers */
    struct cpulist cpus;           /* all CPUs seen in nodes */
    double bytes;                  /* of all nodes; NaN when one does not tell */
    bool overlap;                  /* a CPU in two nodes */
};

/* Takes note of which CPUs a node has, and whether another had them before. */
static int merge_cpus(struct nodes *nodes, const struct cpulist *cpus)
{
    for (int cpu = sonde_base_cpulist_next(cpus, 0); cpu >= 0;
         cpu = sonde_base_cpulist_next(cpus, (unsigned)cpu + 1)) {
        if (sonde_base_cpulist_has(&nodes->cpus, (unsigned)cpu))
            nodes->overlap = true;
        int rc = sonde_base_cpulist_add(&nodes->cpus, (unsigned)cpu);
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int add_node(void *context, unsigned long number)
{
    struct nodes *nodes = context;
    struct cpulist cpus = {0};
    if (number >= SONDE_CPU_MAX)
        return 0;
    int rc = sonde_base_cpulist_add(&nodes->all, (unsigned)number);
    if (rc == 0)
        sonde_machine_node_cpus(nodes->machine, number, &cpus);
    if (rc == 0 && sonde_base_cpulist_count(&cpus)) {
        rc = sonde_base_cpulist_add(&nodes->with_cpus, (unsigned)number);
        if (rc == 0)
            rc = merge_cpus(nodes, &cpus);
    }
    nodes->bytes += sonde_machine_node_bytes(nodes->machine, number);
    sonde_base_cpulist_free(&cpus);
    return rc;
}

static void note_nodes(struct fact *fact, struct nodes *nodes)
{
    char text[96];
    size_t total = sonde_base_cpulist_count(&nodes->all);
    size_t with = sonde_base_cpulist_count(&nodes->with_cpus);
    if (nodes->overlap && with > 1) {
        sonde_machine_fact_doubt(fact, "the same CPUs are in several nodes");
    } else if (with > 0 && with < total) {
        struct cpulist without = {0};
        if (sonde_base_cpulist_copy(&without, &nodes->all) == 0)
            for (int node = sonde_base_cpulist_next(&nodes->with_cpus, 0); node >= 0;
                 node = sonde_base_cpulist_next(&nodes->with_cpus, (unsigned)node + 1))
                sonde_base_cpulist_remove(&without, (unsigned)node);
        sonde_machine_fact_note(fact, "without CPUs: node %s",
                                sonde_base_cpulist_format(&without, text, sizeof text));
        sonde_base_cpulist_free(&without);
    }
}

static int report_nodes(struct nodes *nodes, struct facts *facts)
{
    char text[96];
    size_t with = sonde_base_cpulist_count(&nodes->with_cpus);
    const struct cpulist *shown = with ? &nodes->with_cpus : &nodes->all;
    sonde_base_cpulist_format(shown, text, sizeof text);
    struct fact *fact =
        sonde_machine_fact_text(facts, "numa.nodes", "sysfs", "kernel", text);
    if (!fact)
        return -ENOMEM;
    fact->value = (double)sonde_base_cpulist_count(shown);
    fact->unit = "count";
    note_nodes(fact, nodes);
    if (!isnan(nodes->bytes) && nodes->bytes > 0 &&
        !(fact = sonde_machine_fact_number(facts, "numa.memory", "sysfs", "kernel",
                                           "bytes", nodes->bytes)))
        return -ENOMEM;
    return 0;
}

static int add_nodes(const struct machine *machine, struct facts *facts)
{
    struct nodes nodes = {.machine = machine};
    int rc =
        sonde_machine_each_numbered(machine, NODE_FOLDER, "node", "", add_node, &nodes);
    if (rc == 0 && sonde_base_cpulist_count(&nodes.all))
        rc = report_nodes(&nodes, facts);
    else if (rc != -ENOMEM)
        rc = sonde_machine_fact_unknown(facts, "numa.nodes", "sysfs", "kernel", "count",
                                        "no nodes in " NODE_FOLDER)
                 ? 0
                 : -ENOMEM;
    sonde_base_cpulist_free(&nodes.all);
    sonde_base_cpulist_free(&nodes.with_cpus);
    sonde_base_cpulist_free(&nodes.cpus);
    return rc;
}

/* A number that the machine may not know, with the reason for that case. */
static int add_bytes(struct facts *facts, const char *name, const char *source,
                     const char *witness, double bytes)
{
    struct fact *fact =
        isnan(bytes)
            ? sonde_machine_fact_unknown(facts, name, source, witness, "bytes",
                                         "/proc/meminfo does not tell")
            : sonde_machine_fact_number(facts, name, source, witness, "bytes", bytes);
    return fact ? 0 : -ENOMEM;
}

static int add_sysconf(const struct machine *machine, struct facts *facts)
{
    long pages = machine->sysroot ? -1 : sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0)
        return 0;
    return add_bytes(facts, "memory.installed", "sysconf", "kernel",
                     (double)pages * (double)page);
}

int sonde_machine_source_memory(const struct machine *machine, unsigned cpu,
                                struct facts *facts)
{
    (void)cpu;
    int rc = add_bytes(facts, "memory.installed", "meminfo", "kernel",
                       machine->memory_installed);
    if (rc == 0)
        rc = add_sysconf(machine, facts);
    if (rc == 0)
        rc = add_bytes(facts, "memory.available", "meminfo", "kernel",
                       machine->memory_available);
    if (rc == 0)
        rc = add_bytes(facts, "memory.granted", "least of all", "kernel",
                       machine->memory_granted);
    if (rc == 0 && !isnan(machine->memory_granted))
        sonde_machine_fact_note(&facts->rows[facts->count - 1], "by %s",
                                machine->memory_granted_by);
    return rc == 0 ? add_nodes(machine, facts) : rc;
}
