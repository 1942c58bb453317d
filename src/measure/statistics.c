/* Quantiles, their intervals, and what the samples of one point say together.
 *
 * Everything here is robust by choice: interference from outside only ever adds time, so
 * means are computed but never concluded from. Intervals of quantiles come from order
 * statistics, which assume nothing about the distribution but do assume independent
 * samples; that fails when a neighbour comes and goes in spells, which the lag-1
 * autocorrelation shows, and then whole rounds are drawn again (block bootstrap) and the
 * wider of both intervals is kept.
 *
 * What can fool it: fewer samples than the quantile needs (the interval is then the whole
 * sample), and timers so coarse that many samples tie (the interval has no width). */
#include "measure/statistics.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Quicksort with the middle of three, in place. The C library's sort calls a function for
 * each comparison and took half of the time of an inference, which sorts every point of
 * every bootstrap. Runs so short are put in order one by one. */
enum { SHORT_RUN = 24 };

static void insert_in_order(double *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        double value = values[i];
        size_t k = i;

        for (; k > 0 && values[k - 1] > value; k--)
            values[k] = values[k - 1];
        values[k] = value;
    }
}

static double middle_of(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

void sonde_measure_sort(double *values, size_t count)
{
    while (count > SHORT_RUN) {
        double pivot = middle_of(values[0], values[count / 2], values[count - 1]);
        size_t low = 0, high = count - 1;

        for (;;) {
            while (values[low] < pivot)
                low++;
            while (values[high] > pivot)
                high--;
            if (low >= high)
                break;
            double other = values[low];
            values[low++] = values[high];
            values[high--] = other;
        }
        /* [0, low) is not above the pivot, the rest not below. The smaller part first:
         * no deeper than the logarithm of what there is. */
        if (low < count - low) {
            sonde_measure_sort(values, low);
            values += low;
            count -= low;
        } else {
            sonde_measure_sort(values + low, count - low);
            count = low;
        }
    }
    insert_in_order(values, count);
}

double sonde_measure_quantile(const double *sorted, size_t count, double q)
{
    if (count == 0 || !(q >= 0) || !(q <= 1))
        return NAN;
    double position = q * (double)(count - 1);
    size_t below = (size_t)position;
    if (below + 1 >= count)
        return sorted[count - 1];
    double share = position - (double)below;
    return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

double sonde_measure_median(const double *sorted, size_t count)
{
    return sonde_measure_quantile(sorted, count, 0.5);
}

double sonde_measure_mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return count ? sum / (double)count : NAN;
}

/* The deviations of sorted values from their median grow towards both ends, so the two
 * runs merge like two sorted lists; the middle of the merge is the median deviation. */
double sonde_measure_mad(const double *sorted, size_t count)
{
    if (count == 0)
        return NAN;
    double median = sonde_measure_median(sorted, count);
    size_t right = 0;
    while (right < count && sorted[right] < median)
        right++;
    size_t left = right; /* the next on the left side is left - 1 */
    double previous = 0, current = 0;
    for (size_t taken = 0; taken <= count / 2; taken++) {
        previous = current;
        double down = left > 0 ? median - sorted[left - 1] : INFINITY;
        double up = right < count ? sorted[right] - median : INFINITY;
        current = down < up ? down : up;
        if (down < up)
            left--;
        else
            right++;
    }
    /* 1.4826 makes it the standard deviation of a normal distribution. */
    return 1.4826 * (count % 2 ? current : 0.5 * (previous + current));
}

struct interval sonde_measure_quantile_interval(const double *sorted, size_t count,
                                                double q, double z)
{
    if (count == 0)
        return (struct interval){NAN, NAN};
    double n = (double)count, spread = z * sqrt(n * q * (1 - q));
    double low = floor(n * q - spread), high = ceil(n * q + spread);
    /* Ranks count from 1. */
    low = fmin(fmax(low, 1), n);
    high = fmin(fmax(high, 1), n);
    return (struct interval){sorted[(size_t)low - 1], sorted[(size_t)high - 1]};
}

double sonde_measure_autocorrelation(const double *values, size_t count)
{
    if (count < 8)
        return NAN;
    double *clipped = malloc(count * sizeof *clipped);
    if (!clipped)
        return NAN;
    memcpy(clipped, values, count * sizeof *clipped);
    sonde_measure_sort(clipped, count);
    double limit = 1.5 * sonde_measure_median(clipped, count), mean = 0;
    for (size_t i = 0; i < count; i++) {
        clipped[i] = values[i] > limit ? limit : values[i];
        mean += clipped[i] / (double)count;
    }
    double variance = 0, covariance = 0;
    for (size_t i = 0; i < count; i++) {
        double here = clipped[i] - mean;
        variance += here * here;
        if (i + 1 < count)
            covariance += here * (clipped[i + 1] - mean);
    }
    free(clipped);
    /* What rounding leaves of equal values is no variance. */
    return variance > 1e-24 * mean * mean * (double)count ? covariance / variance : 0;
}

/* Two medians nearer than this are one mode: the clock itself may move by 2 % under a
 * sample before the sample is set aside. */
static const double mode_gap_least = 0.04;

/* Index of the first value of the upper mode: behind the widest gap that leaves at least
 * 15 % of the values on each side; 0 when there is none. */
static size_t widest_gap(const double *logs, size_t count, double *gap)
{
    size_t least = (size_t)ceil(0.15 * (double)count), at = 0;
    *gap = 0;
    for (size_t i = least; i + least <= count; i++) {
        if (logs[i] - logs[i - 1] > *gap) {
            *gap = logs[i] - logs[i - 1];
            at = i;
        }
    }
    return at;
}

/* Below 8 values 15 % of them is one value, and an outlier would be a mode. */
bool sonde_measure_bimodal(const double *sorted, size_t count, double *low, double *high)
{
    *low = *high = NAN;
    if (count < 8 || !(sorted[0] > 0))
        return false;
    double *logs = malloc(count * sizeof *logs);
    if (!logs)
        return false;
    for (size_t i = 0; i < count; i++)
        logs[i] = log(sorted[i]);
    double gap;
    size_t split = widest_gap(logs, count, &gap);
    double left = sonde_measure_mad(logs, split);
    double right = sonde_measure_mad(logs + split, count - split);
    bool two = split > 0 && gap > mode_gap_least && gap > 4 * fmax(left, right);
    free(logs);
    if (two) {
        *low = sonde_measure_median(sorted, split);
        *high = sonde_measure_median(sorted + split, count - split);
    }
    return two;
}

/* --- the bootstrap by rounds: a 99 % interval, NaN without samples or memory --- */

struct rounds {
    double *values; /* of all samples, round after round */
    size_t *first;  /* where each round starts; one more at the end */
    size_t count;   /* rounds */
    size_t largest; /* samples in the largest */
};

static int by_round(const void *left, const void *right)
{
    const struct sample *a = left, *b = right;
    return (a->round > b->round) - (a->round < b->round);
}

static void rounds_free(struct rounds *rounds)
{
    free(rounds->values);
    free(rounds->first);
}

static int rounds_group(struct rounds *rounds, const struct sample *samples, size_t count)
{
    *rounds = (struct rounds){.values = malloc(count * sizeof(double)),
                              .first = malloc((count + 1) * sizeof(size_t))};
    struct sample *ordered = malloc(count * sizeof *ordered);
    if (!rounds->values || !rounds->first || !ordered) {
        free(ordered);
        return -1;
    }
    memcpy(ordered, samples, count * sizeof *ordered);
    qsort(ordered, count, sizeof *ordered, by_round);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || ordered[i].round != ordered[i - 1].round)
            rounds->first[rounds->count++] = i;
        rounds->values[i] = ordered[i].value;
    }
    rounds->first[rounds->count] = count;
    for (size_t r = 0; r < rounds->count; r++) {
        size_t size = rounds->first[r + 1] - rounds->first[r];
        rounds->largest = size > rounds->largest ? size : rounds->largest;
    }
    free(ordered);
    return 0;
}

static double draw_quantile(const struct rounds *rounds, double q, double *buffer,
                            struct random_source *random)
{
    size_t filled = 0;
    for (size_t i = 0; i < rounds->count; i++) {
        size_t r = sonde_base_random_below(random, rounds->count);
        size_t size = rounds->first[r + 1] - rounds->first[r];
        memcpy(buffer + filled, rounds->values + rounds->first[r], size * sizeof *buffer);
        filled += size;
    }
    sonde_measure_sort(buffer, filled);
    return sonde_measure_quantile(buffer, filled, q);
}

struct interval sonde_measure_bootstrap(const struct sample *samples, size_t count,
                                        double q, unsigned draws,
                                        struct random_source *random)
{
    struct interval interval = {NAN, NAN};
    struct rounds rounds = {0};
    double *buffer = NULL, *drawn = NULL;
    if (count == 0 || draws == 0 || rounds_group(&rounds, samples, count) != 0)
        goto out;
    buffer = malloc(rounds.count * rounds.largest * sizeof *buffer);
    drawn = malloc(draws * sizeof *drawn);
    if (!buffer || !drawn)
        goto out;
    for (unsigned i = 0; i < draws; i++)
        drawn[i] = draw_quantile(&rounds, q, buffer, random);
    sonde_measure_sort(drawn, draws);
    interval.low = sonde_measure_quantile(drawn, draws, 0.005);
    interval.high = sonde_measure_quantile(drawn, draws, 0.995);
out:
    free(buffer);
    free(drawn);
    rounds_free(&rounds);
    return interval;
}

/* --- one point --- */

enum { BOOTSTRAP_DRAWS = 400 };
static const double z_99 = 2.576; /* two-sided 99 % of the normal distribution */

/* Whether the samples are enough and narrow enough is the harness' to say; the flags
 * noisy, bimodal and correlated follow from the samples alone and are decided here. */
static void forget(struct series_point *point)
{
    point->min = point->q25 = point->median = point->q75 = point->q90 = point->p99 = NAN;
    point->max = point->mean = point->iqr = point->low = point->high = NAN;
    point->best = point->cycles = point->autocorrelation = NAN;
    point->mode_low = point->mode_high = NAN;
    point->outliers_mild = point->outliers_severe = 0;
    point->flags &= ~(unsigned)(POINT_NOISY | POINT_BIMODAL | POINT_CORRELATED);
}

static void count_outliers(struct series_point *point, const double *sorted)
{
    double mild = point->q75 + 1.5 * point->iqr, severe = point->q75 + 3 * point->iqr;
    double mild_low = point->q25 - 1.5 * point->iqr,
           severe_low = point->q25 - 3 * point->iqr;
    for (size_t i = 0; i < point->n; i++) {
        if (sorted[i] > severe || sorted[i] < severe_low)
            point->outliers_severe++;
        else if (sorted[i] > mild || sorted[i] < mild_low)
            point->outliers_mild++;
    }
    if ((double)point->outliers_severe > 0.2 * (double)point->n)
        point->flags |= POINT_NOISY;
}

static void describe(struct series_point *point, const double *sorted)
{
    size_t n = point->n;
    point->min = sorted[0];
    point->q25 = sonde_measure_quantile(sorted, n, 0.25);
    point->median = sonde_measure_median(sorted, n);
    point->q75 = sonde_measure_quantile(sorted, n, 0.75);
    point->q90 = sonde_measure_quantile(sorted, n, 0.9);
    point->p99 = sonde_measure_quantile(sorted, n, 0.99);
    point->max = sorted[n - 1];
    point->mean = sonde_measure_mean(sorted, n);
    point->iqr = point->q75 - point->q25;
    count_outliers(point, sorted);
    if (sonde_measure_bimodal(sorted, n, &point->mode_low, &point->mode_high))
        point->flags |= POINT_BIMODAL;
}

/* The statistic of the samples' cycles; unknown where fewer than half have them, since
 * the rest would then be a selection. */
static double cycles_statistic(const struct series_point *point, double q, double *buffer)
{
    size_t known = 0;
    for (size_t i = 0; i < point->n; i++) {
        if (isfinite(point->samples[i].cycles))
            buffer[known++] = point->samples[i].cycles;
    }
    if (2 * known < point->n)
        return NAN;
    sonde_measure_sort(buffer, known);
    return sonde_measure_quantile(buffer, known, q);
}

static void widen_by_rounds(struct series_point *point, double q)
{
    struct random_source random;
    sonde_base_random_seed(&random, point->n);
    struct interval blocks =
        sonde_measure_bootstrap(point->samples, point->n, q, BOOTSTRAP_DRAWS, &random);
    point->low = fmin(point->low, blocks.low);
    point->high = fmax(point->high, blocks.high);
}

void sonde_measure_summarise(struct series_point *point, enum statistic statistic)
{
    forget(point);
    size_t n = point->samples ? point->n : 0;
    double *buffer = n ? malloc(n * sizeof *buffer) : NULL;
    if (!buffer) {
        point->n = 0;
        return;
    }
    double q = sonde_measure_statistic_quantile(statistic);
    for (size_t i = 0; i < n; i++)
        buffer[i] = point->samples[i].value;
    point->autocorrelation = sonde_measure_autocorrelation(buffer, n);
    sonde_measure_sort(buffer, n);
    describe(point, buffer);
    struct interval interval = sonde_measure_quantile_interval(buffer, n, q, z_99);
    point->best = sonde_measure_quantile(buffer, n, q);
    point->low = interval.low;
    point->high = interval.high;
    point->cycles = cycles_statistic(point, q, buffer);
    if (point->autocorrelation > 0.3) {
        point->flags |= POINT_CORRELATED;
        widen_by_rounds(point, q);
    }
    free(buffer);
}

double sonde_measure_half_width(const struct series_point *point)
{
    if (point->n < 3 || point->best == 0)
        return NAN;
    return 0.5 * (point->high - point->low) / fabs(point->best);
}
