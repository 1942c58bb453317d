/* Levels from a curve of time above the first level.
 *
 * The detector works on logarithms, and the first level stands at 0 there. So a latency
 * that first levels have is put under the curve while levels are looked for, and taken
 * off again from what is reported: sizes hardly depend on it, latencies are differences.
 * What can fool it: a first level much slower than assumed makes the first step look
 * higher than it is, though not elsewhere. */
#include "infer/above.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Four cycles at 2.7 GHz; first levels take 0.8 to 3 ns. */
static const double assumed_ns = 1.5;

static int lift(const struct series *above, struct series_list *list)
{
    struct series *copy = sonde_measure_series_add(list, above->name);

    if (!copy)
        return -ENOMEM;
    memcpy(copy->axes, above->axes, sizeof copy->axes);
    copy->axis_count = above->axis_count;
    copy->quantity = "latency";
    copy->unit = "ns";
    copy->statistic = above->statistic;
    for (size_t i = 0; i < above->count; i++) {
        struct series_point *point = sonde_measure_point_add(copy);

        if (!point)
            return -ENOMEM;
        *point = above->points[i];
        point->samples = NULL;
        point->label = NULL;
        point->counters = NULL;
        point->counter_count = 0;
        point->cycles = NAN;
        point->min += assumed_ns;
        point->q25 += assumed_ns;
        point->median += assumed_ns;
        point->q75 += assumed_ns;
        point->best += assumed_ns;
        point->max += assumed_ns;
        point->mean += assumed_ns;
        point->p99 += assumed_ns;
    }
    return 0;
}

static void lower(struct finding *finding)
{
    const char *dot = strrchr(finding->name, '.');

    if (!dot || strcmp(dot, ".latency") != 0)
        return;
    if (strcmp(finding->name, "l1d.latency") == 0) {
        finding->value = finding->low = finding->high = finding->confidence = NAN;
        finding->verdict = VERDICT_NOT_MEASURABLE;
        sonde_infer_explain(finding, "the file tells time above the first level only");
    } else if (isfinite(finding->value)) {
        finding->value = fmax(0, finding->value - assumed_ns);
        finding->low = fmax(0, finding->low - assumed_ns);
        finding->high = fmax(0, finding->high - assumed_ns);
        sonde_infer_explain(finding, "above what the first level takes, which the file "
                                     "does not tell");
    }
}

int sonde_infer_above(const struct series *above, const struct ladder *ladder,
                      struct findings *findings)
{
    struct series_list list = {0};
    struct ladder lifted = *ladder;
    size_t first = findings->count;
    int error = lift(above, &list);

    if (!error) {
        lifted.windowed = lifted.sequential = lifted.wide = NULL;
        lifted.random = &list.rows[0];
        error = sonde_infer_ladder(&lifted, NULL, findings);
    }
    for (size_t i = first; !error && i < findings->count; i++)
        lower(&findings->rows[i]);
    sonde_measure_series_list_free(&list);
    return error;
}
