/* sonde report: passports as one page that opens offline.
 *
 * All files are read before anything is written: a bad one gives no half of a page.
 * Several passports are laid over each other, in the order they were named. */
#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum report_option { OPTION_OUTPUT, OPTION_FORMAT };

static const struct option_row rows[] = {
    [OPTION_OUTPUT] = {"output", "FILE", "the page to write; '-' is standard output"},
    [OPTION_FORMAT] = {"format", "NAME", "of the files; otherwise by their content"},
};

struct wanted {
    struct targets output;
    const char *format;
};

static int take_option(void *self, size_t row, const char *value)
{
    struct wanted *wanted = self;

    switch ((enum report_option)row) {
    case OPTION_OUTPUT:
        return sonde_cli_target_add(&wanted->output, value);
    case OPTION_FORMAT:
        wanted->format = value;
        return EXIT_DONE;
    }
    return EXIT_USAGE;
}

/* Reads one file and notes for each of its passports where it came from. */
static int read_file(const struct wanted *wanted, const char *path,
                     struct passport_list *list, const char ***sources)
{
    size_t before = list->count;
    struct message why = {{0}};
    const char **grown;

    if (sonde_passport_read(list, path, wanted->format, &why)) {
        sonde_cli_complain("%s", why.text);
        return EXIT_FAILED;
    }
    grown = realloc(*sources, (list->count + 1) * sizeof *grown);
    if (!grown) {
        sonde_cli_complain("out of memory for the passports");
        return EXIT_FAILED;
    }
    for (size_t i = before; i < list->count; i++)
        grown[i] = path;
    *sources = grown;
    return EXIT_DONE;
}

static int report(const struct wanted *wanted, char **paths, size_t count)
{
    struct passport_list list = {0};
    const char **sources = NULL;
    int status = EXIT_DONE;

    for (size_t i = 0; status == EXIT_DONE && i < count; i++)
        status = read_file(wanted, paths[i], &list, &sources);
    if (status == EXIT_DONE)
        status = sonde_cli_pages_write(&wanted->output, &list, sources);
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
        return sonde_cli_misuse("sonde report wants a passport; see sonde report --help");
    if (!wanted.output.count)
        return sonde_cli_misuse("sonde report wants -o FILE for the page");
    if (wanted.format && sonde_cli_check_format(wanted.format) != EXIT_DONE)
        return EXIT_USAGE;
    if (sonde_cli_pages_check() != EXIT_DONE)
        return EXIT_FAILED;
    return report(&wanted, argv + optind, (size_t)(argc - optind));
}

const struct command sonde_cli_command_report = {
    .name = "report",
    .summary = "writes passports as one page that opens offline",
    .synopsis = "FILE...",
    .options = rows,
    .option_count = sizeof rows / sizeof rows[0],
    .run = run_command,
};
