/* What an empty call takes: the overhead of the harness.
 *
 * It is a property of this core and of the loop of calls, not of who else runs here, and
 * a neighbour on the same core makes up to half as much again of it. Samples beside those
 * of other points are few, and on a busy machine none of them may have had the core
 * alone. So each pass also takes many short batches, each between two pulses, which tell
 * how much of the core there was; the figures are of those that had all of it.
 *
 * What can fool it: a neighbour that never pauses looks like being alone, unless the core
 * was had alone in some moment while the scales were weighed. What it leaves is rarely a
 * whole number of adds a cycle, which a core alone does. */
#include "bench/bench.h"

#include "bench/trial.h"
#include "measure/reading.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENOUGH = 9,      /* batches alone, of a pass */
    LEAST_ALONE = 9, /* of all passes: fewer say nothing */
};

static const double try_s = 20e-3;
/* Of the best share that was seen: a neighbour that does next to nothing leaves 90 % of
 * the core, and makes a quarter more of a call even so. */
static const double whole = 0.97;
/* A core alone does a whole number of adds in a cycle, less what the loop around them
 * takes: two instructions of 34, or one where they fuse. */
static const double width_least = 0.93, width_most = 1.005;
/* High, but not the highest: a chain that was interrupted can look faster than it was. */
static const double best_quantile = 0.95;

static bool usable(const struct scales *scales, const struct reading *reading)
{
    return reading->ns > 0 && !reading->switched &&
           sonde_measure_reading_steady(scales, reading);
}

/* What the scales saw of a core that was had alone. */
static double weighed_share(const struct scales *scales)
{
    return fmax(scales->parallelism, scales->whole_share);
}

int sonde_bench_overhead_try(const struct bench *bench, const struct point *point,
                             struct pass_empties *empties, struct message *why)
{
    struct meter meter = bench->meter;
    double end_s = meter.ops->elapsed(meter.self) + try_s,
           all = whole * weighed_share(bench->scales);
    struct placement placement;
    unsigned alone = 0;
    int error = meter.ops->place(meter.self, point, 0, &placement, why);

    for (unsigned i = 0; i < PASS_EMPTIES && alone < ENOUGH && !error; i++) {
        struct reading reading = {0};

        error = meter.ops->sample(meter.self, point, &placement, point->count, &reading);
        if (!error && usable(bench->scales, &reading)) {
            struct sample *sample = &empties->samples[empties->count++];

            *sample = sonde_measure_reading_sample(bench->scales, &reading, reading.ns,
                                                   (double)point->count);
            alone += !(sample->share < all);
        }
        if (meter.ops->elapsed(meter.self) > end_s)
            break;
    }
    return error;
}

/* --- of all passes --------------------------------------------------------------------
 */

int sonde_bench_overhead_add(struct bench_overhead *overhead, uint32_t pass,
                             const struct sample *samples, size_t count)
{
    struct sample *grown;

    if (!count)
        return 0;
    grown = realloc(overhead->samples, (overhead->tried + count) * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    memcpy(grown + overhead->tried, samples, count * sizeof *grown);
    overhead->samples = grown;
    for (size_t i = overhead->tried; i < overhead->tried + count; i++)
        grown[i].round = pass;
    overhead->tried += count;
    return 0;
}

/* The best share of the core, as the samples and the scales tell; NaN: they do not. */
static int find_best(const struct bench_overhead *overhead, const struct scales *scales,
                     double *best)
{
    double *shares = malloc((overhead->tried + 1) * sizeof *shares);
    size_t known = 0;

    if (!shares)
        return -ENOMEM;
    for (size_t i = 0; i < overhead->tried; i++)
        if (isfinite(overhead->samples[i].share))
            shares[known++] = overhead->samples[i].share;
    sonde_measure_sort(shares, known);
    *best =
        fmax(sonde_measure_quantile(shares, known, best_quantile), weighed_share(scales));
    free(shares);
    return 0;
}

/* Moves the samples that had the core alone to the front, and counts them. */
static size_t keep_alone(struct bench_overhead *overhead, double best)
{
    size_t alone = 0;

    for (size_t i = 0; i < overhead->tried; i++)
        if (!(overhead->samples[i].share < whole * best)) {
            struct sample swapped = overhead->samples[alone];

            overhead->samples[alone++] = overhead->samples[i];
            overhead->samples[i] = swapped;
        }
    return alone;
}

static bool near_width(double share)
{
    double of = share / round(share / ((width_least + width_most) / 2));

    return of >= width_least && of <= width_most;
}

int sonde_bench_overhead_conclude(struct bench_overhead *overhead,
                                  const struct scales *scales)
{
    size_t alone;
    double best;
    int error = find_best(overhead, scales, &best);

    if (error)
        return error;
    alone = keep_alone(overhead, best);
    overhead->shared = alone < LEAST_ALONE || !near_width(best);
    overhead->figures = (struct series_point){.samples = overhead->samples};
    overhead->figures.n = overhead->shared ? overhead->tried : alone;
    sonde_measure_summarise(&overhead->figures, STATISTIC_Q25);
    return 0;
}

void sonde_bench_overhead_free(struct bench_overhead *overhead)
{
    free(overhead->samples);
    *overhead = (struct bench_overhead){0};
}
