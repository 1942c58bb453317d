/* The parts of the ladder's inference: what it carries along, and the steps that take it.
 * Shared by the files of this room only. */
#ifndef SONDE_INFER_CLIMB_H
#define SONDE_INFER_CLIMB_H

#include "infer/extract.h"
#include "infer/ladder.h"
#include "infer/naming.h"

/* A step of translation can be that much: a miss of its first level costs up to 9 cycles,
 * which is half of a hit in a second-level cache. Caches lie further apart. */
#define SONDE_INFER_TRANSLATION_STEP 1.5

struct walk {
    struct extract extract;
    struct levels levels;
    bool seen; /* the walk is there and has levels */
};

/* Where the latency of a level is read: a walk, and points of its curve. */
struct source {
    const struct walk *walk;
    size_t first, last;
    double cost, cost_low, cost_high; /* in the curve's unit */
    double cost_ns;
};

struct climb {
    const struct ladder *ladder;
    struct walk primary, random, wide;
    struct naming naming;
    const char *walk_name;
    bool translated; /* the primary pays translation */
    struct findings *findings;
    char method[120];
    double *scratch; /* as many as all walks have points */
    struct source source[LEVELS_MAX];
};

/* Twice the stride costs that much more where lines come in pairs: above what placement
 * and noise do, below what half of the visits hitting does. */
#define SONDE_INFER_PAIR_RATIO 1.15
#define SONDE_INFER_PAIR_MOST  2.2

/* --- walks.c --- */

/* Opens the walks of the ladder; the primary one is the windowed or, without it, the
 * random walk. 0 or -ENOMEM. */
int sonde_infer_climb_open(struct climb *climb);
void sonde_infer_climb_close(struct climb *climb);
/* Cost of a walk at the points from `from` to `to` bytes: their median; NaN for none. */
double sonde_infer_climb_cost(struct climb *climb, const struct walk *walk, double from,
                              double to);

/* --- controls.c --- */

/* Holds the primary walk against the others, records what came of it, and takes out of
 * its levels what did not stand. False: out of memory. */
bool sonde_infer_climb_check(struct climb *climb);

/* --- latencies.c --- */

/* Chooses where the latency of level `i` is read and fills source[i]. */
void sonde_infer_climb_source(struct climb *climb, size_t i);
/* Adds the latency findings of level `i`. False: out of memory. */
bool sonde_infer_climb_latencies(struct climb *climb, size_t i);

#endif
