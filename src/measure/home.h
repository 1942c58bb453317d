/* The CPU that the measuring thread was bound to, kept for as long as it may be used. */
#ifndef SONDE_MEASURE_HOME_H
#define SONDE_MEASURE_HOME_H

#include <stdbool.h>

struct home {
    int cpu;   /* -1: the thread was bound to none, and is left where it is */
    bool lost; /* it was elsewhere when last looked at, and could not be bound again */
};

/* The calling thread's only CPU is its home; with several to choose from it has none. */
struct home sonde_measure_home_here(void);
/* Looks where the calling thread may run and where it runs, and binds it again where
 * somebody else moved it. True: it has been at home all the time, as far as this tells.
 */
bool sonde_measure_home_keep(struct home *home);
/* Whether a thread on `cpu` (-1: not known) is at home. */
bool sonde_measure_home_is(const struct home *home, int cpu);

#endif
