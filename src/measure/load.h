/* One sample of a kernel while the rest of its team loads memory (see struct load). */
#ifndef SONDE_MEASURE_LOAD_H
#define SONDE_MEASURE_LOAD_H

#include "measure/team.h"

/* The first member runs the point's kernel at `start` and must return `expected`; the
 * others do their turns in the memory at `stretches`. Fills `reading`: ns is the first
 * member's own time, load what the others moved in it. 0 or a negative errno. */
int sonde_measure_load_sample(struct team_state *state, const struct timer *timer,
                              const struct point *point, char *start, char *stretches,
                              uint64_t steps, uint64_t expected, struct reading *reading);

#endif
