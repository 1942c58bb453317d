/* Whether this thread had its core to itself.
 *
 * What can fool it: a neighbour that never pauses is the best that was seen, and looks
 * like being alone; only a run at another time tells. One that waits for memory most of
 * the time leaves nine tenths of the core to a short chain now and then, and much less to
 * a sample: only what comes close to the peak of the whole core is one. */
#include "measure/quiet.h"

#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>

/* High, since a neighbour may be there most of the time; not the highest, since a chain
 * that was interrupted can look faster than it was. */
static const double best_quantile = 0.95;
/* Below a peak that is 1 % wide, besides what the clock blurs on both sides. */
static const double strict_slack = 0.03, blurs = 2;

double sonde_measure_quiet_slack(double blur)
{
    return strict_slack + (blur > 0 ? blurs * blur : 0);
}

void sonde_measure_quiet_note(struct quiet *quiet, double share)
{
    quiet->last = share;
    sonde_measure_shares_note(&quiet->seen, share);
}

static bool enough_of(double enough, double share)
{
    return !(enough > 0) || !isfinite(share) || share >= enough;
}

bool sonde_measure_quiet_now(const struct quiet *quiet)
{
    return enough_of(quiet->enough, quiet->last);
}

void sonde_measure_quiet_update(struct quiet *quiet)
{
    double slack = sonde_measure_quiet_slack(quiet->blur);
    double high = sonde_measure_shares_quantile(&quiet->seen, best_quantile);
    double peak =
        quiet->strict ? sonde_measure_shares_peak(&quiet->seen, quiet->blur) : NAN;

    if (!quiet->seen.count)
        return;
    quiet->peak = isfinite(peak) && !(peak < quiet->least);
    quiet->whole = fmax(isfinite(peak) ? peak : high, quiet->least);
    quiet->near = SONDE_MEASURE_WHOLE_CORE * quiet->whole;
    quiet->enough =
        quiet->strict ? fmax(quiet->near, (1 - slack) * quiet->whole) : quiet->near;
}

/* Those that are known, ascending; NULL: out of memory. */
static double *sorted_shares(const struct sample *samples, size_t count, size_t *known)
{
    double *shares = malloc((count + 1) * sizeof *shares);

    *known = 0;
    for (size_t i = 0; shares && i < count; i++)
        if (samples[i].share > 0 && isfinite(samples[i].share))
            shares[(*known)++] = samples[i].share;
    if (shares)
        sonde_measure_sort(shares, *known);
    return shares;
}

double sonde_measure_quiet_own(const struct sample *samples, size_t count)
{
    size_t known;
    double *shares = sorted_shares(samples, count, &known), high = 0;

    if (!shares)
        return NAN;
    if (known)
        high = sonde_measure_quantile(shares, known, best_quantile);
    free(shares);
    return SONDE_MEASURE_WHOLE_CORE * high;
}

size_t sonde_measure_quiet_count(double enough, const struct sample *samples,
                                 size_t count)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        found += enough_of(enough, samples[i].share);
    return found;
}

size_t sonde_measure_quiet_rounds(double enough, const struct sample *samples,
                                  size_t count)
{
    size_t rounds = 0;
    const struct sample *last = NULL;

    for (size_t i = 0; i < count; i++) {
        if (!enough_of(enough, samples[i].share))
            continue;
        rounds += !last || samples[i].round != last->round;
        last = &samples[i];
    }
    return rounds;
}

size_t sonde_measure_quiet_keep(double enough, struct sample *samples, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (enough_of(enough, samples[i].share))
            samples[kept++] = samples[i];
    return kept;
}

double sonde_measure_quiet_most(double enough, const struct sample *samples, size_t count,
                                size_t rounds, size_t least)
{
    size_t known, low = 0, high;
    double *shares, most = 0;

    if (sonde_measure_quiet_rounds(enough, samples, count) >= rounds)
        return enough;
    shares = sorted_shares(samples, count, &known);
    if (!shares)
        return NAN;
    /* The highest share that enough of them had. */
    for (high = known; low < high;) {
        size_t middle = (low + high) / 2;

        if (sonde_measure_quiet_rounds(shares[middle], samples, count) >= rounds &&
            sonde_measure_quiet_count(shares[middle], samples, count) >= least) {
            most = shares[middle];
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    free(shares);
    return most;
}
