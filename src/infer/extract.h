/* A series turned into a curve. Shared by the files of this room only. */
#ifndef SONDE_INFER_EXTRACT_H
#define SONDE_INFER_EXTRACT_H

#include "infer/levels.h"
#include "measure/series.h"

struct extract {
    struct curve curve;                /* its arrays are owned by the extract */
    const struct series_point **point; /* of each point of the curve */
    bool in_cycles; /* the curve is in the points' cycles, not values */
    bool in_ns;     /* the points' values are in ns */
};

enum grain {
    /* A round has one cost of a point, the low quartile of its samples, and the point
     * costs the low quartile of its rounds. */
    GRAIN_ROUND,
    /* A round has all its samples of a point, and the point costs their low quartile, or
     * their tenth percentile where three fifths of the samples of most points were set
     * aside. A neighbour that was there so often holds a part of the caches in the other
     * samples, too: while it waits for memory it leaves no other trace. What the best saw
     * is then nearest to what there is; not the least, since a core clock that was
     * disturbed can make one too cheap. In quiet the best placements of pages would make
     * a level look larger than it is. */
    GRAIN_SAMPLE,
};

/* Usable points in ascending order of size: finite, positive, not wrong and not unlawful;
 * of equal sizes the cheaper. In cycles where every usable point has them. Rounds are
 * there when samples were kept. An absent series gives an empty curve. 0 or -ENOMEM. */
int sonde_infer_extract(const struct series *series, enum grain grain,
                        struct extract *extract);
void sonde_infer_extract_free(struct extract *extract);

#endif
