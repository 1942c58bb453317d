/* What `sonde bench` found, for the terminal and as a passport. */
#ifndef SONDE_CLI_BENCH_REPORT_H
#define SONDE_CLI_BENCH_REPORT_H

#include "bench/bench.h"
#include "measure/quietest.h"
#include "passport/passport.h"
#include "report/report.h"

/* The report for the terminal; of the passport, what it says of emulation and counters;
 * of the choice, why this CPU (none looked at: it was asked for). */
int sonde_cli_bench_print(const struct bench *bench, const struct passport *passport,
                          const struct cpu_choice *choice,
                          const struct report_style *style, struct text *out);
/* Adds the probe "bench" to a passport that is described already. 0 or -ENOMEM. */
int sonde_cli_bench_record(struct bench *bench, double seconds, bool samples,
                           struct passport *passport);

#endif
