/* Which of several equal CPUs is disturbed least right now.
 *
 * Others take a CPU in two ways: their programs run on it instead of this one, and their
 * threads run beside it on the same physical core. Both show in short pulses of
 * independent and dependent adds: fewer of them fit in a millisecond, or the independent
 * ones overlap less. So the pulses that had the whole core are counted, turn by turn over
 * all CPUs, and what counts as the whole core is the best that any of them had.
 *
 * What can fool it: a neighbour that comes later, and one that waits for memory most of
 * the time, which takes little of the core and much of its caches. */
#include "measure/quietest.h"

#include "machine/machine.h"
#include "measure/chains.h"
#include "measure/quiet.h"
#include "measure/shares.h"
#include "measure/timer.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { CPUS_MOST = 16, TURNS = 3, PULSES_MOST = 1500 }; /* of a turn */

static const double turn_ms = 10;
/* Another CPU is taken for that much more quiet and no less. Half of the undisturbed
 * moments still make a run, and CPUs that look alike may not be: on a virtual machine the
 * second of two had the last level at 0.72 of the other's pace, and was taken in one run
 * of ten for a disturbance of 30 ms on the first. */
static const double clearly = 2;

/* The clock that times pulses here steps by a hundredth of one at most, as a rule. */
static const double blur = 0.01;

struct look {
    unsigned cpu;
    struct shares shares;
    double spent_ms;
};

size_t sonde_measure_most_quiet(const struct cpu_quiet *cpus, size_t count)
{
    size_t best = 0;

    for (size_t i = 1; i < count; i++)
        if (cpus[i].quiet > cpus[best].quiet)
            best = i;
    return cpus[best].quiet > clearly * cpus[0].quiet ? best : 0;
}

static void look_once(struct look *look)
{
    const struct timer timer = {.ns_per_tick = 1};
    uint64_t start = sonde_measure_raw_ns();
    double ms = 0;

    if (sonde_machine_pin(look->cpu) != 0)
        return;
    /* Counted, not timed alone: a clock that does not move would never end it. */
    for (int i = 0; i < PULSES_MOST && ms < turn_ms; i++) {
        struct pulse pulse = sonde_measure_pulse(&timer);

        sonde_measure_shares_note(&look->shares, pulse.share);
        ms = (double)(sonde_measure_raw_ns() - start) * 1e-6;
    }
    look->spent_ms += ms;
}

/* The least share that is a whole core: next to the highest peak of all; where nobody
 * shows one, near the best overlap, but for the very best, which an interrupted chain can
 * feign. */
static double enough_of(const struct look *looks, size_t count)
{
    double peak = NAN, high = NAN;

    for (size_t i = 0; i < count; i++) {
        peak = fmax(peak, sonde_measure_shares_peak(&looks[i].shares, blur));
        high = fmax(high, sonde_measure_shares_quantile(&looks[i].shares, 0.9));
    }
    return isnan(peak) ? SONDE_MEASURE_WHOLE_CORE * high
                       : (1 - sonde_measure_quiet_slack(blur)) * peak;
}

static struct cpu_quiet judge(const struct look *look, double enough)
{
    struct cpu_quiet quiet = {.cpu = look->cpu};

    if (look->spent_ms > 0)
        quiet.quiet =
            (double)sonde_measure_shares_from(&look->shares, enough) / look->spent_ms;
    return quiet;
}

/* Every CPU, or so many of them at equal distances. */
static size_t choose_looks(const struct cpulist *cpus, struct look *looks)
{
    size_t all = sonde_base_cpulist_count(cpus),
           count = all < CPUS_MOST ? all : CPUS_MOST;
    int cpu = -1;

    for (size_t i = 0, index = 0; i < count; i++) {
        for (; index <= i * all / count; index++)
            cpu = sonde_base_cpulist_next(cpus, (unsigned)(cpu + 1));
        looks[i].cpu = (unsigned)cpu;
    }
    return count;
}

static struct cpu_choice look_at(struct look *looks, size_t count)
{
    struct cpu_quiet quiet[CPUS_MOST] = {0};
    double enough;

    for (int turn = 0; turn < TURNS; turn++)
        for (size_t i = 0; i < count; i++)
            look_once(&looks[i]);
    enough = enough_of(looks, count);
    for (size_t i = 0; i < count; i++)
        quiet[i] = judge(&looks[i], enough);
    return (struct cpu_choice){count, quiet[sonde_measure_most_quiet(quiet, count)],
                               quiet[0]};
}

int sonde_measure_quietest(const struct cpulist *cpus, struct cpu_choice *choice)
{
    struct look *looks = calloc(CPUS_MOST, sizeof *looks);
    size_t count = looks ? choose_looks(cpus, looks) : 0;

    if (!looks)
        return -ENOMEM;
    if (count > 0)
        *choice = (struct cpu_choice){1, {looks[0].cpu, 0}, {looks[0].cpu, 0}};
    if (count > 1)
        *choice = look_at(looks, count);
    free(looks);
    return count ? 0 : -ENODATA;
}
