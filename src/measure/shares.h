/* Shares of a core that were seen, and which of them is the whole core's.
 *
 * The whole core shows as a narrow peak at the top, since nothing but the clock blurs it.
 * What a neighbour leaves is spread wide below: it may take a tenth as well as a half. */
#ifndef SONDE_MEASURE_SHARES_H
#define SONDE_MEASURE_SHARES_H

#include <stddef.h>
#include <stdint.h>

enum { SHARE_BINS = 1024 }; /* each half a percent above the last, from an eighth on */

struct shares {
    uint32_t bins[SHARE_BINS];
    size_t count;
};

/* Takes note of a share; one that is not known (NaN, 0 and below) is ignored. */
void sonde_measure_shares_note(struct shares *shares, double share);
/* To half a percent; NaN: none was seen. */
double sonde_measure_shares_quantile(const struct shares *shares, double quantile);
/* How many were at least `least`. */
size_t sonde_measure_shares_from(const struct shares *shares, double least);
/* The narrow peak at the top. `blur`: what the clock's step is of the chain that it
 * times. NaN: there is none. */
double sonde_measure_shares_peak(const struct shares *shares, double blur);

#endif
