/* The command line of `sonde run`, checked to the last word before anything is measured.
 */
#include "cli/run_options.h"

#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct option_row sonde_cli_run_option_rows[SONDE_CLI_RUN_OPTIONS] = {
    {"json", "FILE", "write the passport as JSON too; '-' is standard output"},
    {"html", "FILE", "write the passport as a page too; '-' is standard output"},
    {"quick", NULL, "about 10 seconds"},
    {"full", NULL, "several minutes: larger footprints, more samples"},
    {"budget", "SECONDS", "wall clock for all of it; scales samples, not points"},
    {"cpu", "LIST",
     "measure on the first CPU of each kind in LIST (0,2-3); "
     "else the least disturbed"},
    {"seed", "N", "seed of every random choice"},
    {"no-samples", NULL, "leave raw samples out of the JSON"},
    {"strict", NULL, "exit 3 when the result is not to be relied on"},
    {"quiet", NULL, "no report and no progress, files only"},
    {"verbose", NULL, "every finding and sentence, not the most important alone"},
    {"color", "WHEN", "always, never, or auto"},
    {"progress", "WHEN", "always, never, or auto (on a terminal)"},
    {"sysroot", "DIR", "take declared facts from a captured tree"},
    {"simulate", "MODEL.json", "measure a planted machine instead of this one"},
    {"repeat", "N", "N whole runs in fresh processes, for sonde compare"},
    {"export", "KIND=FILE", "hand the numbers to another tool; sonde list exports"},
    {"counters", "LIST", "count events at every point: cycles,l1-misses,..."},
};

enum run_option {
    OPTION_JSON,
    OPTION_HTML,
    OPTION_QUICK,
    OPTION_FULL,
    OPTION_BUDGET,
    OPTION_CPU,
    OPTION_SEED,
    OPTION_NO_SAMPLES,
    OPTION_STRICT,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_COLOR,
    OPTION_PROGRESS,
    OPTION_SYSROOT,
    OPTION_SIMULATE,
    OPTION_REPEAT,
    OPTION_EXPORT,
    OPTION_COUNTERS,
};

/* All probes together; clocks are weighed and findings drawn in what is left of a minute.
 */
static const double default_s = 50;
static const double quick_s = 10, longest_s = 86400;
/* --full takes five times as long as the default, and no more. */
static const double full_factor = 5;
static const uint64_t most_repeats = 1000;

static int parse_budget(struct run_options *options, const char *value)
{
    if (sonde_base_parse_number(value, &options->budget_s) || !(options->budget_s > 0) ||
        options->budget_s > longest_s)
        return sonde_cli_misuse(
            "--budget %s is no number of seconds above 0 and up to 86400", value);
    return EXIT_DONE;
}

static int parse_cpus(struct run_options *options, const char *value)
{
    struct message why = {{0}};

    if (sonde_base_cpulist_parse(&options->cpus, value, &why))
        return sonde_cli_misuse("--cpu %s: %s", value, why.text);
    if (!sonde_base_cpulist_count(&options->cpus))
        return sonde_cli_misuse("--cpu names no CPU; give a list such as 0,2-3");
    options->has_cpus = true;
    return EXIT_DONE;
}

static int parse_counters(struct run_options *options, const char *value)
{
    struct message why = {{0}};

    if (sonde_machine_counters_parse(&options->counters, value, &why))
        return sonde_cli_misuse("--counters: %s", why.text);
    return EXIT_DONE;
}

static int take_option(void *self, size_t row, const char *value)
{
    struct run_options *options = self;

    switch ((enum run_option)row) {
    case OPTION_JSON:
        return sonde_cli_target_add(&options->json, value);
    case OPTION_HTML:
        return sonde_cli_target_add(&options->html, value);
    case OPTION_QUICK:
        options->effort.level = EFFORT_QUICK;
        return EXIT_DONE;
    case OPTION_FULL:
        options->effort.level = EFFORT_FULL;
        return EXIT_DONE;
    case OPTION_BUDGET:
        return parse_budget(options, value);
    case OPTION_CPU:
        return parse_cpus(options, value);
    case OPTION_SEED:
        if (sonde_base_parse_count(value, &options->seed))
            return sonde_cli_misuse("--seed %s is no whole number", value);
        return EXIT_DONE;
    case OPTION_NO_SAMPLES:
        options->keep_samples = false;
        return EXIT_DONE;
    case OPTION_STRICT:
        options->strict = true;
        return EXIT_DONE;
    case OPTION_QUIET:
        options->quiet = true;
        return EXIT_DONE;
    case OPTION_VERBOSE:
        options->verbose = true;
        return EXIT_DONE;
    case OPTION_COLOR:
        options->colour = value;
        return EXIT_DONE;
    case OPTION_PROGRESS:
        options->progress = value;
        return EXIT_DONE;
    case OPTION_SYSROOT:
        options->sysroot = value;
        return EXIT_DONE;
    case OPTION_SIMULATE:
        options->simulate = value;
        return EXIT_DONE;
    case OPTION_REPEAT:
        if (sonde_base_parse_count(value, &options->repeat) || options->repeat < 1 ||
            options->repeat > most_repeats)
            return sonde_cli_misuse("--repeat %s is no number of runs from 1 to 1000",
                                    value);
        return EXIT_DONE;
    case OPTION_EXPORT:
        return sonde_cli_export_add(&options->exports, value);
    case OPTION_COUNTERS:
        return parse_counters(options, value);
    }
    return EXIT_USAGE;
}

/* --- probes ----------------------------------------------------------------------------
 */

static const char *nearest_probe(const char *name)
{
    size_t count, best = 4; /* further away it is no slip of the finger */
    const struct probe *const *probes = sonde_probes(&count);
    const char *nearest = NULL;

    for (size_t i = 0; i < count; i++) {
        size_t distance = sonde_base_distance(name, probes[i]->name);

        if (distance < best) {
            best = distance;
            nearest = probes[i]->name;
        }
    }
    return nearest;
}

static bool named(const struct probe *probe, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(probe->name, names[i]) == 0)
            return true;
    return count == 0;
}

static int choose_probes(struct run_options *options, int named_count, char **names)
{
    size_t count;
    const struct probe *const *probes = sonde_probes(&count);

    for (int i = 0; i < named_count; i++) {
        const char *nearest = nearest_probe(names[i]);

        if (sonde_probe_find(names[i]))
            continue;
        if (nearest)
            return sonde_cli_misuse("there is no probe '%s'; did you mean '%s'?",
                                    names[i], nearest);
        return sonde_cli_misuse("there is no probe '%s'; sonde list names them all",
                                names[i]);
    }
    options->probes = calloc(count, sizeof(const struct probe *));
    if (!options->probes)
        return EXIT_FAILED;
    for (size_t i = 0; i < count; i++)
        if (named(probes[i], named_count, names))
            options->probes[options->probe_count++] = probes[i];
    return EXIT_DONE;
}

/* What was asked for is all of it; otherwise the probes' own wishes, up to a limit. */
static void choose_budget(struct run_options *options)
{
    const double limits_s[] = {[EFFORT_QUICK] = quick_s,
                               [EFFORT_DEFAULT] = default_s,
                               [EFFORT_FULL] = full_factor * default_s};
    double seconds = 0;

    options->whole_s = options->budget_s;
    if (options->budget_s > 0)
        return;
    for (size_t i = 0; i < options->probe_count; i++)
        seconds += options->probes[i]->seconds;
    if (options->effort.level == EFFORT_FULL)
        seconds *= full_factor;
    options->whole_s = limits_s[options->effort.level];
    options->budget_s = fmin(seconds, options->whole_s);
}

/* Standard output must be there before a minute is spent on what goes to it. */
static int check_stdout(void)
{
    int flags = fcntl(STDOUT_FILENO, F_GETFL);

    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
        return EXIT_DONE;
    sonde_cli_complain(
        "standard output is closed; redirect it, or give --quiet and --json");
    return EXIT_FAILED;
}

/* One thing at most goes to standard output: two would be told apart by nobody. */
static int check_files(const struct run_options *options)
{
    unsigned to_stdout = (unsigned)sonde_cli_targets_stdout(&options->json) +
                         (unsigned)sonde_cli_targets_stdout(&options->html);

    for (size_t i = 0; i < options->exports.files.count; i++)
        to_stdout += strcmp(options->exports.files.paths[i], "-") == 0;
    if (to_stdout > 1)
        return sonde_cli_misuse("only one file can be '-', standard output");
    if (options->html.count && sonde_cli_pages_check() != EXIT_DONE)
        return EXIT_FAILED;
    return options->quiet && !to_stdout ? EXIT_DONE : check_stdout();
}

static int check(struct run_options *options)
{
    struct progress progress;

    if (sonde_cli_style(options->colour, &options->style))
        return sonde_cli_misuse("--color %s is none of always, never, auto",
                                options->colour);
    options->style.verbose = options->verbose;
    if (options->quiet && options->verbose)
        return sonde_cli_misuse("--quiet and --verbose exclude each other");
    if (sonde_cli_progress_open(&progress, options->progress, options->quiet))
        return sonde_cli_misuse("--progress %s is none of always, never, auto",
                                options->progress);
    if (options->sysroot && options->simulate)
        return sonde_cli_misuse("--sysroot and --simulate exclude each other");
    if (options->quiet && !options->json.count && !options->html.count &&
        !options->exports.files.count)
        return sonde_cli_misuse(
            "--quiet without --json, --html or --export would show nothing");
    return check_files(options);
}

int sonde_cli_run_options(struct run_options *options, const struct command *command,
                          int argc, char **argv)
{
    int status;
    bool goes_on;

    *options = (struct run_options){
        .effort = {EFFORT_DEFAULT, 1}, .seed = 1, .repeat = 1, .keep_samples = true};
    goes_on = sonde_cli_take_options(command, argc, argv, take_option, options, &status);
    options->finished = !goes_on && status == EXIT_DONE;
    if (goes_on)
        status = choose_probes(options, argc - optind, argv + optind);
    if (goes_on && status == EXIT_DONE) {
        choose_budget(options);
        status = check(options);
    }
    return status;
}

void sonde_cli_run_options_free(struct run_options *options)
{
    sonde_base_cpulist_free(&options->cpus);
    free(options->probes);
}
