/* Whether threads had their cores to themselves, by the share of the issue width that the
 * wide chain reached around a sample.
 *
 * A neighbour on the same physical core shares its private caches as well as its ports.
 * It comes and goes in spells; what alone looks like is the best that was seen. */
#ifndef SONDE_MEASURE_QUIET_H
#define SONDE_MEASURE_QUIET_H

#include "measure/series.h"
#include "measure/shares.h"

#include <stdbool.h>
#include <stddef.h>

/* Of the whole share: with less the core was not had alone, where a neighbour may only be
 * one that takes a third or more of it. */
#define SONDE_MEASURE_WHOLE_CORE 0.9

struct quiet {
    struct shares seen;
    /* Throughputs, which every neighbour lowers: the whole share is a peak, and next to
     * it counts. Otherwise it is a high one of those seen, and near it counts. */
    bool strict;
    double blur;         /* as of sonde_measure_shares_peak */
    double least;        /* the whole share is no less; 0 or NaN: not known */
    double whole;        /* what the core has alone; 0: not known */
    bool peak;           /* and that is where a peak was */
    double enough, near; /* so much of it is whole, or nearly; 0: not known */
    double last;         /* the share seen last; NaN or 0: not known */
};

/* How far below the peak of shares a core is still whole; `blur` as of the peak. */
double sonde_measure_quiet_slack(double blur);
/* Takes note of a share; one that is not known (NaN) is ignored. */
void sonde_measure_quiet_note(struct quiet *quiet, double share);
/* Works out `whole` and `enough` from what was noted. */
void sonde_measure_quiet_update(struct quiet *quiet);
/* Whether the core was quiet when last looked at; true where shares are not known. */
bool sonde_measure_quiet_now(const struct quiet *quiet);
/* The least share that is a whole core, by a point's own samples; 0 or NaN: not known. Of
 * a team this is what alone looks like: its members may have smaller cores than the
 * first, or share one among them. */
double sonde_measure_quiet_own(const struct sample *samples, size_t count);
/* How many of the samples had (nearly) the whole core, which begins at `enough`; all,
 * where that or theirs is not known. */
size_t sonde_measure_quiet_count(double enough, const struct sample *samples,
                                 size_t count);
/* Of how many rounds these are. */
size_t sonde_measure_quiet_rounds(double enough, const struct sample *samples,
                                  size_t count);
/* Moves those that had to the front, in their order, and returns how many they are. */
size_t sonde_measure_quiet_keep(double enough, struct sample *samples, size_t count);
/* The share that counts: `enough`, where samples of as many rounds had it; otherwise what
 * the best of so many rounds, and so many samples, had. 0: fewer are there. NaN: out of
 * memory. */
double sonde_measure_quiet_most(double enough, const struct sample *samples, size_t count,
                                size_t rounds, size_t least);

#endif
