/* Real-time priority for a measurement that interruptions would spoil.
 *
 * The lowest priority above all ordinary threads is enough, and leaves the threads of the
 * kernel that have more. What was granted is asked back: a sandbox may accept and ignore
 * it. Threads started meanwhile are ordinary ones. The kernel itself takes a part of each
 * second from real-time threads, so that a mistake cannot hold the machine.
 *
 * What can fool it: inside a virtual machine the host knows nothing of it. */
#include "machine/machine.h"

#include <errno.h>
#include <sched.h>

int sonde_machine_priority_raise(void)
{
    struct sched_param wanted = {.sched_priority = sched_get_priority_min(SCHED_FIFO)};
    struct sched_param now = {0};

    if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &wanted) != 0)
        return -errno;
    if ((sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO &&
        sched_getparam(0, &now) == 0 && now.sched_priority == wanted.sched_priority)
        return 0;
    sonde_machine_priority_drop();
    return -EXDEV;
}

void sonde_machine_priority_drop(void)
{
    struct sched_param ordinary = {0};

    (void)sched_setscheduler(0, SCHED_OTHER, &ordinary);
}
