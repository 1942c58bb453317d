/* One sample by a team of threads (see struct team). */
#ifndef SONDE_MEASURE_TEAM_H
#define SONDE_MEASURE_TEAM_H

#include "measure/crew.h"
#include "measure/meter.h"
#include "measure/timer.h"

/* The crew of the last team, kept because threads are dear; zeroed is none. */
struct team_state {
    struct crew *crew;
    size_t members;
    unsigned *cpus;
    uint64_t load_at; /* where in their stretches loads go on */
};

/* Opens the crew of `team` in `state`, unless it is there. 0 or a negative errno. */
int sonde_measure_team_ready(struct team_state *state, const struct team *team);

/* Runs the kernel on all members of the point's team, started together, and fills
 * `reading`: ns is from the last start to the last end. Each must return `*expected`, or,
 * when that is NULL, what the reference says. Where one is not on its CPU nobody runs it,
 * and the reading says so. 0 or a negative errno. */
int sonde_measure_team_sample(struct team_state *state, const struct timer *timer,
                              const struct point *point, char *base, uint64_t steps,
                              const uint64_t *expected, struct reading *reading);
void sonde_measure_team_close(struct team_state *state);

#endif
