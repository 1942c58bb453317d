/* Which CPUs exist, which are on line and which this process may use.
 *
 * The kernel's lists come first; where a file is missing (old kernels, a container that
 * hides /sys, a sparse capture) the cpuN folders stand in for `possible`, those whose own
 * `online` file does not say 0 for `online`, and the affinity mask for what is left. The
 * allowed CPUs are those of the affinity mask, which holds every cpuset above; in a
 * captured tree the mask is that of another process, so the cpuset of the tree is used.
 *
 * What can fool it: CPUs that go off line between two reads. `allowed` is therefore cut
 * down to `online`, and only when that leaves nothing is the mask believed over the list.
 */
#include "base/text.h"
#include "machine/sources.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU_FOLDER "/sys/devices/system/cpu"

static int add_folder(void *context, unsigned long number)
{
    struct cpulist *list = context;
    return number < SONDE_CPU_MAX ? sonde_base_cpulist_add(list, (unsigned)number) : 0;
}

static int list_folders(const struct machine *machine, struct cpulist *list)
{
    int rc =
        sonde_machine_each_numbered(machine, CPU_FOLDER, "cpu", "", add_folder, list);
    return rc == -ENOMEM ? rc : 0;
}

/* The CPUs that /proc/cpuinfo numbers, for trees without any list in /sys. */
static int list_cpuinfo(const struct machine *machine, struct cpulist *list)
{
    char *data = NULL;
    size_t length = 0;
    int rc = 0;
    if (sonde_machine_read_file(machine, &data, &length, "/proc/cpuinfo") < 0)
        return 0;
    for (const char *line = data; rc == 0 && line; line = strchr(line, '\n')) {
        unsigned cpu;
        line += *line == '\n';
        if (sscanf(line, "processor : %u", &cpu) == 1 && cpu < SONDE_CPU_MAX)
            rc = sonde_base_cpulist_add(list, cpu);
    }
    free(data);
    return rc;
}

static int read_possible(struct machine *machine)
{
    struct cpulist *possible = &machine->possible;
    int rc = sonde_machine_read_cpus(machine, possible, CPU_FOLDER "/possible");
    if (rc < 0 || sonde_base_cpulist_count(possible) == 0)
        rc = sonde_machine_read_cpus(machine, possible, CPU_FOLDER "/present");
    if (rc == -ENOMEM)
        return rc;
    if (sonde_base_cpulist_count(possible) == 0)
        rc = list_folders(machine, possible);
    if (rc != -ENOMEM && sonde_base_cpulist_count(possible) == 0)
        rc = list_cpuinfo(machine, possible);
    return rc == -ENOMEM ? rc : 0;
}

/* Leaves out the CPUs whose own file says that they are off. */
static void drop_offline(const struct machine *machine, struct cpulist *list)
{
    for (int cpu = sonde_base_cpulist_next(list, 0); cpu >= 0;
         cpu = sonde_base_cpulist_next(list, (unsigned)cpu + 1)) {
        double on = 1;
        if (sonde_machine_read_count(machine, &on, CPU_FOLDER "/cpu%d/online", cpu) ==
                0 &&
            on == 0)
            sonde_base_cpulist_remove(list, (unsigned)cpu);
    }
}

static int read_online(struct machine *machine)
{
    struct cpulist *online = &machine->online;
    int rc = sonde_machine_read_cpus(machine, online, CPU_FOLDER "/online");
    if (rc == -ENOMEM)
        return rc;
    if (sonde_base_cpulist_count(online) == 0) {
        rc = list_folders(machine, online);
        drop_offline(machine, online);
    }
    if (rc != -ENOMEM && sonde_base_cpulist_count(online) == 0)
        rc = list_cpuinfo(machine, online);
    return rc == -ENOMEM ? rc : 0;
}

/* "Cpus_allowed_list" of a captured process; empty when the tree has none. */
static int read_status_mask(const struct machine *machine, struct cpulist *list)
{
    char *data = NULL;
    size_t length = 0;
    int rc = 0;
    if (sonde_machine_read_file(machine, &data, &length, "/proc/self/status") < 0)
        return 0;
    char *value = (char *)sonde_machine_field(data, "Cpus_allowed_list");
    if (value) {
        value[strcspn(value, "\n")] = '\0';
        rc = sonde_base_cpulist_parse(list, value, NULL);
    }
    free(data);
    return rc == -ENOMEM ? rc : 0;
}

static int read_allowed(struct machine *machine)
{
    struct cpulist *allowed = &machine->allowed;
    int rc;
    if (!machine->sysroot) {
        rc = sonde_machine_affinity_get(allowed);
        return rc == -ENOMEM ? rc : 0;
    }
    rc = read_status_mask(machine, allowed);
    if (rc == 0 && sonde_base_cpulist_count(allowed) == 0)
        rc = sonde_machine_cgroup_cpus(machine, allowed);
    return rc == -ENOMEM ? rc : 0;
}

/* The three lists stand in for one another where one is empty, then allowed is cut down
 * to what is on line. */
static int reconcile(struct machine *machine)
{
    int rc = 0;
    struct cpulist *allowed = &machine->allowed, *online = &machine->online;
    if (sonde_base_cpulist_count(online) == 0)
        rc = sonde_base_cpulist_copy(
            online, sonde_base_cpulist_count(allowed) ? allowed : &machine->possible);
    if (rc == 0 && sonde_base_cpulist_count(allowed) == 0)
        rc = sonde_base_cpulist_copy(allowed, online);
    if (rc == 0 && sonde_base_cpulist_count(&machine->possible) == 0)
        rc = sonde_base_cpulist_copy(&machine->possible, online);
    if (rc < 0)
        return rc;
    struct cpulist both = {0};
    rc = sonde_base_cpulist_copy(&both, allowed);
    if (rc == 0) {
        sonde_base_cpulist_intersect(&both, online);
        rc = sonde_base_cpulist_count(&both) ? sonde_base_cpulist_copy(allowed, &both)
                                             : sonde_base_cpulist_copy(online, allowed);
    }
    sonde_base_cpulist_free(&both);
    return rc;
}

int sonde_machine_open_topology(struct machine *machine)
{
    int rc = read_possible(machine);
    if (rc == 0)
        rc = read_online(machine);
    if (rc == 0)
        rc = read_allowed(machine);
    if (rc == 0)
        rc = reconcile(machine);
    return rc;
}
