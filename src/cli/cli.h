/* The commands: one file and one row each. Only this room prints, parses arguments and
 * decides the exit status. */
#ifndef SONDE_CLI_CLI_H
#define SONDE_CLI_CLI_H

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

int sonde_cli_analyze(int argc, char **argv);

#endif
