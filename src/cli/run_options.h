/* What `sonde run` was asked for. */
#ifndef SONDE_CLI_RUN_OPTIONS_H
#define SONDE_CLI_RUN_OPTIONS_H

#include "cli/cli.h"
#include "probes/probe.h"

#include <stdbool.h>

enum { SONDE_CLI_RUN_OPTIONS = 18 };
extern const struct option_row sonde_cli_run_option_rows[SONDE_CLI_RUN_OPTIONS];

struct run_options {
    struct targets json, html;
    struct export_targets exports;
    struct effort effort;
    double budget_s; /* for one kind of core */
    double whole_s;  /* for all kinds together */
    uint64_t repeat; /* whole runs in fresh processes; 1: this one */
    struct cpulist cpus;
    bool has_cpus;
    uint64_t seed;
    bool keep_samples, strict, quiet, verbose;
    const char *sysroot, *simulate, *progress, *colour;
    struct report_style style;
    struct counter_list counters; /* count 0: none wanted */
    const struct probe **probes;  /* owned; in the order of a run */
    size_t probe_count;
    bool finished; /* --help was printed: nothing more to do */
};

/* EXIT_DONE, or the status to exit with after one line. Free in any case. */
int sonde_cli_run_options(struct run_options *options, const struct command *command,
                          int argc, char **argv);
void sonde_cli_run_options_free(struct run_options *options);

#endif
