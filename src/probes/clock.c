/* Probe `clock`: the scales themselves. All of it was weighed before anything else (see
 * measure/clocks.c, measure/chains.c); this file names it and says what it is worth.
 *
 * What can fool it: a calibration that holds now may not hold after the guest moves, so
 * the tick counter is checked again at the end of the run; and a core clock from
 * dependent adds assumes one cycle per add, which the multiply chain must confirm. */
#include "probes/probe.h"

#include "base/text.h"

#include <errno.h>
#include <math.h>

struct clock_column {
    const char *series, *quantity, *unit;
    size_t offset;
};

static const struct clock_column columns[] = {
    {"cost", "cost of a read", "ns", offsetof(struct clock_scale, cost_ns)},
    {"step", "step seen", "ns", offsetof(struct clock_scale, step_ns)},
    {"announced", "resolution announced", "ns",
     offsetof(struct clock_scale, announced_ns)},
    {"smallest", "smallest interval told apart", "ns",
     offsetof(struct clock_scale, smallest_ns)},
    {"backwards", "backward steps", "count", offsetof(struct clock_scale, backwards)},
};

static int add_column(const struct scales *scales, const struct clock_column *column,
                      struct series_list *list)
{
    struct series *series = sonde_measure_series_add(list, column->series);

    if (!series)
        return -ENOMEM;
    series->axes[0] = (struct axis){"clock", "", "category"};
    series->axis_count = 1;
    series->quantity = column->quantity;
    series->unit = column->unit;
    series->statistic = STATISTIC_MEDIAN;
    for (size_t i = 0; i < scales->clock_count; i++) {
        const struct clock_scale *clock = &scales->clocks[i];
        struct series_point *point = sonde_measure_point_add(series);

        if (!point)
            return -ENOMEM;
        point->at[0] = (double)i;
        point->label = sonde_base_copy(clock->name);
        point->best =
            *(const double *)(const void *)((const char *)clock + column->offset);
    }
    return 0;
}

static int tabulate(const struct probe_context *context, struct series_list *series)
{
    int error = 0;

    for (size_t i = 0; !error && i < sizeof columns / sizeof columns[0]; i++)
        error = add_column(context->scales, &columns[i], series);
    return error;
}

static void find_core_clock(const struct scales *scales, struct findings *findings)
{
    if (isnan(scales->multiply_ratio)) {
        sonde_infer_give_up(findings, "clock.core_hz", "hz",
                            "a clock that steps by %.0f ns cannot time a few thousand "
                            "adds",
                            scales->timer_step_ns);
        return;
    }
    if (!scales->core_clock_trusted) {
        sonde_infer_give_up(
            findings, "clock.core_hz", "hz",
            "a multiply takes %.2f adds: no whole number in %.0f %% of the "
            "tries, so adds do not count cycles here",
            scales->multiply_ratio, 100 - 100 * scales->integral_share);
        return;
    }
    sonde_infer_find(findings, "clock.core_hz", "hz", scales->core_hz,
                     scales->core_hz_low, scales->core_hz_high, scales->integral_share,
                     "dependent register adds, one cycle each");
    sonde_infer_find(findings, "clock.drift", "ratio",
                     scales->core_hz_high / scales->core_hz_low - 1, NAN, NAN, NAN,
                     "90th over 10th percentile of the core clock");
}

static void find_timer(const struct scales *scales, struct findings *findings)
{
    struct finding *timer = sonde_infer_find(findings, "clock.timer", "", NAN, NAN, NAN,
                                             1, "the clock that times every sample");

    if (timer)
        timer->text = sonde_base_copy(scales->timer);
    sonde_infer_find(findings, "clock.read_cost", "ns", scales->timer_cost_ns, NAN, NAN,
                     NAN, "median of reads back to back");
    sonde_infer_find(findings, "clock.step", "ns", scales->timer_step_ns, NAN, NAN, NAN,
                     "greatest common divisor of the differences");
    if (scales->tick_hz > 0)
        sonde_infer_find(findings, "clock.tick_hz", "hz", scales->tick_hz,
                         scales->tick_hz * (1 - scales->tick_error_ppm * 1e-6),
                         scales->tick_hz * (1 + scales->tick_error_ppm * 1e-6), NAN,
                         "tick counter against CLOCK_MONOTONIC_RAW");
}

static void find_lost_time(const struct scales *scales, struct findings *findings)
{
    static const char coarse[] = "every step of this clock looks like a gap";

    if (isnan(scales->lost_share)) {
        sonde_infer_give_up(findings, "clock.lost_share", "ratio", coarse);
        sonde_infer_give_up(findings, "clock.long_gaps", "per second", coarse);
        return;
    }
    sonde_infer_find(findings, "clock.lost_share", "ratio", scales->lost_share, NAN, NAN,
                     NAN, "gaps above 2 µs in a spin loop");
    sonde_infer_find(findings, "clock.long_gaps", "per second", scales->gaps_long, NAN,
                     NAN, NAN, "gaps above 100 µs in a second of spinning");
}

static void check_chains(const struct scales *scales, struct findings *findings)
{
    sonde_infer_control(
        findings, scales->core_clock_trusted, "a multiply takes a whole number of adds",
        "within 1 % in more than half of the tries, or between the low quartiles",
        "%.3f; %.0f %% of tries", scales->multiply_ratio, 100 * scales->integral_share);
    sonde_infer_control(findings, scales->parallelism >= 1.5,
                        "independent adds overlap, as on silicon", "1.5 or more",
                        "%.2f times as many as dependent ones", scales->parallelism);
}

static void check_clock(const struct scales *scales, struct findings *findings)
{
    double backwards = 0;

    for (size_t i = 0; i < scales->clock_count; i++)
        if (scales->clocks[i].backwards > 0)
            backwards += scales->clocks[i].backwards;
    if (!isnan(scales->multiply_ratio))
        check_chains(scales, findings);
    sonde_infer_control(findings, backwards <= 0, "no clock runs backwards",
                        "0 backward steps", "%.0f, over %zu pairs of CPUs", backwards,
                        scales->warp_pairs);
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct scales *scales = context->scales;

    (void)series;
    find_timer(scales, findings);
    find_core_clock(scales, findings);
    find_lost_time(scales, findings);
    check_clock(scales, findings);
    return 0;
}

const struct probe sonde_probe_clock = {
    .name = "clock",
    .summary = "every clock: step, cost, order; the core clock; time lost to others",
    .asks = "What can be timed here, and with what?",
    .seconds = 0.1,
    .tabulate = tabulate,
    .infer = infer,
};
