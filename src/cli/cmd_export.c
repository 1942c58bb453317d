/* sonde export: hands the numbers of a passport to the tools that need them. */
#include "cli/cli.h"

#include "report/export.h"

#include <getopt.h>
#include <string.h>

enum export_option { OPTION_TO, OPTION_OUTPUT };

static const struct option_row rows[] = {
    [OPTION_TO] = {"to", "KIND", "the form; sonde list exports names them all"},
    [OPTION_OUTPUT] = {"output", "FILE",
                       "write it there, whole; otherwise to standard output"},
};

struct wanted {
    const char *to;
    struct export_targets target;
};

static int read_files(char **paths, size_t count, struct passport_list *list)
{
    struct message why = {{0}};

    for (size_t i = 0; i < count; i++)
        if (sonde_passport_read(list, paths[i], NULL, &why)) {
            sonde_cli_complain("%s", why.text);
            return EXIT_FAILED;
        }
    return EXIT_DONE;
}

static int export_files(struct wanted *wanted, char **paths, size_t count)
{
    struct passport_list list = {0};
    int status = read_files(paths, count, &list);

    if (!wanted->target.files.count)
        status = status == EXIT_DONE ? sonde_cli_target_add(&wanted->target.files, "-")
                                     : status;
    if (status == EXIT_DONE)
        status = sonde_cli_export_write(&wanted->target, &list);
    sonde_passport_list_free(&list);
    return status;
}

static int take_option(void *self, size_t row, const char *value)
{
    struct wanted *wanted = self;

    if (row == OPTION_TO) {
        wanted->to = value;
        return EXIT_DONE;
    }
    if (wanted->target.files.count)
        return sonde_cli_misuse("--output is given twice");
    return sonde_cli_target_add(&wanted->target.files, value);
}

static int run_command(const struct command *command, int argc, char **argv)
{
    struct wanted wanted = {0};
    int status;

    if (!sonde_cli_take_options(command, argc, argv, take_option, &wanted, &status))
        return status;
    if (!wanted.to)
        return sonde_cli_misuse(
            "sonde export wants --to KIND; sonde list exports names them all");
    wanted.target.kinds[0] = sonde_cli_export_kind(wanted.to);
    if (!wanted.target.kinds[0])
        return EXIT_USAGE;
    if (optind >= argc)
        return sonde_cli_misuse("sonde export wants a passport; see sonde export --help");
    return export_files(&wanted, argv + optind, (size_t)(argc - optind));
}

const struct command sonde_cli_command_export = {
    .name = "export",
    .summary = "hands the numbers of a passport to the tools that need them",
    .synopsis = "PASSPORT...",
    .options = rows,
    .option_count = sizeof rows / sizeof rows[0],
    .run = run_command,
};
