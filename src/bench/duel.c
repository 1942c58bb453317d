/* One duel:  A B B A A B B A ...
 *
 * A neighbour on the core comes and goes in phases of a tenth of a second and more, the
 * clock and the temperature drift more slowly still: some milliseconds of short batches
 * of both sides, turn by turn, see one and the same machine, and what drifts steadily
 * cancels. What hits single batches (an interrupt, a burst) only ever adds time, so each
 * side is represented by its low quartile. No clock pulse is needed, whose own error is
 * that of one short chain.
 *
 * What can fool it: a phase that begins in the middle of a duel, which spoils that one
 * duel; and a kernel that is slow in less than three of four batches by its own nature,
 * whose slow side is not compared. */
#include "bench/duel.h"

#include "measure/statistics.h"

#include <errno.h>
#include <math.h>

/* A hundredth of the phases of neighbours. */
static const double duel_ns = 4e6;
static const double low_quartile = 0.25;

unsigned sonde_bench_duel_turns(double point_batch_ns, double base_batch_ns)
{
    double turns = duel_ns / (point_batch_ns + base_batch_ns);

    if (turns > DUEL_TURNS_MOST)
        return DUEL_TURNS_MOST;
    return turns > 1 ? (unsigned)turns : 1;
}

/* The side of a batch: pairs of batches change places. */
static unsigned side_of(unsigned batch, bool base_begins)
{
    return ((batch + 1) / 2 % 2) ^ (unsigned)base_begins;
}

static int take_batch(struct meter *meter, struct duel_side *side, uint64_t steps,
                      struct reading *reading)
{
    if (side->begin)
        side->begin(side->self);
    return meter->ops->sample(meter->self, side->point, &side->placement, steps, reading);
}

struct tally_of_side {
    double ns[DUEL_TURNS_MOST]; /* of a call */
    size_t count;
};

static int take_turn(struct meter *meter, struct duel_side *side, bool changed,
                     struct tally_of_side *tally)
{
    struct reading reading = {0};
    uint64_t steps = side->point->count;
    int error = 0;

    if (changed && side->warm_steps)
        error = take_batch(meter, side, side->warm_steps, &reading);
    if (!error)
        error = take_batch(meter, side, steps, &reading);
    if (error)
        return error;
    if (!reading.correct)
        return -EBADMSG;
    if (reading.ns > 0 &&
        (!reading.switched || (side->point->options & POINT_KEEP_SWITCHED)))
        tally->ns[tally->count++] = reading.ns / (double)steps;
    return 0;
}

static double represent(struct tally_of_side *tally)
{
    sonde_measure_sort(tally->ns, tally->count);
    return sonde_measure_quantile(tally->ns, tally->count, low_quartile);
}

int sonde_bench_duel(struct meter *meter, struct duel_side sides[2], unsigned turns,
                     bool base_begins, struct bench_duel *duel, unsigned *wrong)
{
    struct tally_of_side tallies[2] = {{{0}, 0}, {{0}, 0}};

    for (unsigned batch = 0; batch < 2 * turns; batch++) {
        unsigned side = side_of(batch, base_begins);
        bool changed = batch == 0 || side != side_of(batch - 1, base_begins);
        int error = take_turn(meter, &sides[side], changed, &tallies[side]);

        *wrong = side;
        if (error)
            return error;
    }
    if (2 * tallies[0].count < turns || 2 * tallies[1].count < turns)
        return -EAGAIN;
    *duel = (struct bench_duel){represent(&tallies[0]), represent(&tallies[1])};
    return 0;
}
