/* Whether this thread had its core to itself.
 *
 * What can fool it: a neighbour that never pauses is the best that was seen, and looks
 * like being alone; only a run at another time tells. */
#include "measure/quiet.h"

#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* High, since a neighbour may be there most of the time; not the highest, since a chain
 * that was interrupted can look faster than it was. */
static const double best_quantile = 0.95;

void sonde_measure_quiet_note(struct quiet *quiet, double share)
{
    quiet->last = share;
    if (share > 0 && isfinite(share))
        quiet->recent[quiet->count++ % QUIET_RECENT] = share;
}

static bool whole_core(const struct quiet *quiet, double share)
{
    return !(quiet->best > 0) || !isfinite(share) ||
           share >= SONDE_MEASURE_WHOLE_CORE * quiet->best;
}

bool sonde_measure_quiet_now(const struct quiet *quiet)
{
    return whole_core(quiet, quiet->last);
}

int sonde_measure_quiet_update(struct quiet *quiet)
{
    size_t known = quiet->count < QUIET_RECENT ? quiet->count : QUIET_RECENT;
    double *sorted;

    if (known == 0)
        return 0;
    sorted = malloc(known * sizeof *sorted);
    if (!sorted)
        return -ENOMEM;
    memcpy(sorted, quiet->recent, known * sizeof *sorted);
    sonde_measure_sort(sorted, known);
    quiet->best =
        fmax(sonde_measure_quantile(sorted, known, best_quantile), quiet->least);
    free(sorted);
    return 0;
}

bool sonde_measure_quiet_sample(const struct quiet *quiet, const struct sample *sample)
{
    return whole_core(quiet, sample->share);
}

size_t sonde_measure_quiet_count(const struct quiet *quiet, const struct sample *samples,
                                 size_t count)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        found += sonde_measure_quiet_sample(quiet, &samples[i]);
    return found;
}

size_t sonde_measure_quiet_keep(const struct quiet *quiet, struct sample *samples,
                                size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (sonde_measure_quiet_sample(quiet, &samples[i]))
            samples[kept++] = samples[i];
    return kept;
}
