/* The commands: one file and one row each. Only this room prints, parses arguments and
 * decides the exit status. */
#ifndef SONDE_CLI_CLI_H
#define SONDE_CLI_CLI_H

#include "report/report.h"

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

struct command {
    const char *name;    /* "run" */
    const char *summary; /* one line, for --help */
    const char *usage;   /* what `sonde NAME --help` prints, whole lines */
    /* argv[0] is the command's name; answers the exit status (enum exit_status). */
    int (*run)(int argc, char **argv);
};

/* cmd_<name>.c: one each. */
extern const struct command sonde_cli_command_analyze;

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
