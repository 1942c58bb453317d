/* One of the runs of `sonde run --repeat`, in a process of its own. */
#ifndef SONDE_CLI_REPEAT_H
#define SONDE_CLI_REPEAT_H

#include "cli/run_options.h"

#include <signal.h>

/* Runs the program again with `options` and the seed moved by `run` (0, 1, ...), and
 * appends its passports, numbered. Answers the run's exit status; `why` says more where
 * that is neither done nor interrupted. */
int sonde_cli_repeat_run(const struct run_options *options, unsigned run,
                         struct passport_list *list,
                         const volatile sig_atomic_t *interrupted, struct message *why);

#endif
