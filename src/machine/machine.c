/* The machine as this process sees it: opened once, read from everywhere.
 *
 * Order matters in two places. The CPU lists come first, since all else is asked of an
 * allowed CPU; and the sources of facts are called in the order in which they are
 * trusted, because the earlier row wins where witnesses are equally many (facts.c).
 *
 * What can fool it: nothing of its own; each part says what can fool it. A part that
 * finds nothing leaves its fields unknown, so that only a lack of memory or an unreadable
 * tree fails the whole. */
#include "base/text.h"
#include "machine/sources.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A tree must be a folder with a /sys or a /proc in it, or facts would be "unknown" in
 * every row for a mistyped name. Its real path is kept, so that links out of it show. */
static int open_tree(struct machine *machine, const char *sysroot, struct message *why)
{
    DIR *folder = opendir(sysroot);
    int rc = folder ? 0 : -errno;
    if (folder)
        closedir(folder);
    machine->sysroot = rc == 0 ? realpath(sysroot, NULL) : NULL;
    if (rc == 0 && !machine->sysroot)
        rc = -errno;
    if (rc < 0)
        return sonde_base_fail(why, rc, "cannot read the captured tree %s: %s", sysroot,
                               strerror(-rc));
    if (!sonde_machine_exists(machine, "/sys") && !sonde_machine_exists(machine, "/proc"))
        return sonde_base_fail(
            why, -ENOENT, "%s is no captured tree: it has neither sys nor proc in it",
            machine->sysroot);
    return 0;
}

int sonde_machine_open(struct machine *machine, const char *sysroot, struct message *why)
{
    int rc = 0;
    *machine = (struct machine){.memory_installed = NAN,
                                .memory_available = NAN,
                                .memory_granted = NAN,
                                .stack_limit = NAN,
                                .load1 = NAN};
    if (sysroot)
        rc = open_tree(machine, sysroot, why);
    if (rc == 0)
        rc = sonde_machine_open_topology(machine);
    if (rc == 0)
        rc = sonde_machine_open_kinds(machine);
    if (rc < 0) {
        sonde_machine_close(machine);
        return rc == -ENOMEM ? sonde_base_fail(why, rc, "out of memory") : rc;
    }
    sonde_machine_open_identity(machine);
    sonde_machine_open_pages(machine);
    sonde_machine_open_memory(machine);
    sonde_machine_open_nodes(machine);
    sonde_machine_open_environment(machine);
    sonde_machine_open_virtualization(machine);
    sonde_machine_open_emulation(machine);
    return 0;
}

void sonde_machine_close(struct machine *machine)
{
    free(machine->sysroot);
    sonde_base_cpulist_free(&machine->possible);
    sonde_base_cpulist_free(&machine->online);
    sonde_base_cpulist_free(&machine->allowed);
    for (size_t i = 0; i < machine->kind_count; i++)
        sonde_base_cpulist_free(&machine->kinds[i].cpus);
    free(machine->kinds);
    sonde_machine_close_nodes(machine);
    *machine = (struct machine){0};
}

static int (*const sources[])(const struct machine *, unsigned, struct facts *) = {
    sonde_machine_source_sysfs,  sonde_machine_source_registers,
    sonde_machine_source_hwloc,  sonde_machine_source_sysconf,
    sonde_machine_source_procfs, sonde_machine_source_topology,
    sonde_machine_source_memory, sonde_machine_source_cgroup,
    sonde_machine_source_pages,  sonde_machine_source_environment,
};

int sonde_machine_collect(const struct machine *machine, unsigned cpu,
                          struct facts *facts)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof sources / sizeof *sources; i++)
        rc = sources[i](machine, cpu, facts);
    return rc == 0 ? sonde_machine_check(machine, cpu, facts) : rc;
}
