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

enum {
    EDGES = 50, /* of a clock that changes with every read: some 3 µs */
    EDGES_LEAST = 3,
    ENOUGH_NS = 1000000,
    PATIENCE_NS = 300000000,
    /* A clock that does not change within as many reads, some 0.1 s, does not move. */
    READS_MAX = 4000000,
};

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

bool sonde_measure_clock_moves(void)
{
    uint64_t start = sonde_measure_raw_ns();

    for (unsigned reads = 0; reads < READS_MAX; reads++)
        if (sonde_measure_raw_ns() != start)
            return true;
    return false;
}

/* Only where the raw clock changes does it say what time it is: of a clock that steps by
 * milliseconds a few such edges are waited for. */
struct tick_anchor sonde_measure_tick_anchor(void)
{
    struct tick_anchor best = {.width_ticks = UINT64_MAX};
    uint64_t start = sonde_measure_raw_ns(), last = start;
    uint64_t before = sonde_arch_ticks();
    uint64_t least = UINT64_MAX; /* ticks that a read takes, undisturbed */
    unsigned edges = 0;

    for (unsigned reads = 0; reads < READS_MAX && edges < EDGES; reads++) {
        uint64_t raw = sonde_measure_raw_ns();
        uint64_t after = sonde_arch_ticks();

        least = after - before < least ? after - before : least;
        if (raw != last && after - before < best.width_ticks)
            best = (struct tick_anchor){
                .raw_ns = raw, .ticks = before, .width_ticks = after - before};
        edges += raw != last;
        /* An edge that passed while another thread ran is none. */
        if (edges >= EDGES_LEAST && raw - start > ENOUGH_NS &&
            (best.width_ticks / 4 <= least || raw - start > PATIENCE_NS))
            break;
        last = raw;
        before = after;
    }
    return best;
}

double sonde_measure_tick_rate(const struct tick_anchor *from,
                               const struct tick_anchor *to)
{
    double elapsed_ns = (double)(int64_t)(to->raw_ns - from->raw_ns);

    return elapsed_ns > 0 ? (double)(to->ticks - from->ticks) / elapsed_ns * 1e9 : 0;
}
