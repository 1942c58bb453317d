/* From the machine's own words to the head of a passport, and the warnings every reader
 * of one should see first. */
#include "probes/describe.h"

#include "arch/arch.h"
#include "base/text.h"
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

/* An empty string of the machine is null in a passport. */
static char *copy_known(const char *text)
{
    return text && *text ? sonde_base_copy(text) : NULL;
}

static char *copy_list(const struct cpulist *list)
{
    char text[512];

    if (!sonde_base_cpulist_count(list))
        return NULL;
    return sonde_base_copy(sonde_base_cpulist_format(list, text, sizeof text));
}

static char *today(void)
{
    char text[32];
    time_t now = time(NULL);
    struct tm utc;

    if (!gmtime_r(&now, &utc) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        return NULL;
    return sonde_base_copy(text);
}

static char *list_features(void)
{
    unsigned features = sonde_arch_features();
    struct text text = {0};

    for (unsigned bit = 0; bit < 32; bit++) {
        const char *name = sonde_arch_feature_name(1u << bit);

        if (name && (features & 1u << bit))
            sonde_base_text_print(&text, "%s%s", text.length ? " " : "", name);
    }
    return text.data;
}

static void describe_tool(const struct session *session, struct passport_tool *tool)
{
    tool->version = sonde_base_copy(SONDE_VERSION);
    if (session->simulated)
        return; /* a planted machine is the same whoever built the program that plays it
                 */
    tool->compiler = sonde_base_copy(SONDE_COMPILER);
    tool->flags = sonde_base_copy(SONDE_BUILDTYPE);
    tool->isa = sonde_base_copy(SONDE_ISA);
    tool->features = list_features();
}

static void describe_machine(const struct session *session, struct passport_machine *to)
{
    const struct machine *machine = session->machine;

    to->host = copy_known(machine->host);
    to->date = session->simulated ? NULL : today();
    to->kernel = copy_known(machine->kernel);
    to->model = copy_known(machine->model);
    to->allowed = copy_list(&machine->allowed);
    to->online = copy_list(&machine->online);
    to->possible = copy_list(&machine->possible);
    to->cpus_allowed = (double)sonde_base_cpulist_count(&machine->allowed);
    to->cpus_online = (double)sonde_base_cpulist_count(&machine->online);
    to->memory_installed = machine->memory_installed;
    to->memory_available = machine->memory_available;
    to->memory_granted = machine->memory_granted;
    to->memory_granted_by = copy_known(machine->memory_granted_by);
    to->page_bytes = machine->page_bytes ? (double)machine->page_bytes : NAN;
    if (to->cpus_online <= 0)
        to->cpus_online = NAN;
}

int sonde_probe_describe(const struct session *session, struct passport *passport)
{
    const struct machine *machine = session->machine;
    struct passport_environment *environment = &passport->environment;

    describe_tool(session, &passport->tool);
    describe_machine(session, &passport->machine);
    passport->vantage.cpu = (double)session->cpu;
    passport->vantage.kind = copy_known(session->kind);
    passport->vantage.cpus = copy_list(&session->kind_cpus);
    environment->virtualization = copy_known(machine->virtualization);
    environment->emulation = copy_known(machine->emulation);
    environment->clock_source = copy_known(machine->clock_source);
    environment->thp = copy_known(machine->thp);
    environment->governor = copy_known(machine->governor);
    environment->smt = copy_known(machine->smt);
    environment->counters = copy_known(machine->counters);
    environment->load1 = machine->load1;
    environment->effort =
        sonde_base_copy(session->effort.level == EFFORT_QUICK  ? "quick"
                        : session->effort.level == EFFORT_FULL ? "full"
                                                               : "default");
    environment->budget_s = session->budget_s;
    return passport->tool.version ? 0 : -ENOMEM;
}

static int warn_emulated(struct passport *passport)
{
    return sonde_passport_warn(passport, "emulated",
                               "run it on the hardware it is meant to describe",
                               "an emulator runs this program (%s): times are the "
                               "emulator's, and nothing is concluded about hardware",
                               passport->environment.emulation);
}

/* An emulator that hides still does its arithmetic in software. */
static int suspect_emulation(const struct scales *scales, struct passport *passport)
{
    struct passport_environment *environment = &passport->environment;
    char why[160];

    if (environment->emulation || !scales->emulator_suspected)
        return 0;
    snprintf(
        why, sizeof why,
        "independent adds overlap %.2f times and a multiply takes %.2f adds, as on no "
        "silicon",
        scales->parallelism, scales->multiply_ratio);
    environment->emulation = sonde_base_copy(why);
    return environment->emulation ? warn_emulated(passport) : -ENOMEM;
}

int sonde_probe_describe_scales(const struct scales *scales, struct passport *passport)
{
    struct passport_environment *environment = &passport->environment;
    int error = suspect_emulation(scales, passport);

    free(environment->timer);
    environment->timer = copy_known(scales->timer);
    environment->core_hz = scales->core_clock_trusted ? scales->core_hz : NAN;
    environment->core_hz_low = scales->core_clock_trusted ? scales->core_hz_low : NAN;
    environment->core_hz_high = scales->core_clock_trusted ? scales->core_hz_high : NAN;
    environment->lost_share = scales->lost_share;
    environment->timer_step_ns = scales->timer_step_ns;
    environment->timer_cost_ns = scales->timer_cost_ns;
    /* Above a hundredth, one sample in a few is hit by something. */
    if (!error && scales->lost_share > 0.01)
        error = sonde_passport_warn(
            passport, "time-stolen", "close what else runs, or read the spread with care",
            "%.1f %% of the time went to others while this program spun",
            100 * scales->lost_share);
    if (!error && scales->timer_step_ns > 1000)
        error = sonde_passport_warn(
            passport, "coarse-clock", "use a machine whose clock ticks finer than 1 µs",
            "the best clock steps by %.0f ns", scales->timer_step_ns);
    return error;
}

int sonde_probe_warn(const struct session *session, struct passport *passport)
{
    const struct machine *machine = session->machine;
    size_t allowed = sonde_base_cpulist_count(&machine->allowed);
    size_t online = sonde_base_cpulist_count(&machine->online);
    int error = 0;

    if (passport->environment.emulation)
        error = warn_emulated(passport);
    if (!error && machine->virtualization[0])
        error = sonde_passport_warn(
            passport, "virtual-machine",
            "believe what is measured; caches and pages may be shared with neighbours",
            "a virtual machine (%s): what it declares is what its host chose to say",
            machine->virtualization);
    if (!error && allowed < online)
        error = sonde_passport_warn(
            passport, "few-cpus", "widen the affinity or the cpuset to see the others",
            "%zu of %zu online CPUs are allowed", allowed, online);
    if (!error && machine->load1 > (double)(online ? online : 1))
        error = sonde_passport_warn(
            passport, "busy", "repeat when it is quieter to see the difference",
            "load average %.1f on %zu CPUs", machine->load1, online);
    return error;
}

int sonde_probe_warn_counters(const struct machine *machine, int error, const char *why,
                              struct passport *passport)
{
    const char *guest = machine->virtualization, *advice = NULL;

    if (!error && !why[0])
        return 0;
    if (error)
        advice = guest[0] ? "have the hypervisor pass the counters through"
                          : "lower perf_event_paranoid, or run with CAP_PERFMON";
    return sonde_passport_warn(passport, "no-counters", advice, "not counted: %s%s%s%s",
                               why[0] ? why : "this meter has no counters",
                               guest[0] ? "; this is a virtual machine (" : "", guest,
                               guest[0] ? ")" : "");
}
