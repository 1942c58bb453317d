/* From findings to verdicts, and findings anew from a stored passport. */
#ifndef SONDE_PROBES_VERDICTS_H
#define SONDE_PROBES_VERDICTS_H

#include "passport/passport.h"

/* Holds every finding against what `passport` declares, or refuses all of them when its
 * environment says that it was emulated. */
void sonde_probe_judge(const struct passport *passport, struct findings *findings);

/* Draws the findings of the probes that need nothing but their series (ways, latency,
 * mountain, stride, layout) anew from the series the passport holds, ours or another
 * tool's, and judges them. Of other tools' files also those of ways between CPUs and of
 * latencies under load; our own keep those they have. 0 or -ENOMEM. */
int sonde_probe_reconsider(struct passport *passport);

#endif
