/* Comparing two kernels pair by pair.
 *
 * The two times of a duel were taken turn by turn and saw the same machine; their ratio
 * is free of what changes more slowly. Of the differences of logarithms the estimate is
 * the median of all pairwise means (Hodges and Lehmann, 1963), its interval that of
 * Wilcoxon's signed-rank test: no distribution is assumed, and a third of the pairs may
 * be spoiled.
 *
 * What can fool it: two copies of one code at addresses that the core treats differently
 * are different, and are called so; and an interval of pairs that hang together is too
 * narrow, which is why a difference below 1 % is never called one. */
#include "bench/bench.h"

#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>

enum { PAIRS_LEAST = 8, PAIRS_MOST = 512 };

/* The 99 % quantile of the normal distribution, both sides. */
static const double z = 2.576;
/* Below it no difference is called one. */
static const double difference_least = 0.01;
/* So far the interval must stay away from 1: who looks several times sees it exclude 1 by
 * chance more often than it promises. */
static const double margin = 0.005;

const char *sonde_bench_verdict_name(enum bench_verdict verdict)
{
    static const char *const names[] = {"", "equal", "faster", "slower", "inconclusive"};

    return names[verdict];
}

static enum bench_verdict judge(const struct bench_comparison *comparison)
{
    if (comparison->high < 1 - margin && comparison->ratio < 1 - difference_least)
        return BENCH_FASTER;
    if (comparison->low > 1 + margin && comparison->ratio > 1 + difference_least)
        return BENCH_SLOWER;
    if (comparison->low > 1 - difference_least && comparison->high < 1 + difference_least)
        return BENCH_EQUAL;
    return BENCH_INCONCLUSIVE;
}

struct bench_comparison sonde_bench_compare_logs(const double *differences, size_t count)
{
    struct bench_comparison result = {BENCH_INCONCLUSIVE, count, NAN, NAN, NAN};
    double n, spread, *means;
    size_t used = 0, total, rank;

    count = count > PAIRS_MOST ? PAIRS_MOST : count;
    if (count < PAIRS_LEAST)
        return result;
    means = malloc(count * (count + 1) / 2 * sizeof *means);
    if (!means)
        return result;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i; k < count; k++)
            means[used++] = (differences[i] + differences[k]) / 2;
    total = used;
    sonde_measure_sort(means, total);
    n = (double)count;
    spread = z * sqrt(n * (n + 1) * (2 * n + 1) / 24);
    rank = (size_t)fmax(0, floor(n * (n + 1) / 4 - spread));
    result.ratio = exp(sonde_measure_median(means, total));
    result.low = exp(means[rank]);
    result.high = exp(means[total - 1 - rank]);
    free(means);
    result.verdict = judge(&result);
    return result;
}

struct bench_comparison sonde_bench_compare(const struct bench_duel *duels, size_t count,
                                            double fence_ns)
{
    struct bench_comparison result = {0};
    double *differences = calloc(count + 1, sizeof *differences);
    size_t used = 0;

    if (!differences)
        return result;
    for (size_t i = 0; i < count; i++) {
        double difference =
            log((duels[i].point_ns - fence_ns) / (duels[i].base_ns - fence_ns));

        if (isfinite(difference))
            differences[used++] = difference;
    }
    result = sonde_bench_compare_logs(differences, used);
    free(differences);
    return result;
}
