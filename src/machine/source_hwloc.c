/* Caches, nodes and kinds of core as hwloc sees them, when it is built in.
 *
 * Only caches, CPUs and nodes are loaded, and hwloc's x86 part is left out: it would bind
 * this process to every CPU in turn to run CPUID there, which takes long and duplicates
 * source_registers.c. What remains reads /sys, so hwloc is a second reader of the same
 * witness; it is worth a row since it mends known mistakes of old kernels.
 *
 * What can fool it: all that fools source_sysfs.c. Left out for a captured tree, and on
 * machines with so many CPUs that loading would take longer than all else together. */
#include "config.h"
#include "machine/sources.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#if SONDE_HAVE_HWLOC

#include <hwloc.h>
#include <stdlib.h>
#include <unistd.h>

enum { CPUS_MAX = 512 }; /* about 50 ms of loading */

static void cache_name(const hwloc_obj_t cache, char *name, size_t size)
{
    bool instruction = cache->attr->cache.type == HWLOC_OBJ_CACHE_INSTRUCTION;
    const char *suffix = instruction ? "i" : cache->attr->cache.depth == 1 ? "d" : "";
    snprintf(name, size, "l%u%s", cache->attr->cache.depth, suffix);
}

static struct fact *add_row(const struct machine *machine, struct facts *facts,
                            const char *cache, const char *what, const char *unit,
                            double value)
{
    char name[32];
    snprintf(name, sizeof name, "%s.%s", cache, what);
    return sonde_machine_fact_cache(facts, name, "hwloc",
                                    sonde_machine_cache_witness(machine, "firmware"),
                                    unit, value, "not declared");
}

static int add_cache(const struct machine *machine, struct facts *facts,
                     hwloc_obj_t cache)
{
    char name[16], shared_name[32];
    char *shared = NULL;
    cache_name(cache, name, sizeof name);
    double ways = cache->attr->cache.associativity;
    if (!add_row(machine, facts, name, "size", "bytes",
                 (double)cache->attr->cache.size) ||
        !add_row(machine, facts, name, "line", "bytes", cache->attr->cache.linesize))
        return -ENOMEM;
    struct fact *fact = add_row(machine, facts, name, "ways", "count", ways);
    if (!fact)
        return -ENOMEM;
    if (ways < 0)
        sonde_machine_fact_note(fact, "fully associative");
    else if (ways == 0) /* hwloc's word for unknown, not a value read as 0 */
        sonde_machine_fact_note(fact, "not declared");
    if (hwloc_bitmap_list_asprintf(&shared, cache->cpuset) < 0)
        return -ENOMEM;
    snprintf(shared_name, sizeof shared_name, "%s.shared", name);
    fact =
        sonde_machine_fact_text(facts, shared_name, "hwloc",
                                sonde_machine_cache_witness(machine, "firmware"), shared);
    free(shared);
    if (!fact)
        return -ENOMEM;
    fact->unit = "count";
    fact->value = hwloc_bitmap_weight(cache->cpuset);
    return 0;
}

static int add_caches(const struct machine *machine, struct facts *facts,
                      hwloc_topology_t topology, unsigned cpu)
{
    hwloc_obj_t object = hwloc_get_pu_obj_by_os_index(topology, cpu);
    int rc = 0;
    for (; rc == 0 && object; object = object->parent)
        if (hwloc_obj_type_is_cache(object->type))
            rc = add_cache(machine, facts, object);
    return rc;
}

static int add_counts(struct facts *facts, hwloc_topology_t topology)
{
    int nodes = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
    int kinds = hwloc_cpukinds_get_nr(topology, 0);
    if (nodes > 0 && !sonde_machine_fact_number(facts, "numa.nodes", "hwloc", "kernel",
                                                "count", nodes))
        return -ENOMEM;
    if (kinds > 1 &&
        !sonde_machine_fact_number(facts, "cpu.kinds", "hwloc", "kernel", "count", kinds))
        return -ENOMEM;
    return 0;
}

static int load(hwloc_topology_t *topology)
{
    if (hwloc_topology_init(topology) < 0)
        return -ENOMEM;
    if (hwloc_topology_set_all_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_NONE) < 0 ||
        hwloc_topology_set_cache_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_ALL) <
            0 ||
        hwloc_topology_set_icache_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_ALL) <
            0 ||
        hwloc_topology_set_flags(*topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) < 0 ||
        hwloc_topology_set_components(*topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST,
                                      "x86") < 0 ||
        hwloc_topology_load(*topology) < 0) {
        hwloc_topology_destroy(*topology);
        return -EIO;
    }
    return 0;
}

static int add_unknown(struct facts *facts, const char *why)
{
    return sonde_machine_fact_unknown(facts, "l1d.size", "hwloc", "hwloc", "bytes", why)
               ? 0
               : -ENOMEM;
}

int sonde_machine_source_hwloc(const struct machine *machine, unsigned cpu,
                               struct facts *facts)
{
    hwloc_topology_t topology;
    if (machine->sysroot)
        return 0;
    if (sonde_base_cpulist_count(&machine->possible) > CPUS_MAX)
        return add_unknown(facts, "left out: loading takes too long with so many CPUs");
    /* It reads files a page at a time, and without a page never comes to an end. */
    if (sysconf(_SC_PAGESIZE) <= 0)
        return add_unknown(facts, "left out: the C library does not tell the page size");
    /* hwloc would complain on standard error, which belongs to the program. */
    if (!sonde_machine_exists(machine, "/sys/devices/system/cpu/cpu%u/topology", cpu))
        return add_unknown(facts, "left out: /sys has no topology of this CPU");
    if (load(&topology) < 0)
        return add_unknown(facts, "hwloc could not load the topology");
    size_t before = facts->count;
    int rc = add_caches(machine, facts, topology, cpu);
    if (rc == 0 && facts->count == before)
        rc = add_unknown(facts, "hwloc declares no cache for this CPU");
    if (rc == 0)
        rc = add_counts(facts, topology);
    hwloc_topology_destroy(topology);
    return rc;
}

#else

int sonde_machine_source_hwloc(const struct machine *machine, unsigned cpu,
                               struct facts *facts)
{
    (void)machine;
    (void)cpu;
    (void)facts;
    return 0;
}

#endif
