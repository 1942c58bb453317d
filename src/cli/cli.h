/* The commands: one file and one row each. Only this room prints, parses arguments and
 * decides the exit status. */
#ifndef SONDE_CLI_CLI_H
#define SONDE_CLI_CLI_H

#include "base/text.h"
#include "report/export.h"
#include "report/report.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_UNRELIABLE = 3,    /* done, but not to be relied on, with --strict */
    EXIT_DIFFERENCE = 4,    /* a comparison found a real difference */
    EXIT_UNMEASURABLE = 77, /* nothing could be measured here */
    EXIT_INTERRUPTED = 130,
};

/* One row per option of a command: the parser, --help, the man page and the completions
 * all come from it. */
struct option_row {
    const char *name;     /* "json", without the dashes */
    const char *argument; /* "FILE"; NULL: a flag */
    const char *help;     /* one line */
};

struct command {
    const char *name;     /* "run" */
    const char *summary;  /* one line, for --help */
    const char *synopsis; /* what follows the options: "[PROBE...]" */
    const struct option_row *options;
    size_t option_count;
    /* Appends the words that an operand may be, separated by spaces, for --help and the
     * completions; NULL: operands are files, or there are none. */
    void (*words)(struct text *out);
    /* argv[0] is the command's name; answers the exit status (enum exit_status). */
    int (*run)(const struct command *command, int argc, char **argv);
};

/* The table of commands, from commands.def. */
const struct command *const *sonde_cli_commands(size_t *count);

/* --- options.c -------------------------------------------------------------------------
 */

/* Takes one option: `row` is its index in the command's rows, `value` NULL for a flag.
 * EXIT_DONE, or the status to exit with after one line. */
typedef int option_taker(void *self, size_t row, const char *value);
/* Hands every option of a command line to `take` (NULL for a command without options).
 * True: go on, the operands begin at argv[optind]. False: `*status` is what to exit with,
 * EXIT_DONE after --help was printed. */
bool sonde_cli_take_options(const struct command *command, int argc, char **argv,
                            option_taker *take, void *self, int *status);
/* Words of a command whose operands are probes. */
void sonde_cli_probe_words(struct text *out);
/* The short form of an option, the same in every command: 'v' of "verbose"; 0: none. */
char sonde_cli_option_letter(const struct option_row *row);
/* "usage" of a command, from its rows. */
void sonde_cli_help(const struct command *command, struct text *out);
/* Complains of a bad command line in one line and answers EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) int sonde_cli_misuse(const char *format, ...);

/* --- targets.c: where --json and its like go
 * -------------------------------------------- */

enum { TARGETS_MAX = 16 };
struct targets {
    const char *paths[TARGETS_MAX]; /* "-" is standard output */
    size_t count;
};
/* Adds a path, having looked whether it can be written at all, before anything is
 * measured. EXIT_DONE, or the status to exit with after one line. */
int sonde_cli_target_add(struct targets *targets, const char *path);
bool sonde_cli_targets_stdout(const struct targets *targets);
/* Writes the passports as JSON to all targets; standard output only when `last`. */
int sonde_cli_targets_write(const struct targets *targets,
                            const struct passport_list *list, bool samples, bool last);

/* The same bytes to all targets. EXIT_DONE or EXIT_FAILED after one line. */
int sonde_cli_targets_put(const struct targets *targets, const char *data, size_t length,
                          bool last);

/* --- export_targets.c: where --export KIND=FILE goes
 * ------------------------------------ */

struct export_targets {
    const struct export_kind *kinds[TARGETS_MAX];
    struct targets files; /* one a kind */
};
/* A kind of export by name, or NULL after one line that names the nearest. */
const struct export_kind *sonde_cli_export_kind(const char *name);
/* Adds "KIND=FILE". The path points into `word`. EXIT_DONE, or the status to exit with
 * after one line. */
int sonde_cli_export_add(struct export_targets *targets, const char *word);
/* Writes each export; EXIT_DONE, or EXIT_FAILED after a line for each that failed. */
int sonde_cli_export_write(const struct export_targets *targets,
                           const struct passport_list *list);

/* --- html.c: where --html goes --------------------------------------------------------
 */

/* EXIT_DONE, or EXIT_FAILED after one line that says why no page can be written here. */
int sonde_cli_pages_check(void);
/* Writes the page of the passports to all targets. `sources` names where each passport
 * came from; NULL: not said. */
int sonde_cli_pages_write(const struct targets *targets, const struct passport_list *list,
                          const char *const *sources);

/* --- formats.c */

/* EXIT_DONE, or EXIT_USAGE after one line when no reader is named `format`. */
int sonde_cli_check_format(const char *format);

/* --- interrupt.c */

/* From now on the first SIGINT, SIGTERM or SIGHUP sets what is answered here, and a
 * second one ends the program. */
const volatile sig_atomic_t *sonde_cli_catch_signals(void);

/* --- progress.c
 * ------------------------------------------------------------------------- */

struct progress {
    bool shown;
    bool drawn; /* a bar stands on the screen */
    unsigned columns;
    double last_s;
};
/* `when` is "always", "never" or "auto" (NULL): a terminal. -EINVAL for another. */
int sonde_cli_progress_open(struct progress *progress, const char *when, bool quiet);
void sonde_cli_progress_show(struct progress *progress, const char *name, double done,
                             double left_s);
void sonde_cli_progress_clear(struct progress *progress);

/* --- output.c: the two streams -------------------------------------------------------
 */

/* "sonde: ..." as one line on standard error; control characters in it are replaced. */
__attribute__((format(printf, 1, 2))) void sonde_cli_complain(const char *format, ...);

/* Writes to standard output with every write checked; complains and answers EXIT_FAILED
 * when it cannot, else EXIT_DONE. */
int sonde_cli_print(const char *data, size_t length);

/* How standard output wants to be written to: its width (80 when it is no terminal and
 * COLUMNS says nothing), UTF-8 by LC_CTYPE (main has called setlocale for that category
 * alone), and colour: `when` is "always", "never", or "auto" (also NULL), which means a
 * terminal, NO_COLOR unset or empty, and TERM not "dumb". -EINVAL for another `when`. */
int sonde_cli_style(const char *when, struct report_style *style);

#endif
