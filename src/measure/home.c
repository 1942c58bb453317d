/* Keeps the measuring thread on its CPU.
 *
 * Whoever may set the affinity of a process can move it in the middle of a run: taskset
 * from another shell, a cpuset that is made smaller and larger again (which leaves the
 * thread with all of its CPUs), a manager of services. So before each visit of a point
 * the mask in force and the CPU are looked at, which takes a microsecond or two, and the
 * thread is bound again. Where its CPU is not allowed any more it measures on where it
 * is, and what it measures is labelled.
 *
 * What can fool it: a thread that was moved and moved back between two looks; samples
 * look at the CPU themselves, before and after. */
#include "measure/home.h"

#include "base/cpulist.h"
#include "machine/machine.h"

/* The only CPU of the mask; -1: there are several, or it is not known. */
static int only_cpu(void)
{
    struct cpulist mask = {0};
    int cpu = -1;

    if (sonde_machine_affinity_get(&mask) == 0 && sonde_base_cpulist_count(&mask) == 1)
        cpu = sonde_base_cpulist_next(&mask, 0);
    sonde_base_cpulist_free(&mask);
    return cpu;
}

struct home sonde_measure_home_here(void)
{
    return (struct home){.cpu = only_cpu()};
}

bool sonde_measure_home_is(const struct home *home, int cpu)
{
    return home->cpu < 0 || cpu < 0 || cpu == home->cpu;
}

bool sonde_measure_home_keep(struct home *home)
{
    if (home->cpu < 0)
        return true;
    if (only_cpu() == home->cpu &&
        sonde_measure_home_is(home, sonde_machine_current_cpu())) {
        home->lost = false;
        return true;
    }
    home->lost = sonde_machine_pin((unsigned)home->cpu) != 0;
    return false;
}
