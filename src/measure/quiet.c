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

static bool whole_core(double whole, double share)
{
    return !(whole > 0) || !isfinite(share) || share >= SONDE_MEASURE_WHOLE_CORE * whole;
}

bool sonde_measure_quiet_now(const struct quiet *quiet)
{
    return whole_core(quiet->best, quiet->last);
}

/* High among those that are known; 0: none is. NaN: out of memory. */
static double high_share(const double *shares, size_t count)
{
    double *sorted = malloc((count + 1) * sizeof *sorted), high = 0;

    if (!sorted)
        return NAN;
    memcpy(sorted, shares, count * sizeof *sorted);
    sonde_measure_sort(sorted, count);
    if (count)
        high = sonde_measure_quantile(sorted, count, best_quantile);
    free(sorted);
    return high;
}

int sonde_measure_quiet_update(struct quiet *quiet)
{
    size_t known = quiet->count < QUIET_RECENT ? quiet->count : QUIET_RECENT;
    double high = high_share(quiet->recent, known);

    if (isnan(high))
        return -ENOMEM;
    if (known)
        quiet->best = fmax(high, quiet->least);
    return 0;
}

double sonde_measure_quiet_own(const struct sample *samples, size_t count)
{
    double *shares = malloc((count + 1) * sizeof *shares), high;
    size_t known = 0;

    if (!shares)
        return NAN;
    for (size_t i = 0; i < count; i++)
        if (samples[i].share > 0 && isfinite(samples[i].share))
            shares[known++] = samples[i].share;
    high = high_share(shares, known);
    free(shares);
    return high;
}

size_t sonde_measure_quiet_count(double whole, const struct sample *samples, size_t count)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        found += whole_core(whole, samples[i].share);
    return found;
}

size_t sonde_measure_quiet_keep(double whole, struct sample *samples, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (whole_core(whole, samples[i].share))
            samples[kept++] = samples[i];
    return kept;
}
