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

/* Usable points in ascending order of size: finite, positive, not wrong and not unlawful;
 * of equal sizes the cheaper. In cycles where every usable point has them. Rounds are
 * there when samples were kept. An absent series gives an empty curve. 0 or -ENOMEM. */
int sonde_infer_extract(const struct series *series, struct extract *extract);
void sonde_infer_extract_free(struct extract *extract);

#endif
