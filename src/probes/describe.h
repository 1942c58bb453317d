/* Fills the parts of a passport that come from the machine rather than from a probe. */
#ifndef SONDE_PROBES_DESCRIBE_H
#define SONDE_PROBES_DESCRIBE_H

#include "probes/probe.h"

/* Tool, machine, vantage and environment. 0 or -ENOMEM. */
int sonde_probe_describe(const struct session *session, struct passport *passport);
/* The environment's figures that the scales hold, and the warnings that follow from them.
 */
int sonde_probe_describe_scales(const struct scales *scales, struct passport *passport);
/* Warnings that follow from the machine alone (virtual, emulated, few CPUs, ...). */
int sonde_probe_warn(const struct session *session, struct passport *passport);
/* One note about counters that were asked for and are not there; none when `error` is 0
 * and `why` (of sonde_machine_counters_open) is empty. */
int sonde_probe_warn_counters(const struct machine *machine, int error, const char *why,
                              struct passport *passport);

#endif
