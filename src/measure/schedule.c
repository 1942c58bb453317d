/* Which points a round visits: every open point saves the same time a round and joins
 * when it can pay for a visit.
 *
 * What can fool it: where it is not known how long the thread had its CPU, a visit that
 * was interrupted looks dearer than it is; the mean over all visits forgets that slowly,
 * and a point that waits longer is still visited. */
#include "measure/schedule.h"

#include <math.h>

static double poured(const struct turn *turns, size_t count, double level)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        if (turns[i].open)
            sum += fmin(turns[i].cost_s, turns[i].weight * level);
    return sum;
}

double sonde_measure_schedule_level(const struct turn *turns, size_t count,
                                    double round_s)
{
    double low = 0, high = 0;

    for (size_t i = 0; i < count; i++)
        if (turns[i].open)
            high = fmax(high, turns[i].cost_s / turns[i].weight);
    if (poured(turns, count, high) <= round_s)
        return high;
    /* Halving finds the level to a millionth of the largest cost. */
    for (int i = 0; i < 20; i++) {
        double middle = (low + high) / 2;

        if (poured(turns, count, middle) > round_s)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static struct turn *longest_waiting(struct turn *turns, size_t count)
{
    struct turn *found = NULL;

    for (size_t i = 0; i < count; i++)
        if (turns[i].open && (!found || turns[i].saved_s / turns[i].cost_s >
                                            found->saved_s / found->cost_s))
            found = &turns[i];
    return found;
}

size_t sonde_measure_schedule_round(struct turn *turns, size_t count, double round_s)
{
    double level = sonde_measure_schedule_level(turns, count, round_s);
    struct turn *first;
    size_t joined = 0;

    for (size_t i = 0; i < count; i++) {
        struct turn *turn = &turns[i];

        turn->joins = false;
        if (!turn->open)
            continue;
        turn->saved_s += fmin(turn->cost_s, turn->weight * level);
        /* Sums of rounded parts may miss the whole by as little. */
        turn->joins = turn->saved_s >= turn->cost_s * (1 - 1e-9);
        if (turn->joins)
            turn->saved_s = fmax(0, turn->saved_s - turn->cost_s);
        joined += turn->joins;
    }
    first = joined ? NULL : longest_waiting(turns, count);
    if (first) {
        first->joins = true;
        first->saved_s = 0;
        joined = 1;
    }
    return joined;
}

double sonde_measure_schedule_cheapest(const struct turn *turns, size_t count)
{
    double least = INFINITY;

    for (size_t i = 0; i < count; i++)
        if (turns[i].open)
            least = fmin(least, turns[i].cost_s);
    return least;
}
