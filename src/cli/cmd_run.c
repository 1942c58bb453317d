/* sonde run: measure this machine (or a planted one) and print its passport.
 *
 * Everything that can be refused is refused before anything is measured. One passport per
 * kind of core; after each probe the files named by --json hold what is done so far. */
#include "cli/cli.h"

#include "base/units.h"
#include "cli/repeat.h"
#include "cli/run_options.h"
#include "machine/machine.h"
#include "measure/meter.h"
#include "measure/quietest.h"
#include "probes/probe.h"
#include "report/compare.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
    struct run_options options;
    struct machine machine, declared; /* declared: another tree's, with --sysroot */
    bool has_machine, has_declared;
    struct passport_list list;
    struct progress progress;
    const volatile sig_atomic_t *interrupted;
    int write_status;
};

static void show_progress(void *self, const char *probe, double done, double left_s)
{
    struct run *run = self;

    sonde_cli_progress_show(&run->progress, probe, done, left_s);
}

static void save_progress(void *self, const struct passport *passport)
{
    struct run *run = self;
    int status = sonde_cli_targets_write(&run->options.json, &run->list,
                                         run->options.keep_samples, false);

    (void)passport;
    if (status != EXIT_DONE)
        run->write_status = status;
}

/* --- one vantage ---------------------------------------------------------------------
 */

struct vantage {
    unsigned cpu;
    const char *kind;
    struct cpulist cpus;
    struct facts facts;
    struct meter meter;
    struct message unpinned; /* why it could not be bound; empty: it is */
};

/* A planted machine grants what its model says, whatever this one would. */
static double memory_for(const struct run *run)
{
    if (run->options.simulate)
        return run->machine.memory_granted / 4;
    return sonde_machine_memory_allowed(&run->machine);
}

static int open_hardware(struct run *run, struct vantage *vantage, struct message *why)
{
    const struct machine *declared = run->has_declared ? &run->declared : &run->machine;
    int error = sonde_machine_collect(declared, vantage->cpu, &vantage->facts);

    if (error)
        return sonde_base_fail(why, error,
                               "the declared facts could not be collected: %s",
                               strerror(-error));
    sonde_machine_pin_proven(vantage->cpu, &vantage->unpinned);
    return sonde_measure_hardware_open(&vantage->meter, &run->machine, memory_for(run),
                                       why);
}

static int measure_vantage(struct run *run, struct vantage *vantage, struct message *why)
{
    const struct run_options *options = &run->options;
    struct passport *passport = sonde_passport_add(&run->list);
    struct session session = {
        .machine = &run->machine,
        .facts = vantage->facts,
        .meter = vantage->meter,
        .cpu = vantage->cpu,
        .kind = vantage->kind,
        .kind_cpus = vantage->cpus,
        .seed = options->seed,
        .effort = options->effort,
        .budget_s =
            fmin(options->budget_s, options->whole_s / (double)run->machine.kind_count),
        .memory_bytes = memory_for(run),
        .keep_samples = options->keep_samples,
        .simulated = options->simulate != NULL,
        .probes = options->probes,
        .probe_count = options->probe_count,
        .counters = options->counters.count ? &options->counters : NULL,
        .interrupted = run->interrupted,
        .progress = show_progress,
        .finished = save_progress,
        .self = run,
    };

    if (!passport)
        return sonde_base_fail(why, -ENOMEM, "out of memory for a passport");
    vantage->facts = (struct facts){0};
    if (vantage->unpinned.text[0])
        sonde_passport_warn(passport, "unpinned",
                            "allow the CPU, or read the spread with care", "%s",
                            vantage->unpinned.text);
    return sonde_probe_session(&session, passport, why);
}

static void close_vantage(struct vantage *vantage)
{
    if (vantage->meter.ops)
        vantage->meter.ops->close(vantage->meter.self);
    sonde_machine_facts_free(&vantage->facts);
    sonde_base_cpulist_free(&vantage->cpus);
}

/* --- which vantages ------------------------------------------------------------------
 */

/* The first CPU of the kind that --cpu names, or the one that is disturbed least. */
static int take_cpu(const struct run *run, const struct cpulist *kind, unsigned *cpu)
{
    struct cpulist wanted = {0};
    struct cpu_choice choice;
    int error, first;

    if (!run->options.has_cpus && !run->options.simulate) {
        error = sonde_measure_quietest(kind, &choice);
        *cpu = choice.taken.cpu;
        return error;
    }
    error = sonde_base_cpulist_copy(&wanted, kind);
    if (error)
        return error;
    if (run->options.has_cpus)
        sonde_base_cpulist_intersect(&wanted, &run->options.cpus);
    first = sonde_base_cpulist_next(&wanted, 0);
    sonde_base_cpulist_free(&wanted);
    *cpu = (unsigned)first;
    return first < 0 ? -ENODATA : 0;
}

/* -ENODATA: --cpu leaves none of this kind. */
static int choose_cpu(const struct run *run, const struct core_kind *kind,
                      struct vantage *vantage)
{
    int error = sonde_base_cpulist_copy(&vantage->cpus, &kind->cpus);

    if (!error)
        error = take_cpu(run, &vantage->cpus, &vantage->cpu);
    vantage->kind = kind->name;
    return error;
}

static int run_hardware(struct run *run, struct message *why)
{
    int error = 0;

    for (size_t i = 0; i < run->machine.kind_count && !error; i++) {
        struct vantage vantage = {0};

        error = choose_cpu(run, &run->machine.kinds[i], &vantage);
        if (!error)
            error = open_hardware(run, &vantage, why);
        if (!error)
            error = measure_vantage(run, &vantage, why);
        else if (error == -ENODATA && !why->text[0])
            error = 0; /* --cpu leaves none of this kind */
        close_vantage(&vantage);
    }
    return error;
}

static int run_simulation(struct run *run, struct message *why)
{
    int error = 0;

    for (unsigned kind = 0; !error; kind++) {
        struct vantage vantage = {0};

        error = sonde_measure_simulation_open(&vantage.meter, &run->machine,
                                              &vantage.facts, run->options.simulate, kind,
                                              run->options.seed, why);
        if (error)
            break;
        run->has_machine = true;
        error = choose_cpu(run, &run->machine.kinds[kind], &vantage);
        if (!error)
            error = measure_vantage(run, &vantage, why);
        close_vantage(&vantage);
        if (kind + 1 >= run->machine.kind_count)
            break;
        sonde_machine_close(&run->machine);
        run->has_machine = false;
    }
    return error;
}

/* --- several runs --------------------------------------------------------------------
 */

/* Whole runs, each in a process of its own; the files hold what is done after each. */
static int run_repeatedly(struct run *run, struct message *why)
{
    int status = EXIT_DONE;

    for (unsigned i = 0; i < run->options.repeat && status == EXIT_DONE; i++) {
        status =
            sonde_cli_repeat_run(&run->options, i, &run->list, run->interrupted, why);
        save_progress(run, NULL);
    }
    return status == EXIT_DONE ? 0 : status == EXIT_INTERRUPTED ? -EINTR : -EIO;
}

static int measure_all(struct run *run, struct message *why)
{
    if (run->options.repeat > 1)
        return run_repeatedly(run, why);
    return run->options.simulate ? run_simulation(run, why) : run_hardware(run, why);
}

/* --- before and after ----------------------------------------------------------------
 */

static int check_cpus(const struct run *run)
{
    char allowed[128];

    if (!run->options.has_cpus)
        return EXIT_DONE;
    for (int cpu = sonde_base_cpulist_next(&run->options.cpus, 0); cpu >= 0;
         cpu = sonde_base_cpulist_next(&run->options.cpus, (unsigned)cpu + 1))
        if (!sonde_base_cpulist_has(&run->machine.allowed, (unsigned)cpu))
            return sonde_cli_misuse(
                "CPU %d is not allowed here: %s %s", cpu,
                sonde_base_cpulist_format(&run->machine.allowed, allowed, sizeof allowed),
                sonde_base_cpulist_count(&run->machine.allowed) > 1 ? "are" : "is");
    return EXIT_DONE;
}

static int open_machines(struct run *run)
{
    struct message why = {{0}};

    if (run->options.sysroot) {
        if (sonde_machine_open(&run->declared, run->options.sysroot, &why)) {
            sonde_cli_complain("%s", why.text);
            return EXIT_FAILED;
        }
        run->has_declared = true;
    }
    if (run->options.simulate)
        return EXIT_DONE;
    if (sonde_machine_open(&run->machine, NULL, &why)) {
        sonde_cli_complain("%s", why.text);
        return EXIT_UNMEASURABLE;
    }
    run->has_machine = true;
    return check_cpus(run);
}

/* What this machine has none of is no doubt about what it has. */
static bool reliable(const struct passport_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct passport *passport = &list->rows[i];

        if (passport->environment.emulation || passport->environment.lost_share > 0.1)
            return false;
        for (size_t p = 0; p < passport->probe_count; p++)
            if (passport->probes[p].status != PROBE_MEASURED &&
                passport->probes[p].status != PROBE_UNAVAILABLE)
                return false;
    }
    return true;
}

/* The passport on standard output, unless the JSON, the page or an export goes there. */
static int print_passports(const struct run *run)
{
    struct text out = {0};
    struct message why = {{0}};
    int status;

    if (sonde_cli_targets_stdout(&run->options.json) ||
        sonde_cli_targets_stdout(&run->options.html) ||
        sonde_cli_targets_stdout(&run->options.exports.files) || run->options.quiet)
        return EXIT_DONE;
    if (run->options.repeat > 1
            ? sonde_report_repeats(&run->list, &run->options.style, &out)
            : sonde_report_terminal(&run->list, &run->options.style, &out, &why) ||
                  out.failed) {
        sonde_cli_complain("%s", why.text[0] ? why.text : "out of memory for the report");
        status = EXIT_FAILED;
    } else {
        status = sonde_cli_print(out.data, out.length);
    }
    sonde_base_text_free(&out);
    return status;
}

static int deliver(struct run *run, int error, const struct message *why)
{
    int status = EXIT_DONE, printed, written, exported, paged;

    sonde_cli_progress_clear(&run->progress);
    if (error && error != -EINTR) {
        sonde_cli_complain("%s", why->text[0] ? why->text : strerror(-error));
        status = EXIT_UNMEASURABLE;
    }
    if (run->list.count == 0)
        return status;
    printed = print_passports(run);
    written = sonde_cli_targets_write(&run->options.json, &run->list,
                                      run->options.keep_samples, true);
    exported = sonde_cli_export_write(&run->options.exports, &run->list);
    paged = sonde_cli_pages_write(&run->options.html, &run->list, NULL);
    if (printed != EXIT_DONE || written != EXIT_DONE || exported != EXIT_DONE ||
        paged != EXIT_DONE)
        return EXIT_FAILED;
    if (error == -EINTR)
        return EXIT_INTERRUPTED;
    if (!status && run->options.strict && !reliable(&run->list))
        return EXIT_UNRELIABLE;
    return status;
}

static int run_command(const struct command *command, int argc, char **argv)
{
    struct run run = {0};
    struct message why = {{0}};
    int status = sonde_cli_run_options(&run.options, command, argc, argv), error;

    if (status != EXIT_DONE || run.options.finished)
        goto out;
    status = open_machines(&run);
    if (status != EXIT_DONE)
        goto out;
    sonde_cli_progress_open(&run.progress, run.options.progress, run.options.quiet);
    run.interrupted = sonde_cli_catch_signals();
    error = measure_all(&run, &why);
    status = deliver(&run, error, &why);
out:
    sonde_passport_list_free(&run.list);
    if (run.has_machine)
        sonde_machine_close(&run.machine);
    if (run.has_declared)
        sonde_machine_close(&run.declared);
    sonde_cli_run_options_free(&run.options);
    return status;
}

const struct command sonde_cli_command_run = {
    .name = "run",
    .summary = "measures this machine and prints its passport",
    .synopsis = "[PROBE...]",
    .options = sonde_cli_run_option_rows,
    .option_count = SONDE_CLI_RUN_OPTIONS,
    .words = sonde_cli_probe_words,
    .run = run_command,
};
