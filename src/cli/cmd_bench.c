/* sonde bench: kernels of one's own under the discipline of the probes.
 *
 * Everything that can be refused is refused before anything is measured: the command
 * line, the files, the parameters. The thread is bound and the clocks are weighed once,
 * here; the children inherit both. */
#include "cli/bench_options.h"
#include "cli/bench_report.h"
#include "cli/cli.h"

#include "probes/describe.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const double weigh_s = 0.4;

struct course {
    struct wanted_bench wanted;
    struct bench_files files;
    struct bench bench;
    struct machine machine;
    bool has_machine;
    struct message unpinned; /* why it could not be bound; empty: it is */
    struct cpu_choice choice;
    struct scales scales;
    struct passport_list list;
    struct progress progress;
};

static void show_progress(void *self, const char *what, double done, double left_s)
{
    struct course *course = self;

    sonde_cli_progress_show(&course->progress, what, done, left_s);
}

static int complain(const struct message *why, int error, int status)
{
    sonde_cli_complain("%s", why->text[0] ? why->text : strerror(-error));
    return status;
}

/* --- before ---------------------------------------------------------------------------
 */

static int check_names(const struct course *course)
{
    const char *names[] = {course->wanted.bench.baseline, course->wanted.bench.control};

    for (size_t i = 0; i < 2; i++)
        if (names[i] && !sonde_bench_kernel_find(&course->files, names[i]))
            return sonde_cli_misuse("there is no kernel '%.60s' to compare with",
                                    names[i]);
    return EXIT_DONE;
}

static int open_kernels(struct course *course)
{
    struct wanted_bench *wanted = &course->wanted;
    struct message why = {{0}};
    int error = sonde_bench_files_open(&course->files, wanted->files, wanted->file_count,
                                       wanted->flags, wanted->kernels,
                                       wanted->kernel_count, &why);

    if (error)
        return complain(&why, error,
                        error == -EINVAL || error == -EEXIST ? EXIT_USAGE : EXIT_FAILED);
    course->bench.files = &course->files;
    course->bench.options = &wanted->bench;
    error = sonde_bench_sweep(&course->bench, &why);
    if (error)
        return complain(&why, error, error == -ENOMEM ? EXIT_FAILED : EXIT_USAGE);
    return check_names(course);
}

/* The kind of the first CPU allowed. */
static const struct core_kind *first_kind(const struct machine *machine)
{
    int first = sonde_base_cpulist_next(&machine->allowed, 0);

    for (size_t i = 0; i < machine->kind_count; i++)
        if (first >= 0 &&
            sonde_base_cpulist_has(&machine->kinds[i].cpus, (unsigned)first))
            return &machine->kinds[i];
    return &machine->kinds[0];
}

/* The one that --cpu names, or the least disturbed of the first kind. */
static int choose_cpu(struct course *course)
{
    const struct cpulist *allowed = &course->machine.allowed;
    int cpu = course->wanted.cpu;
    char text[128];
    int error;

    if (cpu >= 0 && !sonde_base_cpulist_has(allowed, (unsigned)cpu))
        return sonde_cli_misuse("CPU %d is not allowed here: %s", cpu,
                                sonde_base_cpulist_format(allowed, text, sizeof text));
    if (cpu >= 0) {
        course->choice.taken.cpu = (unsigned)cpu;
        return EXIT_DONE;
    }
    error = sonde_measure_quietest(&first_kind(&course->machine)->cpus, &course->choice);
    if (error)
        return complain(&(struct message){{0}}, error, EXIT_UNMEASURABLE);
    return EXIT_DONE;
}

static int open_machine(struct course *course)
{
    struct message why = {{0}};
    int error = sonde_machine_open(&course->machine, NULL, &why), status;

    if (error)
        return complain(&why, error, EXIT_UNMEASURABLE);
    course->has_machine = true;
    status = choose_cpu(course);
    if (status != EXIT_DONE)
        return status;
    sonde_machine_pin_proven(course->choice.taken.cpu, &course->unpinned);
    error =
        sonde_measure_hardware_open(&course->bench.meter, &course->machine,
                                    sonde_machine_memory_allowed(&course->machine), &why);
    if (!error)
        error = course->bench.meter.ops->weigh(course->bench.meter.self, weigh_s,
                                               &course->scales);
    if (error)
        return complain(&why, error, EXIT_UNMEASURABLE);
    course->bench.scales = &course->scales;
    return EXIT_DONE;
}

/* Whether this thread could count stands for whether its children can. */
static int try_counters(struct course *course, struct passport *passport)
{
    struct wanted_bench *wanted = &course->wanted;
    struct counters *counters = NULL;
    struct message why = {{0}};
    int error;

    if (!wanted->counters.count)
        return 0;
    error = sonde_machine_counters_open(&wanted->counters, &counters, &why);
    sonde_machine_counters_close(counters);
    if (error == -ENOMEM)
        return error;
    if (!error)
        wanted->bench.counters = &wanted->counters;
    return sonde_probe_warn_counters(&course->machine, error, why.text, passport);
}

static int describe(struct course *course)
{
    struct passport *passport = sonde_passport_add(&course->list);
    struct session session = {.machine = &course->machine,
                              .cpu = course->choice.taken.cpu};
    int error = passport ? 0 : -ENOMEM;

    for (size_t i = 0; i < course->machine.kind_count; i++)
        if (sonde_base_cpulist_has(&course->machine.kinds[i].cpus, session.cpu)) {
            session.kind = course->machine.kinds[i].name;
            session.kind_cpus = course->machine.kinds[i].cpus;
        }
    if (!error)
        error = sonde_machine_collect(&course->machine, session.cpu, &passport->facts);
    if (!error)
        error = sonde_probe_describe(&session, passport);
    if (!error)
        error = sonde_probe_warn(&session, passport);
    if (!error)
        error = sonde_probe_describe_scales(&course->scales, passport);
    if (!error)
        error = try_counters(course, passport);
    if (!error && course->unpinned.text[0])
        error = sonde_passport_warn(passport, "unpinned",
                                    "allow the CPU, or read the spread with care", "%s",
                                    course->unpinned.text);
    if (error) {
        sonde_cli_complain("the machine could not be described: %s", strerror(-error));
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

/* --- after ----------------------------------------------------------------------------
 */

static int print_report(struct course *course)
{
    const struct passport *passport = &course->list.rows[0];
    struct text out = {0};
    int status = EXIT_FAILED;

    if (course->wanted.quiet || sonde_cli_targets_stdout(&course->wanted.json))
        return EXIT_DONE;
    if (sonde_cli_bench_print(&course->bench, passport, &course->choice,
                              &course->wanted.style, &out))
        sonde_cli_complain("out of memory for the report");
    else
        status = sonde_cli_print(out.data, out.length);
    sonde_base_text_free(&out);
    return status;
}

static int judge(const struct course *course)
{
    const struct bench *bench = &course->bench;
    bool broken = false, doubtful = course->list.rows[0].environment.emulation != NULL,
         differs = false;

    for (size_t i = 1; i < bench->count; i++) {
        const struct bench_point *point = &bench->points[i];

        broken |= point->broken;
        doubtful |= point->doubts[0] != '\0';
        differs |= point->control.verdict == BENCH_FASTER ||
                   point->control.verdict == BENCH_SLOWER;
    }
    if (bench->interrupted)
        return EXIT_INTERRUPTED;
    if (broken)
        return EXIT_FAILED;
    if (differs)
        return EXIT_DIFFERENCE;
    return doubtful && course->wanted.strict ? EXIT_UNRELIABLE : EXIT_DONE;
}

static int deliver(struct course *course, double seconds)
{
    int status = judge(course), printed = print_report(course), written, error;

    error = sonde_cli_bench_record(&course->bench, seconds, course->wanted.keep_samples,
                                   &course->list.rows[0]);
    if (error) {
        sonde_cli_complain("out of memory for the passport");
        return EXIT_FAILED;
    }
    written = sonde_cli_targets_write(&course->wanted.json, &course->list,
                                      course->wanted.keep_samples, true);
    return printed != EXIT_DONE || written != EXIT_DONE ? EXIT_FAILED : status;
}

static int measure(struct course *course)
{
    const struct meter *meter = &course->bench.meter;
    struct message why = {{0}};
    double start_s = meter->ops->elapsed(meter->self);
    int error;

    sonde_cli_progress_open(&course->progress, course->wanted.progress,
                            course->wanted.quiet);
    course->wanted.bench.progress = show_progress;
    course->wanted.bench.self = course;
    course->wanted.bench.interrupted = sonde_cli_catch_signals();
    error = sonde_bench_measure(&course->bench, &why);
    sonde_cli_progress_clear(&course->progress);
    if (error && error != -EINTR)
        return complain(&why, error, EXIT_UNMEASURABLE);
    return deliver(course, meter->ops->elapsed(meter->self) - start_s);
}

static int run_command(const struct command *command, int argc, char **argv)
{
    struct course course = {0};
    int status = sonde_cli_bench_options(&course.wanted, command, argc, argv);

    if (status == EXIT_DONE && !course.wanted.finished) {
        status = open_kernels(&course);
        if (status == EXIT_DONE)
            status = open_machine(&course);
        if (status == EXIT_DONE)
            status = describe(&course);
        if (status == EXIT_DONE)
            status = measure(&course);
    }
    sonde_passport_list_free(&course.list);
    sonde_bench_free(&course.bench);
    if (course.bench.meter.ops)
        course.bench.meter.ops->close(course.bench.meter.self);
    if (course.has_machine)
        sonde_machine_close(&course.machine);
    sonde_bench_files_close(&course.files);
    sonde_cli_bench_options_free(&course.wanted);
    return status;
}

const struct command sonde_cli_command_bench = {
    .name = "bench",
    .summary = "measures kernels of your own, in C or assembly",
    .synopsis = "FILE...",
    .options = sonde_cli_bench_option_rows,
    .option_count = SONDE_CLI_BENCH_OPTIONS,
    .run = run_command,
};
