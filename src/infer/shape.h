/* A latency curve made ready for segmentation: logarithms, thinned where it is denser
 * than needed, pits filled, made monotone. Shared by the files of this room only. */
#ifndef SONDE_INFER_SHAPE_H
#define SONDE_INFER_SHAPE_H

#include "infer/levels.h"

struct shape {
    size_t count;
    double *x;       /* log2 of the size */
    double *raw;     /* natural log of the cost, as measured */
    double *y;       /* the same, pits filled and never falling */
    size_t *first;   /* point of the curve where group i starts; count + 1 entries */
    double density;  /* points per octave */
    double sigma;    /* noise of `raw` that all points have */
    double *noise;   /* of each point, from the spread of its rounds and sigma */
    double *spread;  /* of each point, from its rounds alone; 0 without rounds */
    double quantum;  /* absolute step of the costs' rounding; 0: none seen */
    double *scratch; /* count + largest group entries */
};

/* Where more of a point's samples than this share were set aside, a neighbour was there
 * so often that it holds a part of the caches in the others, too. Beside fewer, the low
 * quartile was right within 0.17 octaves; beside more, up to 0.8 too low. */
#define SONDE_INFER_OFTEN_SET_ASIDE 0.6

/* Rows of costs that a round has, and the quantile of them that a point costs. */
size_t sonde_infer_rows(const struct curve *curve);
double sonde_infer_cost_quantile(const struct curve *curve);
/* Copies the costs of point `i` in all rounds into `column`, which has room for
 * rounds * rows of them. How many. */
size_t sonde_infer_round_costs(const struct curve *curve, size_t i, double *column);

/* Below this many points per octave a plateau may be a single point, and the coarse rules
 * hold. */
#define SONDE_INFER_FINE_DENSITY 4.0

/* 0 or -ENOMEM. `curve` must be valid. */
int sonde_infer_shape_open(struct shape *shape, const struct curve *curve);
void sonde_infer_shape_close(struct shape *shape);
/* Replaces the costs (one per point of the curve); sizes, density and quantum stay. */
void sonde_infer_shape_update(struct shape *shape, const double *cost);
/* Largest lasting fall of the raw curve as size grows, as a ratio (1: none). */
double sonde_infer_shape_dip(struct shape *shape);

struct plateau {
    size_t first, last; /* points of the shape, inclusive */
    double level;       /* natural log of the cost */
};

enum { PLATEAUS_MAX = 24 };

struct plateaus {
    struct plateau plateau[PLATEAUS_MAX];
    size_t count;
    bool rising_at_end; /* the last one only stands in for what the curve did not reach */
};

/* The last point alone, for a plateau that was not reached. */
struct plateau sonde_infer_stand_in(const struct shape *shape);

/* segments.c: fine grids, plateaus and ramps by dynamic programming. 0 or -ENOMEM. */
int sonde_infer_segment(const struct shape *shape, struct plateaus *plateaus);
/* slopes.c: coarse grids, peaks of the slope parted by valleys. 0 or -ENOMEM. */
int sonde_infer_slopes(const struct shape *shape, struct plateaus *plateaus);
/* merge.c: unites plateaus that are no levels of their own. */
void sonde_infer_merge(const struct shape *shape, double merge_ratio,
                       struct plateaus *plateaus);

#endif
