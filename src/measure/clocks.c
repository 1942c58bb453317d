/* The clocks of the machine, weighed.
 *
 * Back-to-back reads give the cost (median) and the step: the greatest common divisor of
 * the differences that are not 0, since the smallest difference is never below the cost
 * of a read and says nothing of a finer step. The smallest interval a clock can tell
 * apart is the larger of its step and the smallest difference seen. What can fool it: a
 * clock whose step is longer than the time spent here shows no step at all, which is said
 * (NaN), and announced resolutions are often wishes (1 ns announced, 10 ns seen). */
#include "measure/clocks.h"

#include "arch/arch.h"
#include "measure/statistics.h"

#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { READS_MAX = 20000, CALIBRATIONS_MAX = 4 };

/* A gap this long in a spin loop of some 30 ns a turn is time taken away: interrupts,
 * other threads, the hypervisor. */
static const double gap_ns = 2000, long_gap_ns = 100000;

/* The longest step in use is 15.6 ms, and a busy machine gives a thread a slice now and
 * then. */
static const double patience_ns = 1e9;

enum clock_kind { KIND_GETTIME, KIND_CLOCK, KIND_TIME, KIND_TICKS };

struct clock_row {
    const char *name, *purpose;
    enum clock_kind kind;
    clockid_t id;
};

static const struct clock_row clock_rows[] = {
    {"tick", "short intervals on one machine, once calibrated", KIND_TICKS, 0},
    {"CLOCK_MONOTONIC_RAW", "intervals; never slewed", KIND_GETTIME, CLOCK_MONOTONIC_RAW},
    {"CLOCK_MONOTONIC", "intervals; slewed to the true second", KIND_GETTIME,
     CLOCK_MONOTONIC},
    {"CLOCK_MONOTONIC_COARSE", "cheap time stamps", KIND_GETTIME, CLOCK_MONOTONIC_COARSE},
    {"CLOCK_REALTIME", "the date; may be set back", KIND_GETTIME, CLOCK_REALTIME},
    {"CLOCK_PROCESS_CPUTIME_ID", "CPU time of the process", KIND_GETTIME,
     CLOCK_PROCESS_CPUTIME_ID},
    {"CLOCK_THREAD_CPUTIME_ID", "CPU time of the thread", KIND_GETTIME,
     CLOCK_THREAD_CPUTIME_ID},
    {"clock()", "CPU time of the process, in C", KIND_CLOCK, 0},
    {"time()", "the date, in seconds", KIND_TIME, 0},
};

/* In the clock's own unit: ns, ticks, or 1/CLOCKS_PER_SEC. */
static int64_t read_clock(const struct clock_row *row)
{
    struct timespec now = {0};

    switch (row->kind) {
    case KIND_GETTIME:
        clock_gettime(row->id, &now);
        return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    case KIND_CLOCK:
        return (int64_t)clock();
    case KIND_TIME:
        return (int64_t)time(NULL);
    case KIND_TICKS:
        return (int64_t)sonde_arch_ticks();
    }
    return 0;
}

static double announced_ns(const struct clock_row *row)
{
    struct timespec resolution;
    double hz;

    switch (row->kind) {
    case KIND_GETTIME:
        if (clock_getres(row->id, &resolution) != 0)
            return NAN;
        return (double)resolution.tv_sec * 1e9 + (double)resolution.tv_nsec;
    case KIND_CLOCK:
        return 1e9 / (double)CLOCKS_PER_SEC;
    case KIND_TIME:
        return 1e9;
    case KIND_TICKS:
        hz = sonde_arch_tick_announced_hz();
        return hz > 0 ? 1e9 / hz : NAN;
    }
    return NAN;
}

static bool available(const struct clock_row *row)
{
    struct timespec now;

    if (row->kind == KIND_TICKS)
        return sonde_arch_tick_name() != NULL;
    return row->kind != KIND_GETTIME || clock_gettime(row->id, &now) == 0;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Reads in chunks, so that the differences hold the clock alone and not the bookkeeping.
 */
struct differences {
    int64_t divisor, smallest;
    size_t seen, backwards;
};

static void note_difference(struct differences *seen, int64_t difference)
{
    if (difference < 0)
        seen->backwards++;
    if (difference <= 0)
        return;
    seen->divisor = common_divisor(difference, seen->divisor);
    if (!seen->seen || difference < seen->smallest)
        seen->smallest = difference;
    seen->seen++;
}

/* By the timer: the raw clock may step by far more than the reads take. */
static double cost_of(double *costs, size_t chunks)
{
    double sum = 0, median;

    for (size_t i = 0; i < chunks; i++)
        sum += costs[i];
    sonde_measure_sort(costs, chunks);
    median = sonde_measure_median(costs, chunks);
    return median > 0 ? median : sum > 0 ? sum / (double)chunks : NAN;
}

static void weigh(const struct clock_row *row, double unit_ns, double limit_ns,
                  const struct timer *timer, struct clock_scale *scale)
{
    enum { CHUNK = 200, COSTS_MAX = READS_MAX / CHUNK };
    struct differences seen = {0};
    double costs[COSTS_MAX];
    size_t chunks = 0;
    uint64_t start = sonde_measure_raw_ns();
    int64_t last = read_clock(row);

    while (chunks < COSTS_MAX &&
           (chunks < 3 || (double)(sonde_measure_raw_ns() - start) < limit_ns)) {
        int64_t values[CHUNK];
        uint64_t from = sonde_measure_timer_read(timer);

        for (int i = 0; i < CHUNK; i++)
            values[i] = read_clock(row);
        costs[chunks++] =
            sonde_measure_timer_between(timer, from, sonde_measure_timer_read(timer)) /
            CHUNK;
        for (int i = 0; i < CHUNK; last = values[i++])
            note_difference(&seen, values[i] - last);
    }
    /* A coarse clock may need longer to step than its reads take. */
    while (seen.seen < 3 && (double)(sonde_measure_raw_ns() - start) < limit_ns) {
        int64_t now = read_clock(row);

        note_difference(&seen, now - last);
        last = now;
    }
    scale->cost_ns = cost_of(costs, chunks);
    scale->backwards = (double)seen.backwards;
    if (seen.seen >= 2) {
        scale->step_ns = (double)seen.divisor * unit_ns;
        scale->smallest_ns = (double)seen.smallest * unit_ns;
    }
}

static double unit_of(const struct clock_row *row, double tick_hz)
{
    switch (row->kind) {
    case KIND_GETTIME:
        return 1;
    case KIND_CLOCK:
        return 1e9 / (double)CLOCKS_PER_SEC;
    case KIND_TIME:
        return 1e9;
    case KIND_TICKS:
        return 1e9 / tick_hz;
    }
    return NAN;
}

static bool is_raw(const struct clock_row *row)
{
    return row->kind == KIND_GETTIME && row->id == CLOCK_MONOTONIC_RAW;
}

static void weigh_row(const struct clock_row *row, double limit_ns,
                      const struct timer *timer, struct scales *scales)
{
    struct clock_scale *scale = &scales->clocks[scales->clock_count++];

    *scale = (struct clock_scale){
        .name = row->kind == KIND_TICKS ? sonde_arch_tick_name() : row->name,
        .purpose = row->purpose,
        .available = available(row),
        .across_cpus = row->kind == KIND_TICKS || is_raw(row),
        .announced_ns = NAN,
        .step_ns = NAN,
        .cost_ns = NAN,
        .smallest_ns = NAN,
        .backwards = NAN,
    };
    if (!scale->name)
        scale->name = row->name;
    if (!scale->available || (row->kind == KIND_TICKS && !(scales->tick_hz > 0)))
        return;
    scale->announced_ns = announced_ns(row);
    /* The step of the clock that times must be known, however long that takes. */
    if (is_raw(row) && !timer->ticks)
        limit_ns = fmax(limit_ns, patience_ns);
    weigh(row, unit_of(row, scales->tick_hz), limit_ns, timer, scale);
}

/* Two calibrations in a row must agree. */
static void calibrate_once(double apart_ns, struct scales *scales)
{
    struct tick_anchor first = sonde_measure_tick_anchor(), middle, last;
    double rate_a, rate_b;

    while ((double)(sonde_measure_raw_ns() - first.raw_ns) < apart_ns / 2)
        ;
    middle = sonde_measure_tick_anchor();
    while ((double)(sonde_measure_raw_ns() - first.raw_ns) < apart_ns)
        ;
    last = sonde_measure_tick_anchor();
    rate_a = sonde_measure_tick_rate(&first, &middle);
    rate_b = sonde_measure_tick_rate(&middle, &last);
    if (!(rate_a > 0 && rate_b > 0))
        return;
    scales->tick_hz = sonde_measure_tick_rate(&first, &last);
    scales->tick_error_ppm = fabs(rate_a / rate_b - 1) * 1e6;
}

static void calibrate(double limit_ns, struct scales *scales, struct timer *timer)
{
    /* 50 ms apart at the default: a bracket of 60 ns is then 1 ppm. */
    double apart_ns = limit_ns < 50e6 ? limit_ns : 50e6;

    scales->tick_hz = NAN;
    scales->tick_error_ppm = NAN;
    scales->tick_drift_ppm = NAN;
    if (!sonde_arch_tick_name())
        return;
    /* On a busy machine all brackets of an anchor may be hit; one that is no clock never
     * agrees. */
    for (int i = 0; i < CALIBRATIONS_MAX && !timer->ticks; i++) {
        calibrate_once(apart_ns, scales);
        /* Ten times what the brackets allow: above it the counter is no clock. */
        timer->ticks = scales->tick_error_ppm < 100;
    }
    timer->ns_per_tick = timer->ticks ? 1e9 / scales->tick_hz : 1;
}

static const struct clock_scale *find_scale(const struct scales *scales, const char *name)
{
    for (size_t i = 0; i < scales->clock_count; i++)
        if (name && scales->clocks[i].name == name)
            return &scales->clocks[i];
    return NULL;
}

void sonde_measure_clocks(double seconds, struct scales *scales, struct timer *timer)
{
    size_t rows = sizeof clock_rows / sizeof clock_rows[0];
    double limit_ns = seconds * 1e9 / (double)(rows + 2);
    const struct clock_scale *chosen;

    *timer = (struct timer){.ticks = false, .ns_per_tick = 1, .cost_ns = 0};
    calibrate(2 * limit_ns, scales, timer);
    scales->clock_count = 0;
    for (size_t i = 0; i < rows; i++)
        weigh_row(&clock_rows[i], limit_ns, timer, scales);
    scales->timer = timer->ticks ? sonde_arch_tick_name() : clock_rows[1].name;
    chosen = find_scale(scales, scales->timer);
    scales->timer_cost_ns = chosen ? chosen->cost_ns : NAN;
    scales->timer_step_ns = chosen ? chosen->step_ns : NAN;
    timer->cost_ns = scales->timer_cost_ns > 0 ? scales->timer_cost_ns : 0;
}

void sonde_measure_lost_time(const struct timer *timer, double seconds,
                             struct scales *scales)
{
    uint64_t start = sonde_measure_timer_read(timer), last = start, now = start;
    double lost_ns = 0, total_ns = 0, limit_ns = seconds * 1e9;
    size_t long_gaps = 0;

    /* Every step of a coarser clock would look like a gap. */
    if (scales->timer_step_ns > gap_ns) {
        scales->lost_share = scales->gaps_long = NAN;
        return;
    }
    while (total_ns < limit_ns) {
        double gap;

        now = sonde_measure_timer_read(timer);
        gap = (double)(int64_t)(now - last) * timer->ns_per_tick;
        if (gap > gap_ns)
            lost_ns += gap;
        if (gap > long_gap_ns)
            long_gaps++;
        last = now;
        total_ns = (double)(int64_t)(now - start) * timer->ns_per_tick;
    }
    scales->lost_share = lost_ns / total_ns;
    scales->gaps_long = (double)long_gaps / (total_ns * 1e-9);
    scales->watched_s = total_ns * 1e-9;
}
