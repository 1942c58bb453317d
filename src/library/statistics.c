/* The statistics of libsonde: those of the harness, for anybody's samples. */
#include "sonde.h"

#include "bench/bench.h"
#include "config.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *sonde_version(void)
{
    return SONDE_VERSION;
}

/* The 99 % quantile of the normal distribution, both sides. */
static const double z = 2.576;

static void forget(struct sonde_summary *summary)
{
    *summary = (struct sonde_summary){0};
    summary->min = summary->q25 = summary->median = summary->q75 = NAN;
    summary->p99 = summary->max = summary->mean = summary->iqr = NAN;
    summary->low = summary->high = NAN;
}

static void count_outliers(const double *sorted, struct sonde_summary *summary)
{
    for (size_t i = 0; i < summary->count; i++) {
        double beyond = fmax(summary->q25 - sorted[i], sorted[i] - summary->q75);

        summary->outliers_severe += beyond > 3 * summary->iqr;
        summary->outliers_mild +=
            beyond > 1.5 * summary->iqr && beyond <= 3 * summary->iqr;
    }
}

static void fill(const double *sorted, struct sonde_summary *summary)
{
    size_t count = summary->count;
    struct interval interval = sonde_measure_quantile_interval(sorted, count, 0.5, z);

    summary->min = sorted[0];
    summary->q25 = sonde_measure_quantile(sorted, count, 0.25);
    summary->median = sonde_measure_median(sorted, count);
    summary->q75 = sonde_measure_quantile(sorted, count, 0.75);
    summary->p99 = sonde_measure_quantile(sorted, count, 0.99);
    summary->max = sorted[count - 1];
    summary->mean = sonde_measure_mean(sorted, count);
    summary->iqr = summary->q75 - summary->q25;
    summary->low = interval.low;
    summary->high = interval.high;
    count_outliers(sorted, summary);
}

int sonde_summarize(const double *values, size_t count, struct sonde_summary *summary)
{
    double *sorted;

    forget(summary);
    if (count == 0)
        return -ENODATA;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return -EINVAL;
    sorted = calloc(count, sizeof *sorted);
    if (!sorted)
        return -ENOMEM;
    memcpy(sorted, values, count * sizeof *sorted);
    sonde_measure_sort(sorted, count);
    summary->count = count;
    fill(sorted, summary);
    free(sorted);
    return 0;
}

static enum sonde_verdict verdict_of(enum bench_verdict verdict)
{
    switch (verdict) {
    case BENCH_EQUAL:
        return SONDE_EQUAL;
    case BENCH_FASTER:
        return SONDE_FASTER;
    case BENCH_SLOWER:
        return SONDE_SLOWER;
    case BENCH_NO_VERDICT:
    case BENCH_INCONCLUSIVE:
        break;
    }
    return SONDE_INCONCLUSIVE;
}

int sonde_compare(const double *values, const double *base, size_t count,
                  struct sonde_ratio *ratio)
{
    double *differences = calloc(count + 1, sizeof *differences);
    struct bench_comparison result;
    size_t pairs = 0;

    if (!differences)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        double difference = log(values[i] / base[i]);

        if (isfinite(difference))
            differences[pairs++] = difference;
    }
    result = sonde_bench_compare_logs(differences, pairs);
    free(differences);
    *ratio = (struct sonde_ratio){pairs, result.ratio, result.low, result.high,
                                  verdict_of(result.verdict)};
    return 0;
}
