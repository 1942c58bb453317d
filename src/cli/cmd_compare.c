/* sonde compare: which differences between passports are real.
 *
 * The first file is A; each other one is compared with it. A file holds one passport or a
 * group of runs (sonde run --repeat). Exit status 4 says that a difference is real, or,
 * with --fail-above, that something got worse by more than that. */
#include "cli/cli.h"

#include "base/units.h"
#include "report/compare.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum compare_option { OPTION_FAIL_ABOVE, OPTION_JUNIT, OPTION_ALL, OPTION_COLOR };

static const struct option_row rows[] = {
    [OPTION_FAIL_ABOVE] = {"fail-above", "PERCENT",
                           "exit 4 only where a finding got worse by more"},
    [OPTION_JUNIT] = {"junit", "FILE", "write it as JUnit's XML too"},
    [OPTION_ALL] = {"all", NULL, "list what does not differ as well"},
    [OPTION_COLOR] = {"color", "WHEN", "always, never, or auto"},
};

struct wanted {
    double percent; /* NaN: any real difference counts */
    struct targets junit;
    bool all;
    const char *colour;
    struct report_style style;
};

static int take_option(void *self, size_t row, const char *value)
{
    struct wanted *wanted = self;

    switch ((enum compare_option)row) {
    case OPTION_FAIL_ABOVE:
        if (sonde_base_parse_number(value, &wanted->percent) || !(wanted->percent >= 0))
            return sonde_cli_misuse("--fail-above %s is no percentage from 0 on", value);
        return EXIT_DONE;
    case OPTION_JUNIT:
        return sonde_cli_target_add(&wanted->junit, value);
    case OPTION_ALL:
        wanted->all = true;
        return EXIT_DONE;
    case OPTION_COLOR:
        wanted->colour = value;
        return EXIT_DONE;
    }
    return EXIT_USAGE;
}

static int read_sources(char **paths, size_t count, struct compare_source *sources)
{
    struct message why = {{0}};

    for (size_t i = 0; i < count; i++) {
        sources[i].name = paths[i];
        if (sonde_passport_read(&sources[i].list, paths[i], NULL, &why)) {
            sonde_cli_complain("%s", why.text);
            return EXIT_FAILED;
        }
    }
    return EXIT_DONE;
}

/* What the tables say to the shell. */
static int verdict(const struct wanted *wanted, const struct compare_table *tables,
                   size_t count)
{
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < tables[t].count; i++) {
            const struct compare_row *row = &tables[t].rows[i];

            if (row->result.outcome == COMPARE_REAL &&
                (isnan(wanted->percent) ||
                 sonde_report_compare_loss(row) > wanted->percent))
                return EXIT_DIFFERENCE;
        }
    return EXIT_DONE;
}

static int print_tables(const struct wanted *wanted, const struct compare_table *tables,
                        size_t count)
{
    struct text out = {0};
    int error = 0, status;

    for (size_t t = 0; t < count && !error; t++) {
        sonde_base_text_print(&out, "%s", t ? "\n" : "");
        error =
            sonde_report_compare_terminal(&tables[t], wanted->all, &wanted->style, &out);
    }
    if (error)
        sonde_cli_complain("out of memory for the comparison");
    status = error ? EXIT_FAILED : sonde_cli_print(out.data, out.length);
    sonde_base_text_free(&out);
    return status;
}

static int write_junit(const struct wanted *wanted, const struct compare_table *tables,
                       size_t count)
{
    struct text out = {0};
    int status = EXIT_FAILED;

    if (!wanted->junit.count)
        return EXIT_DONE;
    if (sonde_report_compare_junit(tables, count,
                                   isnan(wanted->percent) ? 0 : wanted->percent, &out))
        sonde_cli_complain("out of memory for the XML");
    else
        status = sonde_cli_targets_put(&wanted->junit, out.data, out.length, true);
    sonde_base_text_free(&out);
    return status;
}

static int compare_all(const struct wanted *wanted, const struct compare_source *sources,
                       size_t count)
{
    struct compare_table *tables = calloc(count, sizeof *tables);
    size_t pairs = count - 1;
    int status = EXIT_DONE, written;

    for (size_t i = 0; tables && i < pairs && status == EXIT_DONE; i++)
        if (sonde_report_compare(&sources[0], &sources[i + 1], &tables[i]))
            status = EXIT_FAILED;
    if (!tables || status != EXIT_DONE) {
        sonde_cli_complain("out of memory for the comparison");
        status = EXIT_FAILED;
    }
    if (status == EXIT_DONE && !sonde_cli_targets_stdout(&wanted->junit))
        status = print_tables(wanted, tables, pairs);
    if (status == EXIT_DONE) {
        written = write_junit(wanted, tables, pairs);
        status = written == EXIT_DONE ? verdict(wanted, tables, pairs) : written;
    }
    for (size_t i = 0; tables && i < pairs; i++)
        sonde_report_compare_free(&tables[i]);
    free(tables);
    return status;
}

static int compare_files(const struct wanted *wanted, char **paths, size_t count)
{
    struct compare_source *sources = calloc(count, sizeof *sources);
    int status = sources ? read_sources(paths, count, sources) : EXIT_FAILED;

    if (status == EXIT_DONE)
        status = compare_all(wanted, sources, count);
    for (size_t i = 0; sources && i < count; i++)
        sonde_passport_list_free(&sources[i].list);
    free(sources);
    return status;
}

static int run_command(const struct command *command, int argc, char **argv)
{
    struct wanted wanted = {.percent = NAN};
    int status;

    if (!sonde_cli_take_options(command, argc, argv, take_option, &wanted, &status))
        return status;
    if (argc - optind < 2)
        return sonde_cli_misuse(
            "sonde compare wants two files or more; see sonde compare --help");
    if (sonde_cli_style(wanted.colour, &wanted.style))
        return sonde_cli_misuse("--color %s is none of always, never, auto",
                                wanted.colour);
    return compare_files(&wanted, argv + optind, (size_t)(argc - optind));
}

const struct command sonde_cli_command_compare = {
    .name = "compare",
    .summary = "tells which differences between passports are real",
    .synopsis = "A B...",
    .options = rows,
    .option_count = sizeof rows / sizeof rows[0],
    .run = run_command,
};
