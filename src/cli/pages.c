/* sonde-pages: man pages and completions, from the same tables as --help.
 *
 *   sonde-pages man             sonde(1)
 *   sonde-pages man COMMAND     sonde-COMMAND(1)
 *   sonde-pages bash|zsh|fish   completions
 *
 * A tool of the build, never installed. */
#include "cli/cli.h"

#include "config.h"
#include "probes/probe.h"

#include <stdio.h>
#include <string.h>

/* Text for roff: hyphens and backslashes are no typography, a dot begins no request. */
static void put_roff(struct text *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        sonde_base_text_print(out, "\\&");
    for (; *text; text++)
        if (*text == '-')
            sonde_base_text_print(out, "\\-");
        else if (*text == '\\')
            sonde_base_text_print(out, "\\e");
        else
            sonde_base_text_append(out, text, 1);
}

static void put_option(struct text *out, const struct option_row *row)
{
    char letter = sonde_cli_option_letter(row);

    sonde_base_text_print(out, ".TP\n.B ");
    if (letter)
        sonde_base_text_print(out, "\\-%c, ", letter);
    sonde_base_text_print(out, "\\-\\-");
    put_roff(out, row->name);
    if (row->argument) {
        sonde_base_text_print(out, " \\fI");
        put_roff(out, row->argument);
        sonde_base_text_print(out, "\\fR");
    }
    sonde_base_text_print(out, "\n");
    put_roff(out, row->help);
    sonde_base_text_print(out, "\n");
}

static void put_status(struct text *out)
{
    static const struct {
        int status;
        const char *meaning;
    } rows[] = {
        {EXIT_DONE, "done"},
        {EXIT_FAILED, "failed; one line on standard error says why"},
        {EXIT_USAGE, "bad usage"},
        {EXIT_UNRELIABLE, "done, but not to be relied on (with --strict)"},
        {EXIT_DIFFERENCE, "a comparison found a real difference"},
        {EXIT_UNMEASURABLE, "nothing could be measured here"},
        {EXIT_INTERRUPTED, "interrupted; what was done is written"},
    };

    sonde_base_text_print(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sonde_base_text_print(out, ".TP\n.B %d\n", rows[i].status);
        put_roff(out, rows[i].meaning);
        sonde_base_text_print(out, "\n");
    }
}

static void put_title(struct text *out, const char *name, const char *summary)
{
    sonde_base_text_print(out, ".TH %s 1 \"\" \"sonde %s\" \"User Commands\"\n.SH NAME\n",
                          name, SONDE_VERSION);
    put_roff(out, name);
    sonde_base_text_print(out, " \\- ");
    put_roff(out, summary);
    sonde_base_text_print(out, "\n");
}

static void put_probes(struct text *out)
{
    size_t count;
    const struct probe *const *probes = sonde_probes(&count);

    sonde_base_text_print(out, ".SH PROBES\n");
    for (size_t i = 0; i < count; i++) {
        sonde_base_text_print(out, ".TP\n.B %s\n", probes[i]->name);
        put_roff(out, probes[i]->summary);
        sonde_base_text_print(out, "\n");
    }
}

static void man_command(struct text *out, const struct command *command)
{
    char name[64];

    snprintf(name, sizeof name, "sonde-%s", command->name);
    put_title(out, name, command->summary);
    sonde_base_text_print(out, ".SH SYNOPSIS\n.B sonde %s\n[\\fIOPTION\\fR...] ",
                          command->name);
    put_roff(out, command->synopsis);
    sonde_base_text_print(out, "\n.SH DESCRIPTION\n");
    put_roff(out, command->summary);
    sonde_base_text_print(out, ".\n");
    if (command->words && command->words != sonde_cli_probe_words) {
        sonde_base_text_print(out, ".PP\nOperands:\n");
        command->words(out);
        sonde_base_text_print(out, ".\n");
    }
    sonde_base_text_print(out, ".SH OPTIONS\n");
    for (size_t i = 0; i < command->option_count; i++)
        put_option(out, &command->options[i]);
    sonde_base_text_print(out, ".TP\n.B \\-\\-help\nprint the options\n");
    if (command->words == sonde_cli_probe_words)
        put_probes(out);
    put_status(out);
    sonde_base_text_print(out, ".SH SEE ALSO\n.BR sonde (1)\n");
}

static void man_program(struct text *out)
{
    size_t count;
    const struct command *const *commands = sonde_cli_commands(&count);

    put_title(out, "sonde", "measures the memory hierarchy and the cores of a machine");
    sonde_base_text_print(
        out,
        ".SH SYNOPSIS\n.B sonde\n\\fICOMMAND\\fR [\\fIOPTION\\fR...]\n"
        ".SH DESCRIPTION\nMeasures what the memory hierarchy and the cores really "
        "do, infers the machine's\nparameters from that, holds them against what the "
        "machine declares, and says how\nsure it is, or that it could not tell.\n"
        ".SH COMMANDS\n");
    for (size_t i = 0; i < count; i++) {
        sonde_base_text_print(out, ".TP\n.BR sonde\\-%s (1)\n", commands[i]->name);
        put_roff(out, commands[i]->summary);
        sonde_base_text_print(out, "\n");
    }
    sonde_base_text_print(out, ".SH OPTIONS\n.TP\n.B \\-\\-help\nlist the commands\n"
                               ".TP\n.B \\-\\-version\nprint the version and what is "
                               "built in\n");
    put_status(out);
    sonde_base_text_print(out,
                          ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colours, when set "
                          "and not empty\n.TP\n.B COLUMNS\nwidth of the report, when "
                          "standard output is no terminal\n.TP\n.BR CC , \" CFLAGS\"\n"
                          "compiler and flags for kernels of \\fBsonde "
                          "bench\\fR\n.SH SEE ALSO\n");
    for (size_t i = 0; i < count; i++)
        sonde_base_text_print(out, ".BR sonde\\-%s (1)%s\n", commands[i]->name,
                              i + 1 < count ? "," : "");
}

/* --- completions ----------------------------------------------------------------------
 */

static void put_commands(struct text *out, const char *between)
{
    size_t count;
    const struct command *const *commands = sonde_cli_commands(&count);

    for (size_t i = 0; i < count; i++)
        sonde_base_text_print(out, "%s%s", i ? between : "", commands[i]->name);
}

static void put_options(struct text *out, const struct command *command)
{
    for (size_t i = 0; i < command->option_count; i++)
        sonde_base_text_print(out, "--%s ", command->options[i].name);
    sonde_base_text_print(out, "--help");
}

static void put_words(struct text *out, const struct command *command)
{
    if (command->words)
        command->words(out);
}

static void complete_bash(struct text *out)
{
    size_t count;
    const struct command *const *commands = sonde_cli_commands(&count);

    sonde_base_text_print(out,
                          "# bash completion for sonde\n_sonde()\n{\n"
                          "    local word=${COMP_WORDS[COMP_CWORD]} options= words=\n"
                          "    COMPREPLY=()\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                          "        words=\"");
    put_commands(out, " ");
    sonde_base_text_print(out, " --help --version\"\n    fi\n"
                               "    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < count; i++) {
        sonde_base_text_print(out, "    %s)\n        options=\"", commands[i]->name);
        put_options(out, commands[i]);
        sonde_base_text_print(out, "\"\n        [ \"$COMP_CWORD\" -gt 1 ] && words=\"");
        put_words(out, commands[i]);
        sonde_base_text_print(out, "\"\n        ;;\n");
    }
    sonde_base_text_print(
        out, "    esac\n    case $word in\n"
             "    -*) COMPREPLY=($(compgen -W \"$options $words\" -- \"$word\")) ;;\n"
             "    *) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n    esac\n"
             "}\ncomplete -o default -F _sonde sonde\n");
}

/* Text between single quotes of zsh and fish. */
static void put_quoted(struct text *out, const char *text, bool zsh)
{
    for (; *text; text++)
        if (*text == '\'')
            sonde_base_text_print(out, "%s", zsh ? "'\\''" : "\\'");
        else if (zsh && strchr("[]:\\", *text))
            sonde_base_text_print(out, "\\%c", *text);
        else
            sonde_base_text_append(out, text, 1);
}

static void put_zsh_command(struct text *out, const struct command *command)
{
    sonde_base_text_print(out, "    %s)\n        _arguments", command->name);
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option_row *row = &command->options[i];

        sonde_base_text_print(out, " \\\n            '*--%s[", row->name);
        put_quoted(out, row->help, true);
        sonde_base_text_print(out, "]%s%s%s'", row->argument ? ":" : "",
                              row->argument ? row->argument : "",
                              row->argument ? ":_files" : "");
    }
    sonde_base_text_print(out, " \\\n            '--help[print the options]'");
    sonde_base_text_print(out,
                          " \\\n            '*:%s:", command->words ? "word" : "file");
    if (command->words) {
        sonde_base_text_print(out, "(");
        command->words(out);
        sonde_base_text_print(out, ")");
    } else {
        sonde_base_text_print(out, "_files");
    }
    sonde_base_text_print(out, "'\n        ;;\n");
}

static void complete_zsh(struct text *out)
{
    size_t count;
    const struct command *const *commands = sonde_cli_commands(&count);

    sonde_base_text_print(out, "#compdef sonde\n_sonde() {\n"
                               "    if (( CURRENT == 2 )); then\n        local -a "
                               "commands=(\n");
    for (size_t i = 0; i < count; i++) {
        sonde_base_text_print(out, "            '%s:", commands[i]->name);
        put_quoted(out, commands[i]->summary, true);
        sonde_base_text_print(out, "'\n");
    }
    sonde_base_text_print(out,
                          "        )\n        _describe command commands\n"
                          "        return\n    fi\n    local command=$words[2]\n"
                          "    shift words; (( CURRENT-- ))\n    case $command in\n");
    for (size_t i = 0; i < count; i++)
        put_zsh_command(out, commands[i]);
    sonde_base_text_print(out, "    esac\n}\n_sonde \"$@\"\n");
}

static void put_fish_command(struct text *out, const struct command *command)
{
    static const char when[] = "complete -c sonde -n '__fish_seen_subcommand_from ";

    sonde_base_text_print(out, "complete -c sonde -n __fish_use_subcommand -f -a %s -d '",
                          command->name);
    put_quoted(out, command->summary, false);
    sonde_base_text_print(out, "'\n");
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option_row *row = &command->options[i];

        sonde_base_text_print(out, "%s%s' -l %s%s -d '", when, command->name, row->name,
                              row->argument ? " -r" : "");
        put_quoted(out, row->help, false);
        sonde_base_text_print(out, "'\n");
    }
    if (command->words) {
        sonde_base_text_print(out, "%s%s' -f -a '", when, command->name);
        put_words(out, command);
        sonde_base_text_print(out, "'\n");
    }
}

static void complete_fish(struct text *out)
{
    size_t count;
    const struct command *const *commands = sonde_cli_commands(&count);

    sonde_base_text_print(out, "# fish completion for sonde\n"
                               "complete -c sonde -l help -d 'print what there is'\n"
                               "complete -c sonde -n __fish_use_subcommand -l version -d "
                               "'print the version'\n");
    for (size_t i = 0; i < count; i++)
        put_fish_command(out, commands[i]);
}

/* --- which page -----------------------------------------------------------------------
 */

static bool write_page(struct text *out, const char *kind, const char *name)
{
    size_t count;
    const struct command *const *commands = sonde_cli_commands(&count);

    if (strcmp(kind, "bash") == 0)
        complete_bash(out);
    else if (strcmp(kind, "zsh") == 0)
        complete_zsh(out);
    else if (strcmp(kind, "fish") == 0)
        complete_fish(out);
    else if (strcmp(kind, "man") == 0 && !name)
        man_program(out);
    for (size_t i = 0; name && strcmp(kind, "man") == 0 && i < count; i++)
        if (strcmp(commands[i]->name, name) == 0)
            man_command(out, commands[i]);
    return out->length > 0 && !out->failed;
}

int main(int argc, char **argv)
{
    struct text out = {0};
    int status = EXIT_USAGE;

    if (argc >= 2 && argc <= 3 && write_page(&out, argv[1], argc == 3 ? argv[2] : NULL))
        status = sonde_cli_print(out.data, out.length);
    else
        sonde_cli_complain("usage: sonde-pages man [COMMAND]|bash|zsh|fish");
    sonde_base_text_free(&out);
    return status;
}
