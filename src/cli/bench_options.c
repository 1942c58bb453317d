/* The command line of `sonde bench`, checked as far as it can be without the files. */
#include "cli/bench_options.h"

#include "base/units.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct option_row sonde_cli_bench_option_rows[SONDE_CLI_BENCH_OPTIONS] = {
    {"param", "NAME=LIST",
     "values of a parameter: stride=8,64 or n=2^10..2^20 (doubling)"},
    {"mode", "n|span", "strides with the same count, or over the same span; else both"},
    {"kernel", "NAME", "only this kernel or function; may be repeated"},
    {"check", "sum", "kernels without a check return the sum of the words they visit"},
    {"baseline", "NAME", "also give the time of all others as a ratio to this kernel's"},
    {"control", "NAME",
     "a kernel that must take as long as the baseline (or all others)"},
    {"samples", "N",
     "samples of each point (31); comparisons get up to eight times as many"},
    {"counters", "LIST", "count events of every call: cycles,l1-misses,..."},
    {"alone", NULL, "wait for each call to end before the next; the wait is taken off"},
    {"cflags", "FLAGS", "flags for the compiler, after -O2 and CFLAGS"},
    {"timeout", "SECONDS", "end a kernel that takes longer for a batch (10)"},
    {"json", "FILE", "write the passport as JSON too; '-' is standard output"},
    {"cpu", "N", "measure on this CPU"},
    {"seed", "N", "seed of every random choice"},
    {"no-samples", NULL, "leave raw samples out of the JSON"},
    {"strict", NULL, "exit 3 when a result is not to be relied on"},
    {"quiet", NULL, "no report and no progress, files only"},
    {"color", "WHEN", "always, never, or auto"},
    {"progress", "WHEN", "always, never, or auto (on a terminal)"},
};

enum bench_option {
    OPTION_PARAM,
    OPTION_MODE,
    OPTION_KERNEL,
    OPTION_CHECK,
    OPTION_BASELINE,
    OPTION_CONTROL,
    OPTION_SAMPLES,
    OPTION_COUNTERS,
    OPTION_ALONE,
    OPTION_CFLAGS,
    OPTION_TIMEOUT,
    OPTION_JSON,
    OPTION_CPU,
    OPTION_SEED,
    OPTION_NO_SAMPLES,
    OPTION_STRICT,
    OPTION_QUIET,
    OPTION_COLOR,
    OPTION_PROGRESS,
};

enum { SAMPLES_DEFAULT = 31, SAMPLES_MOST = 10000 };

static int take_list(struct wanted_bench *wanted, const char *value)
{
    const char *equals = strchr(value, '=');
    size_t at = wanted->bench.list_count;

    if (!equals || equals == value || !equals[1])
        return sonde_cli_misuse(
            "--param %.60s is not NAME=LIST (usage: --param stride=8,64)", value);
    if (at == BENCH_LISTS_MAX)
        return sonde_cli_misuse("more than %d --param", BENCH_LISTS_MAX);
    wanted->names[at] = strndup(value, (size_t)(equals - value));
    if (!wanted->names[at])
        return EXIT_FAILED;
    wanted->bench.lists[at] = (struct bench_list){wanted->names[at], equals + 1};
    wanted->bench.list_count++;
    return EXIT_DONE;
}

static int take_mode(struct bench_options *options, const char *value)
{
    bool both = strcmp(value, "n,span") == 0;

    options->modes[MODE_N] = both || strcmp(value, "n") == 0;
    options->modes[MODE_SPAN] = both || strcmp(value, "span") == 0;
    if (!options->modes[MODE_N] && !options->modes[MODE_SPAN])
        return sonde_cli_misuse("--mode %.40s is none of n, span (usage: --mode n|span)",
                                value);
    return EXIT_DONE;
}

static int take_kernel(struct wanted_bench *wanted, const char *value)
{
    if (wanted->kernel_count == BENCH_WANTED_MAX)
        return sonde_cli_misuse("more than %d --kernel", BENCH_WANTED_MAX);
    wanted->kernels[wanted->kernel_count++] = value;
    return EXIT_DONE;
}

static int take_check(struct bench_options *options, const char *value)
{
    if (strcmp(value, "sum") != 0)
        return sonde_cli_misuse("--check %.40s is not 'sum', the one check there is; "
                                "declare others with the kernel",
                                value);
    options->check_sum = true;
    return EXIT_DONE;
}

static int take_samples(struct bench_options *options, const char *value)
{
    uint64_t samples;

    if (sonde_base_parse_count(value, &samples) || samples < 3 || samples > SAMPLES_MOST)
        return sonde_cli_misuse("--samples %.40s is no whole number from 3 to %d", value,
                                SAMPLES_MOST);
    options->samples = (size_t)samples;
    return EXIT_DONE;
}

static int take_counters(struct wanted_bench *wanted, const char *value)
{
    struct message why = {{0}};

    if (sonde_machine_counters_parse(&wanted->counters, value, &why))
        return sonde_cli_misuse("--counters: %s", why.text);
    return EXIT_DONE;
}

static int take_timeout(struct bench_options *options, const char *value)
{
    if (sonde_base_parse_number(value, &options->timeout_s) ||
        !(options->timeout_s > 0) || options->timeout_s > 86400)
        return sonde_cli_misuse(
            "--timeout %.40s is no number of seconds above 0 and up to 86400", value);
    return EXIT_DONE;
}

static int take_cpu(struct wanted_bench *wanted, const char *value)
{
    uint64_t cpu;

    if (sonde_base_parse_count(value, &cpu) || cpu >= SONDE_CPU_MAX)
        return sonde_cli_misuse("--cpu %.40s is no number of a CPU", value);
    wanted->cpu = (int)cpu;
    return EXIT_DONE;
}

static int take_seed(struct bench_options *options, const char *value)
{
    if (sonde_base_parse_count(value, &options->seed))
        return sonde_cli_misuse("--seed %.40s is no whole number", value);
    return EXIT_DONE;
}

static int take_flag(struct wanted_bench *wanted, enum bench_option option,
                     const char *value)
{
    switch (option) {
    case OPTION_BASELINE:
        wanted->bench.baseline = value;
        break;
    case OPTION_CONTROL:
        wanted->bench.control = value;
        break;
    case OPTION_ALONE:
        wanted->bench.alone = true;
        break;
    case OPTION_CFLAGS:
        wanted->flags = value;
        break;
    case OPTION_NO_SAMPLES:
        wanted->keep_samples = false;
        break;
    case OPTION_STRICT:
        wanted->strict = true;
        break;
    case OPTION_QUIET:
        wanted->quiet = true;
        break;
    case OPTION_COLOR:
        wanted->colour = value;
        break;
    case OPTION_PROGRESS:
        wanted->progress = value;
        break;
    default:
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

static int take_option(void *self, size_t row, const char *value)
{
    struct wanted_bench *wanted = self;
    enum bench_option option = (enum bench_option)row;

    switch (option) {
    case OPTION_PARAM:
        return take_list(wanted, value);
    case OPTION_MODE:
        return take_mode(&wanted->bench, value);
    case OPTION_KERNEL:
        return take_kernel(wanted, value);
    case OPTION_CHECK:
        return take_check(&wanted->bench, value);
    case OPTION_SAMPLES:
        return take_samples(&wanted->bench, value);
    case OPTION_COUNTERS:
        return take_counters(wanted, value);
    case OPTION_TIMEOUT:
        return take_timeout(&wanted->bench, value);
    case OPTION_JSON:
        return sonde_cli_target_add(&wanted->json, value);
    case OPTION_CPU:
        return take_cpu(wanted, value);
    case OPTION_SEED:
        return take_seed(&wanted->bench, value);
    default:
        return take_flag(wanted, option, value);
    }
}

static int check_words(struct wanted_bench *wanted)
{
    struct progress progress;

    if (sonde_cli_style(wanted->colour, &wanted->style))
        return sonde_cli_misuse("--color %.40s is none of always, never, auto",
                                wanted->colour);
    if (sonde_cli_progress_open(&progress, wanted->progress, wanted->quiet))
        return sonde_cli_misuse("--progress %.40s is none of always, never, auto",
                                wanted->progress);
    for (size_t i = 0; i < wanted->file_count; i++) {
        enum bench_source source;

        if (sonde_bench_source(wanted->files[i], &source))
            return sonde_cli_misuse("%.200s ends in none of .S, .c, .o, .so",
                                    wanted->files[i]);
    }
    return EXIT_DONE;
}

int sonde_cli_bench_options(struct wanted_bench *wanted, const struct command *command,
                            int argc, char **argv)
{
    int status;

    *wanted = (struct wanted_bench){.cpu = -1, .keep_samples = true};
    wanted->bench =
        (struct bench_options){.timeout_s = 10, .samples = SAMPLES_DEFAULT, .seed = 1};
    wanted->bench.modes[MODE_N] = wanted->bench.modes[MODE_SPAN] = true;
    if (!sonde_cli_take_options(command, argc, argv, take_option, wanted, &status)) {
        wanted->finished = status == EXIT_DONE;
        return status;
    }
    wanted->files = argv + optind;
    wanted->file_count = (size_t)(argc - optind);
    if (!wanted->file_count)
        return sonde_cli_misuse("sonde bench wants a file: .S, .c, .o or .so; see sonde "
                                "bench --help");
    return check_words(wanted);
}

void sonde_cli_bench_options_free(struct wanted_bench *wanted)
{
    for (size_t i = 0; i < BENCH_LISTS_MAX; i++)
        free(wanted->names[i]);
}
