/* What surrounds a measurement: kernel, processor name, clock source, governor, SMT,
 * load, and whether the kernel lets this process count events.
 *
 * The counters are tried rather than guessed at: one perf_event_open for core cycles,
 * closed at once. Its errno tells more than any file: ENOENT means that there is no such
 * counter (usual in virtual machines), EACCES and EPERM that they are forbidden, ENOSYS
 * that a filter is in the way.
 *
 * What can fool it: the load average lags by a minute; the governor of a guest says
 * nothing of the host's; a counter that opens may still count nothing. */
#include "base/text.h"
#include "machine/counters.h"
#include "machine/sources.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define CPU_FOLDER "/sys/devices/system/cpu"

/* --- names
 * -------------------------------------------------------------------------------- */

/* "6.1.0-13-amd64" out of "Linux version 6.1.0-13-amd64 (...) ..." */
static void kernel_from_version(struct machine *machine)
{
    char line[sizeof machine->kernel], release[96];
    if (sonde_machine_read_line(machine, line, sizeof line, "/proc/version") < 0)
        return;
    if (sscanf(line, "Linux version %95s", release) == 1)
        snprintf(machine->kernel, sizeof machine->kernel, "Linux %s", release);
    else
        snprintf(machine->kernel, sizeof machine->kernel, "%s", line);
}

static void names_from_uname(struct machine *machine)
{
    struct utsname names;
    if (uname(&names) != 0)
        return;
    snprintf(machine->host, sizeof machine->host, "%s", names.nodename);
    snprintf(machine->kernel, sizeof machine->kernel, "%s %s", names.sysname,
             names.release);
    snprintf(machine->isa, sizeof machine->isa, "%.15s", names.machine);
}

/* Hypervisors shorten brands to "AMD EPYC"; a name without a digit gets the numbers. */
static void compose_model(struct machine *machine, const struct processor *processor)
{
    const char *name = processor->name[0] ? processor->name : processor->vendor;
    bool numbered = false;
    for (const char *c = name; *c; c++)
        numbered |= isdigit((unsigned char)*c) != 0;
    if (*name && !numbered && processor->family)
        snprintf(machine->model, sizeof machine->model, "%s family %u model %u", name,
                 processor->family, processor->model);
    else
        snprintf(machine->model, sizeof machine->model, "%s", name);
}

void sonde_machine_open_identity(struct machine *machine)
{
    struct processor processor;
    int cpu = sonde_base_cpulist_next(&machine->allowed, 0);
    sonde_machine_processor(machine, cpu < 0 ? 0 : (unsigned)cpu, &processor);
    if (machine->sysroot) {
        kernel_from_version(machine);
        sonde_machine_read_line(machine, machine->host, sizeof machine->host,
                                "/proc/sys/kernel/hostname");
        snprintf(machine->isa, sizeof machine->isa, "%s", processor.isa);
    } else {
        names_from_uname(machine);
    }
    compose_model(machine, &processor);
}

/* --- counters
 * ----------------------------------------------------------------------------- */

static void open_counters(struct machine *machine)
{
    char paranoid[16] = "unknown";
    if (machine->sysroot) /* trying would tell of this machine */
        return;
    int rc = sonde_machine_counters_try();
    sonde_machine_read_line(machine, paranoid, sizeof paranoid,
                            "/proc/sys/kernel/perf_event_paranoid");
    if (rc == 0)
        snprintf(machine->counters, sizeof machine->counters, "available");
    else
        sonde_machine_counters_reason(rc, paranoid, machine->counters,
                                      sizeof machine->counters);
}

/* --- the rest
 * ------------------------------------------------------------------------------ */

static void open_smt(struct machine *machine)
{
    double active;
    char control[sizeof machine->smt];
    if (sonde_machine_read_count(machine, &active, CPU_FOLDER "/smt/active") == 0)
        snprintf(machine->smt, sizeof machine->smt, "%s", active > 0 ? "on" : "off");
    else if (sonde_machine_read_line(machine, control, sizeof control,
                                     CPU_FOLDER "/smt/control") == 0)
        snprintf(machine->smt, sizeof machine->smt, "%s", control);
}

void sonde_machine_open_environment(struct machine *machine)
{
    char line[64];
    int cpu = sonde_base_cpulist_next(&machine->allowed, 0);
    sonde_machine_read_line(machine, machine->clock_source, sizeof machine->clock_source,
                            "/sys/devices/system/clocksource/clocksource0/"
                            "current_clocksource");
    sonde_machine_read_line(machine, machine->governor, sizeof machine->governor,
                            CPU_FOLDER "/cpu%d/cpufreq/scaling_governor",
                            cpu < 0 ? 0 : cpu);
    open_smt(machine);
    open_counters(machine);
    machine->load1 = NAN;
    if (sonde_machine_read_line(machine, line, sizeof line, "/proc/loadavg") == 0 &&
        isdigit((unsigned char)line[0]))
        machine->load1 = strtod(line, NULL);
}

/* --- the rows
 * ------------------------------------------------------------------------------- */

static int add_text(struct facts *facts, const char *name, const char *source,
                    const char *text, const char *why)
{
    struct fact *fact =
        *text ? sonde_machine_fact_text(facts, name, source, "kernel", text)
              : sonde_machine_fact_unknown(facts, name, source, "kernel", "", why);
    return fact ? 0 : -ENOMEM;
}

static int add_load(const struct machine *machine, struct facts *facts)
{
    struct fact *fact =
        isnan(machine->load1)
            ? sonde_machine_fact_unknown(facts, "load", "loadavg", "kernel", "count",
                                         "no /proc/loadavg")
            : sonde_machine_fact_number(facts, "load", "loadavg", "kernel", "count",
                                        machine->load1);
    return fact ? 0 : -ENOMEM;
}

int sonde_machine_source_environment(const struct machine *machine, unsigned cpu,
                                     struct facts *facts)
{
    (void)cpu;
    const char *named = machine->sysroot ? "captured" : "uname";
    const char *absent =
        machine->sysroot ? "the captured tree does not tell" : "the kernel does not tell";
    const struct {
        const char *name, *source, *text, *why;
    } rows[] = {
        {"kernel", machine->sysroot ? "version" : "uname", machine->kernel, absent},
        {"isa", named, machine->isa, absent},
        {"clock.source", "sysfs", machine->clock_source, absent},
        {"governor", "sysfs", machine->governor, "no cpufreq in /sys"},
        {"smt", "sysfs", machine->smt, "no " CPU_FOLDER "/smt"},
        {"counters", "perf_event", machine->counters, "not asked for a captured tree"},
        {"virtualization", "all signs", machine->virtualization, "no sign of any"},
        {"emulation", "all signs", machine->emulation, "no sign of any"},
    };
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof rows / sizeof *rows; i++)
        rc = add_text(facts, rows[i].name, rows[i].source, rows[i].text, rows[i].why);
    if (rc == 0)
        rc = sonde_machine_virtualization_rows(machine, facts);
    return rc == 0 ? add_load(machine, facts) : rc;
}
