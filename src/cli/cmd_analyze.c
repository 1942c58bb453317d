/* sonde analyze: the inference of a run on a stored curve, ours or anybody's.
 *
 * A passport of ours is inferred anew from its series, so that a better method serves old
 * measurements; another tool's curve becomes a passport of an unknown machine. All files
 * are read before anything is printed: a bad one gives no half of an answer. */
#include "cli/cli.h"

#include "base/units.h"
#include "probes/verdicts.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum analyze_option {
    OPTION_FORMAT,
    OPTION_STRIDE,
    OPTION_JSON,
    OPTION_NO_SAMPLES,
    OPTION_VERBOSE,
    OPTION_COLOR
};

static const struct option_row rows[] = {
    [OPTION_FORMAT] = {"format", "NAME",
                       "one of sonde list readers; otherwise by the content"},
    [OPTION_STRIDE] =
        {"stride", "N",
         "only that slice of a mountain, its cliffs; N in words of 8 bytes"},
    [OPTION_JSON] = {"json", "FILE", "write the passports there; '-' is standard output"},
    [OPTION_NO_SAMPLES] = {"no-samples", NULL, "leave single samples out of the JSON"},
    [OPTION_VERBOSE] = {"verbose", NULL,
                        "every finding and sentence, not the most important alone"},
    [OPTION_COLOR] = {"color", "WHEN", "always, never, or auto"},
};

struct wanted {
    const char *format, *colour;
    struct targets json;
    bool no_samples, verbose;
    double stride; /* of the slice wanted; 0: reports */
    struct report_style style;
};

static int take_option(void *self, size_t row, const char *value)
{
    struct wanted *wanted = self;

    switch ((enum analyze_option)row) {
    case OPTION_FORMAT:
        wanted->format = value;
        return EXIT_DONE;
    case OPTION_STRIDE:
        if (sonde_base_parse_number(value, &wanted->stride) != 0 || wanted->stride <= 0)
            return sonde_cli_misuse("--stride %.40s is no number above 0", value);
        return EXIT_DONE;
    case OPTION_JSON:
        return sonde_cli_target_add(&wanted->json, value);
    case OPTION_NO_SAMPLES:
        wanted->no_samples = true;
        return EXIT_DONE;
    case OPTION_VERBOSE:
        wanted->verbose = true;
        return EXIT_DONE;
    case OPTION_COLOR:
        wanted->colour = value;
        return EXIT_DONE;
    }
    return EXIT_USAGE;
}

/* The passports of one file: rows up to `end` of the list, after those before it. */
struct source {
    const char *path;
    size_t end;
};

static int read_files(const struct wanted *wanted, struct source *sources, size_t count,
                      struct passport_list *list)
{
    struct message why = {{0}};

    for (size_t i = 0; i < count; i++) {
        if (sonde_passport_read(list, sources[i].path, wanted->format, &why)) {
            sonde_cli_complain("%s", why.text);
            return EXIT_FAILED;
        }
        sources[i].end = list->count;
    }
    return EXIT_DONE;
}

static int infer_all(struct passport_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        int error = sonde_probe_reconsider(&list->rows[i]);

        if (error) {
            sonde_cli_complain("the curve could not be analysed: %s", strerror(-error));
            return EXIT_FAILED;
        }
    }
    return EXIT_DONE;
}

/* With more files than one, each report says whose it is. */
static void name_source(const char *path, bool first, struct text *out)
{
    sonde_base_text_print(out, "%s", first ? "" : "\n");
    for (; *path; path++)
        sonde_base_text_append(out, (unsigned char)*path < 0x20 ? "?" : path, 1);
    sonde_base_text_print(out, ":\n");
}

/* The slices of one file, or one line why there are none. */
static int print_slices(const struct wanted *wanted, const struct source *source,
                        const struct passport_list *part, struct text *out,
                        struct message *why)
{
    size_t mountains = 0;
    int error = 0;

    for (size_t i = 0; !error && i < part->count; i++)
        error = sonde_report_slice(&part->rows[i], wanted->stride, &wanted->style, out,
                                   &mountains, why);
    if (error && why->text[0]) {
        struct message inner = *why;

        return sonde_base_fail(why, error, "%s: %s", source->path, inner.text);
    }
    if (!error && !mountains)
        return sonde_base_fail(why, -ENODATA, "%s: no mountain in it, --stride needs one",
                               source->path);
    return error;
}

static int print_reports(const struct wanted *wanted, const struct source *sources,
                         size_t count, const struct passport_list *list)
{
    struct text out = {0};
    struct message why = {{0}};
    int error = 0, status = EXIT_FAILED;
    size_t start = 0;

    for (size_t i = 0; !error && i < count; start = sources[i++].end) {
        struct passport_list part = {list->rows + start, sources[i].end - start};

        if (count > 1)
            name_source(sources[i].path, i == 0, &out);
        if (wanted->stride > 0)
            error = print_slices(wanted, &sources[i], &part, &out, &why);
        else
            error = sonde_report_terminal(&part, &wanted->style, &out, &why);
    }
    if (error)
        sonde_cli_complain("%s", why.text[0] ? why.text : strerror(-error));
    else
        status = sonde_cli_print(out.data, out.length);
    sonde_base_text_free(&out);
    return status;
}

static int analyze(const struct wanted *wanted, char **paths, size_t count)
{
    struct passport_list list = {0};
    struct source *sources = calloc(count, sizeof *sources);
    int status = sources ? EXIT_DONE : EXIT_FAILED, written;

    for (size_t i = 0; sources && i < count; i++)
        sources[i].path = paths[i];
    if (status == EXIT_DONE)
        status = read_files(wanted, sources, count, &list);
    if (status == EXIT_DONE)
        status = infer_all(&list);
    if (status == EXIT_DONE) {
        if (!sonde_cli_targets_stdout(&wanted->json))
            status = print_reports(wanted, sources, count, &list);
        written =
            sonde_cli_targets_write(&wanted->json, &list, !wanted->no_samples, true);
        status = status != EXIT_DONE ? status : written;
    }
    sonde_passport_list_free(&list);
    free(sources);
    return status;
}

static int run_command(const struct command *command, int argc, char **argv)
{
    struct wanted wanted = {0};
    int status;

    if (!sonde_cli_take_options(command, argc, argv, take_option, &wanted, &status))
        return status;
    if (optind >= argc)
        return sonde_cli_misuse("sonde analyze wants a file; see sonde analyze --help");
    if (wanted.format && sonde_cli_check_format(wanted.format) != EXIT_DONE)
        return EXIT_USAGE;
    if (sonde_cli_style(wanted.colour, &wanted.style))
        return sonde_cli_misuse("--color %s is none of always, never, auto",
                                wanted.colour);
    wanted.style.verbose = wanted.verbose;
    return analyze(&wanted, argv + optind, (size_t)(argc - optind));
}

const struct command sonde_cli_command_analyze = {
    .name = "analyze",
    .summary =
        "draws the same conclusions from a stored passport or another tool's curve",
    .synopsis = "FILE...",
    .options = rows,
    .option_count = sizeof rows / sizeof rows[0],
    .run = run_command,
};
