/* Whether a last level holds copies of what the levels above it hold. */
#ifndef SONDE_INFER_INCLUSION_H
#define SONDE_INFER_INCLUSION_H

#include "infer/finding.h"
#include "measure/series.h"

struct inclusion {
    /* Axes: stretch (bytes; 0: nothing passed by), piece and kept (bytes). A cycle of
     * `kept` bytes of lines in a level above the last, timed each time `piece` bytes of
     * the stretch have passed by. Two stretches: one that the last level holds, and one
     * that it cannot; two pieces of each. */
    const struct series *stirred;
    /* Axes: footprint (bytes) and operation. What reads of both stretches move. */
    const struct series *traffic;
    double last_bytes; /* the most that the last level can hold; NaN: not known */
    const char *why;   /* nothing was measured, and why; NULL: it was */
};

/* Adds ways.inclusion, a text, or the reason why there is none, and the controls: reads
 * of the far stretch are slower, and half as much passing by turns out half as many
 * lines. 0 or -ENOMEM. */
int sonde_infer_inclusion(const struct inclusion *inclusion, struct findings *findings);

#endif
