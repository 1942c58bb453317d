/* A histogram of shares of the core, and its peak.
 *
 * What can fool it: a neighbour that does the same all the time gives a narrow peak too,
 * lower than the core has alone; a plan at another time tells. A chain of adds that was
 * interrupted feigns shares above the whole, but hardly two alike. */
#include "measure/shares.h"

#include <math.h>

static const double lowest = 0.125, ratio = 1.005;
/* Half the width of the peak, besides what the clock blurs: 1 % was seen. */
static const double half_width = 0.0075;
/* So many are no chance, nor is this part of all. */
static const double peak_least = 10, peak_part = 0.002;
/* A peak is so much higher than what lies just below it. */
static const double peak_rise = 2;
/* And near the top: the lower edge of what is spread wide looks like one. */
static const double top_quantile = 0.99, top_part = 0.9;

static size_t bin_of(double share)
{
    double bin = log(share / lowest) / log(ratio);

    return (size_t)fmin(fmax(bin, 0), SHARE_BINS - 1);
}

static double middle_of(size_t bin)
{
    return lowest * pow(ratio, (double)bin + 0.5);
}

void sonde_measure_shares_note(struct shares *shares, double share)
{
    if (!(share > 0) || !isfinite(share))
        return;
    shares->bins[bin_of(share)]++;
    shares->count++;
}

double sonde_measure_shares_quantile(const struct shares *shares, double quantile)
{
    double wanted = quantile * (double)shares->count, below = 0;

    if (!shares->count)
        return NAN;
    for (size_t bin = 0; bin < SHARE_BINS; bin++) {
        below += shares->bins[bin];
        if (below > 0 && below >= wanted)
            return middle_of(bin);
    }
    return middle_of(SHARE_BINS - 1);
}

size_t sonde_measure_shares_from(const struct shares *shares, double least)
{
    size_t found = 0;

    if (!(least < INFINITY))
        return 0;
    for (size_t bin = least > 0 ? bin_of(least) : 0; bin < SHARE_BINS; bin++)
        found += shares->bins[bin];
    return found;
}

/* How many lie from bin `from` up to, not including, `to`; bins below the first are
 * empty. */
static double between(const struct shares *shares, long from, long to)
{
    double found = 0;

    for (long bin = from < 0 ? 0 : from; bin < to && bin < SHARE_BINS; bin++)
        found += shares->bins[bin];
    return found;
}

static double middle_between(const struct shares *shares, long from, long to)
{
    double half = between(shares, from, to) / 2, below = 0;
    long bin = from < 0 ? 0 : from;

    while (bin < to - 1 && (below += shares->bins[bin]) < half)
        bin++;
    return middle_of((size_t)bin);
}

double sonde_measure_shares_peak(const struct shares *shares, double blur)
{
    double share = half_width + (blur > 0 ? blur : 0);
    long width = 2 * (long)ceil(share / log(ratio)) + 1;
    double least = fmax(peak_least, peak_part * (double)shares->count);
    double lowest_peak = top_part * sonde_measure_shares_quantile(shares, top_quantile);

    if (!shares->count)
        return NAN;
    for (long to = SHARE_BINS; to >= width; to--) {
        double here, below;

        if (middle_of((size_t)(to - width)) < lowest_peak)
            break;
        here = between(shares, to - width, to);
        if (here < least)
            continue;
        below = between(shares, to - 2 * width, to - width);
        /* Thrice the square root is no chance. */
        if (here >= peak_rise * below + 3 * sqrt(below))
            return middle_between(shares, to - width, to);
    }
    return NAN;
}
