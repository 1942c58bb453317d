/* Points of `ways` beyond its sets: streams over memory, and lines in use while others
 * pass by. */
#ifndef SONDE_PROBES_PASSING_H
#define SONDE_PROBES_PASSING_H

#include "probes/probe.h"

struct passing {
    double first;      /* bytes of the first level */
    double inner;      /* of the largest level above the last; NaN: not known */
    double last;       /* the most that the last level can hold; NaN: not declared */
    double near, far;  /* stretches that the last level holds, and that it cannot */
    char why[120];     /* why nothing passes by; "": something does */
    char why_far[120]; /* why there is no far stretch; "": there is */
};

/* Sizes from what was found of the first level (NaN: nothing) and from what is declared,
 * within the memory that is allowed. */
void sonde_probe_passing_sizes(const struct probe_context *context, double first,
                               struct passing *passing);

/* Adds the series `traffic`: reads, writes, writes past the caches. Nothing where there
 * is no far stretch. 0 or -ENOMEM. */
int sonde_probe_passing_traffic(const struct passing *passing, struct plan *plan);
/* Adds the series `stirred`. Nothing where nothing passes by. 0 or -ENOMEM. */
int sonde_probe_passing_stirred(const struct passing *passing, double line_bytes,
                                struct plan *plan);

#endif
