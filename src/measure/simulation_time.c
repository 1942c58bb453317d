/* Time on a planted machine, and all that disturbs it.
 *
 * Simulated nanoseconds add up in one number; the timer shows it in whole steps, so that
 * short work reads as 0 or as one step, as on hardware. Disturbances, in the order of how
 * often they are met:
 *
 *   jitter        every sample, both ways: the sigma of a normal factor
 *   interference  samples that are not quiet (1 - quiet_share of them) are longer by
 *                 |normal| x sigma: others can slow work down, never speed it up
 *   spikes        with a probability per sample, one of fixed length: interrupts
 *   interruptions at a rate in time, each of fixed length: the thread is switched out
 *   drift         the core's clock swings around its mean; work counted in cycles swings
 *                 along, memory does not
 *   spells        of a neighbour on the same core: throughput falls, latencies stay
 *
 * What can fool a reader: disturbances of two samples are independent but for drift and
 * spells, which is kinder than real neighbours are. */
#include "measure/simulation_time.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
/* Measured under an emulator that translates code: 1.2 to 1.3 against 3.6 on silicon. */
static const double emulated_width = 1.2;
/* More in one sample would be a machine that does nothing else. */
static const unsigned interruptions_max = 1000;

void sonde_measure_simulation_time_open(struct sim_time *time,
                                        const struct sim_model *model, uint64_t seed)
{
    double cycle_s = model->neighbour.on_s + model->neighbour.off_s;

    *time = (struct sim_time){.model = model};
    sonde_base_random_seed(&time->random, seed);
    time->spell_phase_s = sonde_base_random_unit(&time->random) * cycle_s;
}

double sonde_measure_simulation_hz(const struct sim_time *time)
{
    const struct sim_model *model = time->model;
    double turns = time->now_ns * 1e-9 / model->noise.drift_period_s;

    return model->core_hz *
           (1 + model->noise.drift_amplitude * sin(2 * pi * (turns - floor(turns))));
}

double sonde_measure_simulation_slowdown(const struct sim_time *time)
{
    const struct sim_model *model = time->model;
    double cycle_s = model->neighbour.on_s + model->neighbour.off_s;

    if (!(cycle_s > 0))
        return 1;
    return fmod(time->now_ns * 1e-9 + time->spell_phase_s, cycle_s) <
                   model->neighbour.on_s
               ? model->neighbour.slowdown
               : 1;
}

double sonde_measure_simulation_width(const struct sim_model *model)
{
    return model->emulation[0] ? emulated_width : model->chains.width;
}

/* What the timer shows between two moments. */
static double shown_ns(const struct sim_model *model, double from_ns, double to_ns)
{
    double step = model->timer_step_ns;

    return (floor(to_ns / step) - floor(from_ns / step)) * step;
}

/* The timer's own cost passes and is taken off by whoever reads it: all that remains of
 * it is the step. */
double sonde_measure_simulation_time_quietly(struct sim_time *time, double ns)
{
    double from_ns = time->now_ns;
    double shown = shown_ns(time->model, from_ns, from_ns + ns);

    time->now_ns += ns + 2 * time->model->timer_cost_ns;
    return shown;
}

static double interference(struct sim_time *time)
{
    const struct sim_model *model = time->model;
    /* Drawn whether used or not: one more or less would change all that follows. */
    double jitter = sonde_base_random_normal(&time->random);
    double quiet = sonde_base_random_unit(&time->random);
    double other = fabs(sonde_base_random_normal(&time->random));
    double factor = 1 + model->noise.jitter * jitter;

    if (quiet >= model->noise.quiet_share)
        factor += model->noise.sigma * other;
    return fmax(factor, 0.01);
}

/* How many interruptions fall into `ns`: exponential waiting times. */
static unsigned interruptions(struct sim_time *time, double ns)
{
    double rate_per_ns = time->model->noise.steals_per_s * 1e-9, reached_ns = 0;
    unsigned count = 0;

    if (!(rate_per_ns > 0))
        return 0;
    while (count < interruptions_max) {
        reached_ns -= log(1 - sonde_base_random_unit(&time->random)) / rate_per_ns;
        if (reached_ns > ns)
            break;
        count++;
    }
    return count;
}

double sonde_measure_simulation_time_work(struct sim_time *time, double ns,
                                          bool *switched)
{
    const struct sim_model *model = time->model;
    unsigned stolen;

    ns *= interference(time);
    if (sonde_base_random_unit(&time->random) < model->noise.spike_probability)
        ns += model->noise.spike_ns;
    stolen = interruptions(time, ns);
    *switched = stolen > 0;
    return sonde_measure_simulation_time_quietly(time,
                                                 ns + stolen * model->noise.steal_ns);
}

/* --- scales
 * ----------------------------------------------------------------------------- */

static void add_clock(struct scales *scales, const char *name, const char *purpose,
                      double announced_ns, double step_ns, double cost_ns)
{
    scales->clocks[scales->clock_count++] = (struct clock_scale){
        .name = name,
        .purpose = purpose,
        .available = true,
        .across_cpus = true,
        .announced_ns = announced_ns,
        .step_ns = step_ns,
        .cost_ns = cost_ns,
        .smallest_ns = fmax(step_ns, ceil(cost_ns / step_ns) * step_ns),
        .backwards = 0,
    };
}

/* One clock, read directly, through the system, and coarsely. */
static void list_clocks(const struct sim_model *model, struct scales *scales)
{
    double step = model->timer_step_ns, cost = model->timer_cost_ns;
    /* A kernel's tick of 4 ms (250 Hz) is what a coarse clock shows. */
    double coarse = fmax(4e6, step);

    add_clock(scales, "tick", "short intervals on one machine, once calibrated",
              1e9 / model->tick_hz, step, cost);
    add_clock(scales, "CLOCK_MONOTONIC_RAW", "intervals; never slewed", 1, fmax(step, 1),
              2 * cost);
    add_clock(scales, "CLOCK_MONOTONIC", "intervals; slewed to the true second", 1,
              fmax(step, 1), 2 * cost);
    add_clock(scales, "CLOCK_MONOTONIC_COARSE", "cheap time stamps", 4e6, coarse,
              cost / 2);
    scales->timer = scales->clocks[0].name;
    scales->timer_step_ns = step;
    scales->timer_cost_ns = cost;
    scales->tick_hz = model->tick_hz;
    scales->tick_error_ppm = 0;
    scales->tick_drift_ppm = NAN;
}

static void list_chains(const struct sim_model *model, struct scales *scales)
{
    double ratio = model->chains.multiply_cycles / model->chains.add_cycles;
    /* 10th and 90th percentile of a sine. */
    double swing = model->noise.drift_amplitude * sin(0.4 * pi);

    scales->core_hz = model->core_hz / model->chains.add_cycles;
    scales->core_hz_low = scales->core_hz * (1 - swing);
    scales->core_hz_high = scales->core_hz * (1 + swing);
    scales->multiply_ratio = ratio;
    scales->integral_share = fabs(ratio - round(ratio)) <= 0.01 * ratio ? 1 : 0;
    scales->core_clock_trusted = scales->integral_share > 0.5;
    scales->parallelism =
        sonde_measure_simulation_width(model) * model->chains.add_cycles;
    scales->load_ratio = model->levels[0].latency_cycles / model->chains.add_cycles;
    scales->emulator_suspected =
        model->emulation[0] || scales->parallelism < 1.5 || !scales->core_clock_trusted;
}

void sonde_measure_simulation_weigh(struct sim_time *time, double seconds,
                                    struct scales *scales)
{
    const struct sim_model *model = time->model;
    double stolen = model->noise.steals_per_s * model->noise.steal_ns * 1e-9;

    *scales = (struct scales){.watched_s = seconds / 3};
    list_clocks(model, scales);
    list_chains(model, scales);
    scales->lost_share = stolen / (1 + stolen);
    scales->gaps_long = model->noise.steal_ns > 100e3 ? model->noise.steals_per_s : 0;
    time->now_ns += seconds * 1e9;
}
