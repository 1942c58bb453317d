/* The statistics of samples. All functions accept 0, 1 and 2 values and answer NaN where
 * there is no answer. `sorted` means ascending; NaN values must not be passed in.
 * Quantiles are type 7 of Hyndman and Fan (1996). */
#ifndef SONDE_MEASURE_STATISTICS_H
#define SONDE_MEASURE_STATISTICS_H

#include "base/random.h"
#include "measure/series.h"

#include <stdbool.h>
#include <stddef.h>

struct interval {
    double low, high;
};

void sonde_measure_sort(double *values, size_t count);
double sonde_measure_quantile(const double *sorted, size_t count, double q);
double sonde_measure_median(const double *sorted, size_t count);
double sonde_measure_mean(const double *values, size_t count);
/* 1.4826 times the median absolute deviation. */
double sonde_measure_mad(const double *sorted, size_t count);

/* Distribution-free confidence interval of the q-quantile from order statistics, ranks
 * q n -+ z sqrt(n q (1 - q)), kept inside the sample. z = 2.576 is the 99 % level. */
struct interval sonde_measure_quantile_interval(const double *sorted, size_t count,
                                                double q, double z);
/* Lag-1 autocorrelation of values clipped at 1.5 times their median, in the order taken;
 * NaN below 8 values; 0 for constant values. */
double sonde_measure_autocorrelation(const double *values, size_t count);
/* Two modes: the largest gap between neighbours in the sorted logarithms is above 4 MAD
 * of the side it leaves, with at least 15 % of the values on each side. */
bool sonde_measure_bimodal(const double *sorted, size_t count, double *low, double *high);
/* Percentile bootstrap by blocks: whole rounds are drawn with replacement; the statistic
 * is the q-quantile. Deterministic in `random`. */
struct interval sonde_measure_bootstrap(const struct sample *samples, size_t count,
                                        double q, unsigned draws,
                                        struct random_source *random);

/* Fills every figure of `point` from its samples (value and cycles), flags included;
 * `statistic` chooses what `best`, `cycles`, `low` and `high` describe. */
void sonde_measure_summarise(struct series_point *point, enum statistic statistic);
/* Half the width of the point's interval over its statistic: what the stopping rule
 * compares with 1 % (q25) or 3 % (median). NaN below 3 samples. */
double sonde_measure_half_width(const struct series_point *point);

#endif
