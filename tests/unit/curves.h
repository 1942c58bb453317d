/* Curves with known levels, for the tests of the inference. */
#ifndef SONDE_TESTS_UNIT_CURVES_H
#define SONDE_TESTS_UNIT_CURVES_H

#include "base/random.h"
#include "measure/series.h"
#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CURVE_LEVELS_MAX = 5, CURVE_POINTS_MAX = 400, CURVE_ROUNDS_MAX = 16 };

/* A planted hierarchy: level i costs cost[i] up to capacity[i]; the last one has none. */
struct planted {
    double capacity[CURVE_LEVELS_MAX], cost[CURVE_LEVELS_MAX];
    size_t count;
    double noise;    /* every sample is dearer by |normal| times this */
    bool keeps_part; /* edges climb as low + (high - low) * (1 - C / S) */
    double spill;    /* octaves below and above the capacity over which an edge climbs */
};

static inline double planted_share(const struct planted *planted, size_t i, double size)
{
    double above = log2(size / planted->capacity[i]);
    if (planted->keeps_part)
        return above <= 0 ? 0 : 1 - planted->capacity[i] / size;
    if (planted->spill <= 0)
        return above <= 1e-9 ? 0 : 1;
    double share = 0.5 + 0.5 * above / planted->spill;
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

static inline double planted_cost(const struct planted *planted, double size)
{
    double cost = planted->cost[0];
    for (size_t i = 0; i + 1 < planted->count; i++)
        cost +=
            (planted->cost[i + 1] - planted->cost[i]) * planted_share(planted, i, size);
    return cost;
}

static inline double planted_sample(const struct planted *planted, double size,
                                    struct random_source *random)
{
    double noise = fabs(sonde_base_random_normal(random)) * planted->noise;
    return planted_cost(planted, size) * (1 + noise);
}

struct synthetic {
    size_t count, rounds;
    double size[CURVE_POINTS_MAX], cost[CURVE_POINTS_MAX];
    double round_cost[CURVE_ROUNDS_MAX * CURVE_POINTS_MAX];
};

/* `per_octave` points from 4 KiB to `largest`; each point's cost is the low quartile over
 * the rounds (rounds 0: the planted cost with one noisy sample). Free it. */
static inline struct synthetic *synthetic_make(const struct planted *planted,
                                               double per_octave, double largest,
                                               size_t rounds, uint64_t seed)
{
    struct synthetic *curve = calloc(1, sizeof *curve);
    struct random_source random;
    sonde_base_random_seed(&random, seed);
    curve->rounds = rounds;
    for (double octave = 12; exp2(octave) <= largest * 1.001; octave += 1 / per_octave) {
        size_t i = curve->count++;
        double column[CURVE_ROUNDS_MAX];
        curve->size[i] = exp2(octave);
        for (size_t r = 0; r < rounds; r++)
            column[r] = planted_sample(planted, curve->size[i], &random);
        for (size_t r = 0; r < rounds; r++)
            curve->round_cost[r * CURVE_POINTS_MAX + i] = column[r];
        sonde_measure_sort(column, rounds);
        curve->cost[i] = rounds ? sonde_measure_quantile(column, rounds, 0.25)
                                : planted_sample(planted, curve->size[i], &random);
    }
    /* Rounds become rows of `count`. */
    for (size_t r = 0; r < rounds; r++)
        for (size_t i = 0; i < curve->count; i++)
            curve->round_cost[r * curve->count + i] =
                curve->round_cost[r * CURVE_POINTS_MAX + i];
    return curve;
}

/* The same as a series in ns at `ghz` cycles a ns, one sample a round. */
static inline struct series *synthetic_series(struct series_list *list, const char *name,
                                              const struct synthetic *curve, double ghz)
{
    struct series *series = sonde_measure_series_add(list, name);
    series->axes[0] = (struct axis){"size", "bytes", "log2"};
    series->axis_count = 1;
    series->quantity = "latency";
    series->unit = "ns";
    for (size_t i = 0; i < curve->count; i++) {
        struct series_point *point = sonde_measure_point_add(series);
        point->at[0] = curve->size[i];
        point->n = curve->rounds;
        point->samples = calloc(curve->rounds, sizeof *point->samples);
        for (size_t r = 0; r < curve->rounds; r++) {
            double cycles = curve->round_cost[r * curve->count + i];
            point->samples[r] = (struct sample){
                .value = cycles / ghz, .cycles = cycles, .round = (uint32_t)r};
        }
        sonde_measure_summarise(point, STATISTIC_Q25);
    }
    return series;
}

#endif
