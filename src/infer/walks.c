/* The walks of a ladder: which are there, and which one leads.
 *
 * The windowed walk leads, because translation is kept out of it. Without one the random
 * walk leads, and steps that translation could make are not counted. The others are
 * looked at for their boundaries only, so they need few bootstraps or none. */
#include "infer/climb.h"

#include "measure/statistics.h"

#include <errno.h>
#include <stdlib.h>

static int walk_open(struct walk *walk, const struct series *series,
                     const struct ladder *ladder, double merge_ratio, unsigned bootstraps)
{
    *walk = (struct walk){0};
    int error = sonde_infer_extract(series, GRAIN_SAMPLE, &walk->extract);
    if (error)
        return error;
    struct levels_options options = sonde_infer_levels_defaults();
    if (ladder->granule_bytes > 0)
        options.granule_bytes = ladder->granule_bytes;
    options.bootstraps = bootstraps;
    if (merge_ratio > 0)
        options.merge_ratio = merge_ratio;
    error = sonde_infer_levels(&walk->extract.curve, &options, &walk->levels, NULL);
    walk->seen = error == 0;
    return error == -ENOMEM ? error : 0;
}

int sonde_infer_climb_open(struct climb *climb)
{
    const struct ladder *ladder = climb->ladder;
    unsigned bootstraps = sonde_infer_levels_defaults().bootstraps;
    int error = walk_open(&climb->primary, ladder->windowed, ladder, 0, bootstraps);
    climb->walk_name = "windowed";
    if (!error && climb->primary.seen) {
        error = walk_open(&climb->random, ladder->random, ladder, 0, 0);
    } else if (!error) {
        sonde_infer_extract_free(&climb->primary.extract);
        error = walk_open(&climb->primary, ladder->random, ladder,
                          SONDE_INFER_TRANSLATION_STEP, bootstraps);
        climb->walk_name = "random";
        climb->translated = true;
    }
    if (!error)
        error = walk_open(&climb->wide, ladder->wide, ladder, 0, bootstraps / 4);
    return error;
}

void sonde_infer_climb_close(struct climb *climb)
{
    sonde_infer_extract_free(&climb->primary.extract);
    sonde_infer_extract_free(&climb->random.extract);
    sonde_infer_extract_free(&climb->wide.extract);
    free(climb->scratch);
}

/* Cost of a walk at the points from `from` to `to` bytes: their median; NaN for none. */
double sonde_infer_climb_cost(struct climb *climb, const struct walk *walk, double from,
                              double to)
{
    const struct curve *curve = &walk->extract.curve;
    size_t known = 0;
    for (size_t i = 0; i < curve->count; i++) {
        if (curve->size[i] >= from * 0.999 && curve->size[i] <= to * 1.001)
            climb->scratch[known++] = curve->cost[i];
    }
    sonde_measure_sort(climb->scratch, known);
    return sonde_measure_median(climb->scratch, known);
}
