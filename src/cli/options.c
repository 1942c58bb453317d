/* Options of commands, from their rows: parsing and --help.
 *
 * getopt_long does the walking; its own complaints are silenced, so that every refusal is
 * one line of ours. Abbreviations of long options, which getopt would accept, are fine:
 * they are unambiguous or refused. */
#include "cli/cli.h"

#include "probes/probe.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CODE = 256, SHORT_MAX = 16, HELP_COLUMNS = 76 };
/* The short forms beside -h: every command that has the option knows its letter. */
static const struct {
    const char *name;
    char letter;
} letters[] = {{"output", 'o'}, {"verbose", 'v'}};

int sonde_cli_misuse(const char *format, ...)
{
    char line[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sonde_cli_complain("%s", line);
    return EXIT_USAGE;
}

/* A walk over the options and operands of a command. */
struct arguments {
    const struct command *command;
    int argc;
    char **argv;
    struct option *table; /* for getopt_long; owned */
};

static int arguments_open(struct arguments *arguments, const struct command *command,
                          int argc, char **argv)
{
    struct option *table = calloc(command->option_count + 2, sizeof *table);

    if (!table)
        return -ENOMEM;
    for (size_t i = 0; i < command->option_count; i++) {
        table[i].name = command->options[i].name;
        table[i].has_arg = command->options[i].argument ? required_argument : no_argument;
        table[i].val = FIRST_CODE + (int)i;
    }
    table[command->option_count] = (struct option){"help", no_argument, NULL, 'h'};
    *arguments = (struct arguments){command, argc, argv, table};
    optind = 1;
    opterr = 0;
    return 0;
}

static int print_help(const struct command *command)
{
    struct text out = {0};
    int status;

    sonde_cli_help(command, &out);
    status = out.failed ? EXIT_FAILED : sonde_cli_print(out.data, out.length);
    sonde_base_text_free(&out);
    return status;
}

char sonde_cli_option_letter(const struct option_row *row)
{
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (strcmp(row->name, letters[i].name) == 0)
            return letters[i].letter;
    return 0;
}

/* What getopt is to know of letters: ":ho:v" for a command that has both options. */
static void list_letters(const struct command *command, char *out)
{
    *out++ = ':';
    *out++ = 'h';
    for (size_t i = 0; i < command->option_count; i++) {
        char letter = sonde_cli_option_letter(&command->options[i]);

        if (letter)
            *out++ = letter;
        if (letter && command->options[i].argument)
            *out++ = ':';
    }
    *out = '\0';
}

/* The code of the row that `code` stands for, when that is a letter of one. */
static int spell_out(const struct command *command, int code)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (code > 0 && code == sonde_cli_option_letter(&command->options[i]))
            return FIRST_CODE + (int)i;
    return code;
}

/* The next option's row with its `value` (NULL for a flag); NULL at the end of the
 * options, after --help was printed and after a bad option was complained of (`*stop` is
 * then set). */
static const struct option_row *
arguments_next(struct arguments *arguments, const char **value, bool *stop, int *status)
{
    const struct command *command = arguments->command;
    char letters_known[2 * SHORT_MAX];
    int at = optind, code;

    list_letters(command, letters_known);
    code = spell_out(command, getopt_long(arguments->argc, arguments->argv, letters_known,
                                          arguments->table, NULL));
    *stop = false;
    *status = EXIT_DONE;
    if (code == -1)
        return NULL;
    if (code >= FIRST_CODE) {
        *value = optarg;
        return &command->options[code - FIRST_CODE];
    }
    *stop = true;
    if (code == 'h')
        *status = print_help(command);
    else if (code == ':')
        *status = sonde_cli_misuse("%s wants a value; see sonde %s --help",
                                   arguments->argv[optind - 1], command->name);
    else
        *status = sonde_cli_misuse(
            "sonde %s has no option '%s'; see sonde %s --help", command->name,
            arguments->argv[at < arguments->argc ? at : optind - 1], command->name);
    return NULL;
}

bool sonde_cli_take_options(const struct command *command, int argc, char **argv,
                            option_taker *take, void *self, int *status)
{
    struct arguments arguments;
    const struct option_row *row;
    const char *value = NULL;
    bool stop = false;

    *status = EXIT_FAILED;
    if (arguments_open(&arguments, command, argc, argv))
        return false;
    *status = EXIT_DONE;
    while (*status == EXIT_DONE &&
           (row = arguments_next(&arguments, &value, &stop, status)))
        *status = take(self, (size_t)(row - command->options), value);
    free(arguments.table);
    return !stop && *status == EXIT_DONE;
}

void sonde_cli_probe_words(struct text *out)
{
    size_t count;
    const struct probe *const *probes = sonde_probes(&count);

    for (size_t i = 0; i < count; i++)
        sonde_base_text_print(out, "%s%s", i ? " " : "", probes[i]->name);
}

/* The words of operands, wrapped. */
static void help_words(const struct command *command, struct text *out)
{
    struct text words = {0};
    char *rest, *word;
    size_t column = 0;

    if (command->words)
        command->words(&words);
    rest = words.failed ? NULL : words.data;
    while (rest && (word = strsep(&rest, " "))) {
        if (column + strlen(word) + 1 > HELP_COLUMNS)
            column = 0;
        sonde_base_text_print(out, "%s%s", column ? " " : "\n  ", word);
        column += strlen(word) + 1;
    }
    if (words.length)
        sonde_base_text_print(out, "\n\n");
    sonde_base_text_free(&words);
}

void sonde_cli_help(const struct command *command, struct text *out)
{
    sonde_base_text_print(out, "usage: sonde %s [OPTION...] %s\n\n%s\n", command->name,
                          command->synopsis, command->summary);
    if (command->words)
        help_words(command, out);
    else
        sonde_base_text_print(out, "\n");
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option_row *row = &command->options[i];
        char left[40], letter = sonde_cli_option_letter(row), lead[8] = "";

        if (letter)
            snprintf(lead, sizeof lead, "-%c, ", letter);
        snprintf(left, sizeof left, "%s--%s%s%s", lead, row->name,
                 row->argument ? " " : "", row->argument ? row->argument : "");
        sonde_base_text_print(out, "  %-20s %s\n", left, row->help);
    }
    sonde_base_text_print(out, "  %-20s %s\n", "--help", "print this");
}
