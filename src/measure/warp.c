/* Does a clock run backwards between CPUs?
 *
 * A reading is handed from CPU to CPU through one atomic word; each takes its own reading
 * after it saw the other's, so it must not be earlier. One backward step is a warp. What
 * can fool it: only pairs that were tried are known, so at most eight CPUs spread over
 * the machine are asked, each against the first. */
#include "measure/clocks.h"

#include "arch/arch.h"
#include "measure/crew.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>

enum { PARTNERS_MAX = 8, HANDOVERS = 1000, WARP_SPINS = 20000 };

struct relay {
    _Atomic uint64_t turn; /* even: member 0 is next; odd: member 1 */
    uint64_t tick, raw;    /* the last readings; guarded by turn */
    size_t tick_warps, raw_warps;
};

static void run_relay(void *argument, size_t member)
{
    struct relay *relay = argument;

    for (uint64_t i = member; i < 2 * HANDOVERS; i += 2) {
        uint64_t tick, raw;
        unsigned spins = 0;

        while (atomic_load_explicit(&relay->turn, memory_order_acquire) != i) {
            sonde_arch_relax();
            if (++spins > WARP_SPINS)
                sched_yield();
        }
        tick = sonde_arch_ticks();
        raw = sonde_measure_raw_ns();
        relay->tick_warps += (int64_t)(tick - relay->tick) < 0;
        relay->raw_warps += (int64_t)(raw - relay->raw) < 0;
        relay->tick = tick;
        relay->raw = raw;
        atomic_store_explicit(&relay->turn, i + 1, memory_order_release);
    }
}

static int try_pair(unsigned a, unsigned b, struct relay *relay)
{
    struct cpulist pair = {0};
    struct crew *crew = NULL;
    int error = sonde_base_cpulist_add(&pair, a);

    *relay = (struct relay){.tick = sonde_arch_ticks(), .raw = sonde_measure_raw_ns()};
    if (!error)
        error = sonde_base_cpulist_add(&pair, b);
    if (!error)
        error = sonde_measure_crew_open(&crew, &pair, NULL);
    if (!error) {
        sonde_measure_crew_run(crew, run_relay, relay);
        error = sonde_measure_crew_in_place(crew) ? 0 : -EXDEV;
    }
    sonde_measure_crew_close(crew);
    sonde_base_cpulist_free(&pair);
    return error;
}

static void note_backwards(struct scales *scales, const struct relay *relay)
{
    const char *tick = sonde_arch_tick_name();

    for (size_t i = 0; i < scales->clock_count; i++) {
        struct clock_scale *scale = &scales->clocks[i];

        if (!scale->available || !scale->across_cpus)
            continue;
        scale->backwards +=
            (double)(scale->name == tick ? relay->tick_warps : relay->raw_warps);
    }
}

void sonde_measure_warp(const struct cpulist *cpus, struct scales *scales)
{
    int first = sonde_base_cpulist_next(cpus, 0);
    size_t others = sonde_base_cpulist_count(cpus);
    size_t step = others > PARTNERS_MAX ? others / PARTNERS_MAX : 1, position = 0;

    scales->warp_pairs = 0;
    for (int cpu = first; cpu >= 0;
         cpu = sonde_base_cpulist_next(cpus, (unsigned)cpu + 1)) {
        struct relay relay;

        if (cpu == first || position++ % step)
            continue;
        if (try_pair((unsigned)first, (unsigned)cpu, &relay))
            continue;
        scales->warp_pairs++;
        note_backwards(scales, &relay);
    }
}
