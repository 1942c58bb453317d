/* What `sonde bench` was asked for. */
#ifndef SONDE_CLI_BENCH_OPTIONS_H
#define SONDE_CLI_BENCH_OPTIONS_H

#include "bench/bench.h"
#include "cli/cli.h"

#include <stdbool.h>

enum { SONDE_CLI_BENCH_OPTIONS = 19, BENCH_WANTED_MAX = 64 };
extern const struct option_row sonde_cli_bench_option_rows[SONDE_CLI_BENCH_OPTIONS];

struct wanted_bench {
    struct bench_options bench;
    struct targets json;
    struct counter_list counters; /* empty: none asked for */
    const char *flags;            /* --cflags */
    const char *kernels[BENCH_WANTED_MAX];
    size_t kernel_count;
    char *names[BENCH_LISTS_MAX]; /* of --param; owned */
    int cpu;                      /* -1: any */
    bool keep_samples, strict, quiet;
    const char *progress, *colour;
    struct report_style style;
    char **files;
    size_t file_count;
    bool finished; /* --help was printed: nothing more to do */
};

/* EXIT_DONE, or the status to exit with after one line. Free in any case. */
int sonde_cli_bench_options(struct wanted_bench *wanted, const struct command *command,
                            int argc, char **argv);
void sonde_cli_bench_options_free(struct wanted_bench *wanted);

#endif
