/* Which points a round visits, so that time goes where it tells most.
 *
 * A visit to a ring of 64 MiB takes a thousand times longer than one to a ring of 16 KiB.
 * If every round visited every point, the dear ones would leave no time for a second
 * round on a busy machine. So every round gives each open point the same time; a point
 * joins once it has saved up for a visit. What cheap points do not need goes to the dear
 * ones (water-filling), and when the cheap ones are done the dear ones have it all. */
#ifndef SONDE_MEASURE_SCHEDULE_H
#define SONDE_MEASURE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

struct turn {
    double cost_s;  /* mean time of a visit; 0: never visited, always joins */
    double weight;  /* its part of the time, against 1 of the others */
    double saved_s; /* time given and not spent yet */
    bool open;      /* wants further visits */
    bool joins;     /* filled in: takes part in this round */
};

/* The level to which time is poured: the sum of min(cost, weight * level) over the
 * open turns is `round_s`, or as high as any needs where all of them fit. 0 without open
 * turns. */
double sonde_measure_schedule_level(const struct turn *turns, size_t count,
                                    double round_s);
/* Gives a round of `round_s` seconds to the open turns, and decides who joins: at least
 * one where any is open. How many joined. */
size_t sonde_measure_schedule_round(struct turn *turns, size_t count, double round_s);
/* The least cost of an open turn; INFINITY without any. */
double sonde_measure_schedule_cheapest(const struct turn *turns, size_t count);

#endif
