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

#endif
