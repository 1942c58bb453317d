/* The clock that times samples.
 *
 * A tick counter is cheap and fine-grained, but its rate must be calibrated and may be a
 * fiction (emulators, migrated guests); the raw system clock is the fallback, and the
 * reference of the calibration. CLOCK_MONOTONIC itself is slewed by time daemons, hence
 * raw. What can fool it: a guest moved between hosts in the middle changes the tick rate,
 * which is why the calibration is repeated at the end of a run. */
#include "measure/timer.h"

#include "arch/arch.h"

#include <time.h>

enum { BRACKETS = 50 };

uint64_t sonde_measure_raw_ns(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_MONOTONIC_RAW, &now) != 0)
        clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t sonde_measure_timer_read(const struct timer *timer)
{
    return timer->ticks ? sonde_arch_ticks() : sonde_measure_raw_ns();
}

double sonde_measure_timer_between(const struct timer *timer, uint64_t from, uint64_t to)
{
    /* Signed: a clock that ran backwards must not become 18446744073709551615. */
    double elapsed_ns = (double)(int64_t)(to - from) * timer->ns_per_tick;

    elapsed_ns -= timer->cost_ns;
    return elapsed_ns > 0 ? elapsed_ns : 0;
}

struct tick_anchor sonde_measure_tick_anchor(void)
{
    struct tick_anchor best = {.width_ns = 1e18};

    for (int i = 0; i < BRACKETS; i++) {
        uint64_t before = sonde_measure_raw_ns();
        uint64_t ticks = sonde_arch_ticks();
        uint64_t after = sonde_measure_raw_ns();

        if ((double)(after - before) < best.width_ns) {
            best.width_ns = (double)(after - before);
            best.raw_ns = before + (after - before) / 2;
            best.ticks = ticks;
        }
    }
    return best;
}

double sonde_measure_tick_rate(const struct tick_anchor *from,
                               const struct tick_anchor *to)
{
    double elapsed_ns = (double)(to->raw_ns - from->raw_ns);

    return elapsed_ns > 0 ? (double)(to->ticks - from->ticks) / elapsed_ns * 1e9 : 0;
}
