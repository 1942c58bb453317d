/* The nodes that memory lies on, and which CPUs are near each.
 *
 * A node counts when it has memory; its CPUs are those that this process may use, and
 * there may be none (memory of a device, a slow tier). What can fool it: firmware tables
 * that put every CPU into every node; then no node is believed. */
#include "machine/sources.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODE_FOLDER "/sys/devices/system/node"

/* "Node 0 MemTotal:       24683656 kB" */
double sonde_machine_node_bytes(const struct machine *machine, unsigned long node)
{
    char *data = NULL;
    size_t length = 0;
    double bytes = NAN;

    if (sonde_machine_read_file(machine, &data, &length, NODE_FOLDER "/node%lu/meminfo",
                                node) < 0)
        return NAN;
    const char *total = strstr(data, "MemTotal");
    if (total)
        bytes = sonde_machine_field_bytes(total, "MemTotal");
    free(data);
    return bytes;
}

/* A node's "cpuN" links say which CPUs it has where there is no cpulist file. */
static int link_cpu(void *context, unsigned long cpu)
{
    struct cpulist *cpus = context;

    return cpu < SONDE_CPU_MAX ? sonde_base_cpulist_add(cpus, (unsigned)cpu) : 0;
}

void sonde_machine_node_cpus(const struct machine *machine, unsigned long node,
                             struct cpulist *cpus)
{
    char folder[64];

    if (sonde_machine_read_cpus(machine, cpus, NODE_FOLDER "/node%lu/cpulist", node) >= 0)
        return;
    snprintf(folder, sizeof folder, NODE_FOLDER "/node%lu", node);
    sonde_machine_each_numbered(machine, folder, "cpu", "", link_cpu, cpus);
}

static bool shares_cpus(const struct machine *machine, const struct cpulist *cpus)
{
    for (int cpu = sonde_base_cpulist_next(cpus, 0); cpu >= 0;
         cpu = sonde_base_cpulist_next(cpus, (unsigned)cpu + 1))
        for (size_t i = 0; i < machine->node_count; i++)
            if (sonde_base_cpulist_has(&machine->nodes[i].cpus, (unsigned)cpu))
                return true;
    return false;
}

static int keep_allowed(const struct machine *machine, const struct cpulist *cpus,
                        struct cpulist *allowed)
{
    int error = 0;

    for (int cpu = sonde_base_cpulist_next(cpus, 0); cpu >= 0 && !error;
         cpu = sonde_base_cpulist_next(cpus, (unsigned)cpu + 1))
        if (sonde_base_cpulist_has(&machine->allowed, (unsigned)cpu))
            error = sonde_base_cpulist_add(allowed, (unsigned)cpu);
    return error;
}

static int append(struct machine *machine, const struct memory_node *node)
{
    struct memory_node *grown =
        realloc(machine->nodes, (machine->node_count + 1) * sizeof *machine->nodes);

    if (!grown)
        return -ENOMEM;
    machine->nodes = grown;
    machine->nodes[machine->node_count++] = *node;
    return 0;
}

static int add_node(void *context, unsigned long number)
{
    struct machine *machine = context;
    struct memory_node node = {.number = (unsigned)number,
                               .bytes = sonde_machine_node_bytes(machine, number)};
    struct cpulist cpus = {0};
    int error;

    if (machine->node_count == SONDE_NODES_MAX || node.bytes == 0)
        return 0;
    sonde_machine_node_cpus(machine, number, &cpus);
    error = keep_allowed(machine, &cpus, &node.cpus);
    sonde_base_cpulist_free(&cpus);
    if (!error && shares_cpus(machine, &node.cpus))
        error = -EEXIST;
    if (!error)
        error = append(machine, &node);
    if (error)
        sonde_base_cpulist_free(&node.cpus);
    return error;
}

void sonde_machine_close_nodes(struct machine *machine)
{
    for (size_t i = 0; i < machine->node_count; i++)
        sonde_base_cpulist_free(&machine->nodes[i].cpus);
    free(machine->nodes);
    machine->nodes = NULL;
    machine->node_count = 0;
}

void sonde_machine_open_nodes(struct machine *machine)
{
    if (sonde_machine_each_numbered(machine, NODE_FOLDER, "node", "", add_node, machine))
        sonde_machine_close_nodes(machine);
}
