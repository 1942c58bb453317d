/* Whether threads had their cores to themselves, by the share of the issue width that the
 * wide chain reached around a sample.
 *
 * A neighbour on the same physical core shares its private caches as well as its ports.
 * It comes and goes in spells; the best share seen lately tells what alone looks like. */
#ifndef SONDE_MEASURE_QUIET_H
#define SONDE_MEASURE_QUIET_H

#include "measure/series.h"

#include <stdbool.h>
#include <stddef.h>

enum { QUIET_RECENT = 4096 };

/* Of the best share: with less the core was not had alone. A neighbour takes a third or
 * more of it. */
#define SONDE_MEASURE_WHOLE_CORE 0.9

struct quiet {
    double recent[QUIET_RECENT]; /* shares seen, the oldest overwritten */
    size_t count;
    double best; /* 0: not known */
    /* Known otherwise to be had alone, and no less is the best; 0 or NaN: not known. */
    double least;
    double last; /* the share seen last; NaN or 0: not known */
};

/* Takes note of a share; one that is not known (NaN) is ignored. */
void sonde_measure_quiet_note(struct quiet *quiet, double share);
/* Works out `best` from what was noted. -ENOMEM. */
int sonde_measure_quiet_update(struct quiet *quiet);
/* Whether the core was quiet when last looked at; true where shares are not known. */
bool sonde_measure_quiet_now(const struct quiet *quiet);
/* The best share that a point's own samples show; 0 or NaN: not known. Of a team this is
 * what alone looks like: its members may have smaller cores than the first, or share one
 * among them. */
double sonde_measure_quiet_own(const struct sample *samples, size_t count);
/* How many of the samples had (nearly) the whole core, of which `whole` is the share;
 * all, where that or theirs is not known. */
size_t sonde_measure_quiet_count(double whole, const struct sample *samples,
                                 size_t count);
/* Moves those that had to the front, in their order, and returns how many they are. */
size_t sonde_measure_quiet_keep(double whole, struct sample *samples, size_t count);

#endif
