/* Two kernels turn by turn, so close together that both see the same machine. */
#ifndef SONDE_BENCH_DUEL_H
#define SONDE_BENCH_DUEL_H

#include "bench/bench.h"
#include "measure/meter.h"
#include "measure/plan.h"

struct duel_side {
    const struct point *point; /* its count: calls of a batch */
    struct placement placement;
    uint64_t warm_steps; /* calls that are not timed, after each change of side */
    /* Told before every batch; may be NULL. */
    void (*begin)(void *self);
    void *self;
};

enum { DUEL_TURNS_MOST = 16 };

/* Batches of each side in a duel, when one takes so long: enough for a low quartile, few
 * enough that the machine stays the same meanwhile. */
unsigned sonde_bench_duel_turns(double point_batch_ns, double base_batch_ns);

/* One duel of `turns` batches a side (1 to DUEL_TURNS_MOST): sides[0] is the point, which
 * begins, unless `base_begins`. 0; -EAGAIN: too many batches lost their CPU; -EBADMSG:
 * sides[*wrong] returned a wrong value; or the meter's error. */
int sonde_bench_duel(struct meter *meter, struct duel_side sides[2], unsigned turns,
                     bool base_begins, struct bench_duel *duel, unsigned *wrong);

#endif
