/* The core clock from dependent adds, and its controls.
 *
 * A register-register add takes one cycle on every core this program knows, and a chain
 * of them cannot be shortened, so adds per second are the core's clock. (An add of an
 * immediate would not do: some cores fold it away at rename.) The assumption is checked
 * against a chain of multiplies: their ratio must be a whole number. Independent adds
 * near the issue width tell how much of the core is left by a neighbour on the same core:
 * its adds slow down, the dependent chain does not.
 *
 * Emulators show themselves: translated code runs dependent and independent adds alike
 * (1.28 under valgrind against 3.6 on the silicon below it), and the ratio of multiply to
 * add is no whole number. */
#include "measure/chains.h"

#include "kernels/kernel.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum {
    PULSE_ADDS = 16000, /* about 5 µs: 0.2 % of it is a clock that steps by 10 ns */
    PULSE_WIDE = 16000,
    TRIES_MAX = 4000,
    TRIES_MIN = 20,
};

static const double integral_tolerance = 0.01;
/* Emulators were seen at 2.43 adds a multiply, silicon under load within 2 % of 3. */
static const double emulated_tolerance = 0.05;
/* Out of order or at least two wide: below this nothing overlaps, as in an emulator. */
static const double parallelism_floor = 1.5;

struct chain_kernels {
    const struct kernel *add, *multiply, *wide, *chase;
};

static struct chain_kernels find_kernels(void)
{
    struct chain_kernels kernels = {
        .add = sonde_kernel_find("add_chain"),
        .multiply = sonde_kernel_find("mul_chain"),
        .wide = sonde_kernel_find("add_wide"),
        .chase = sonde_kernel_find("chase"),
    };
    return kernels;
}

/* Nanoseconds per step of a kernel that uses no memory. */
static double step_ns(const struct timer *timer, const struct kernel *kernel, void *data,
                      uint64_t steps)
{
    uint64_t from = sonde_measure_timer_read(timer);

    kernel->run(data, steps, 3);
    return sonde_measure_timer_between(timer, from, sonde_measure_timer_read(timer)) /
           (double)steps;
}

struct pulse sonde_measure_pulse(const struct timer *timer)
{
    struct chain_kernels kernels = find_kernels();
    double add = step_ns(timer, kernels.add, NULL, PULSE_ADDS);
    double wide = step_ns(timer, kernels.wide, NULL, PULSE_WIDE);
    struct pulse pulse = {NAN, NAN};

    if (add > 0)
        pulse.hz = 1e9 / add;
    if (add > 0 && wide > 0)
        pulse.share = add / wide;
    return pulse;
}

enum chain_figure { ADD, MULTIPLY, WIDE, LOAD, RATIO, CHAIN_FIGURES };

struct tries {
    double *figure[CHAIN_FIGURES];
    size_t count, integral;
};

static bool near_whole(double ratio, double tolerance)
{
    return round(ratio) >= 1 && fabs(ratio - round(ratio)) <= tolerance * ratio;
}

static void try_once(const struct timer *timer, const struct chain_kernels *kernels,
                     struct tries *tries)
{
    void *self = &self; /* a ring of one node, in the first level at all times */
    double add = step_ns(timer, kernels->add, NULL, PULSE_ADDS);
    double multiply = step_ns(timer, kernels->multiply, NULL, PULSE_ADDS / 2);
    double wide = step_ns(timer, kernels->wide, NULL, PULSE_WIDE);
    double load = step_ns(timer, kernels->chase, &self, PULSE_ADDS / 4);
    double ratio = add > 0 ? multiply / add : NAN;
    size_t n = tries->count;

    if (!(add > 0 && multiply > 0 && wide > 0 && load > 0))
        return;
    tries->figure[ADD][n] = add;
    tries->figure[MULTIPLY][n] = multiply;
    tries->figure[WIDE][n] = wide;
    tries->figure[LOAD][n] = load;
    tries->figure[RATIO][n] = ratio;
    if (near_whole(ratio, integral_tolerance))
        tries->integral++;
    tries->count++;
}

/* Neighbours make single tries miss the whole number; the low quartiles of both chains
 * are what they take undisturbed. So noise alone is never taken for an emulator: that
 * needs work that does not overlap, or quartiles that are far from any whole number. */
void sonde_measure_judge_chains(double quartile_ratio, double parallelism,
                                double integral_share, struct scales *scales)
{
    scales->parallelism = parallelism;
    scales->integral_share = integral_share;
    scales->core_clock_trusted =
        integral_share > 0.5 || near_whole(quartile_ratio, integral_tolerance);
    scales->emulator_suspected = !(parallelism >= parallelism_floor) ||
                                 !near_whole(quartile_ratio, emulated_tolerance);
}

static void conclude(struct tries *tries, struct scales *scales)
{
    double q25[CHAIN_FIGURES];
    double *adds = tries->figure[ADD];
    size_t n = tries->count;

    if (!n) { /* the clock is too coarse for any of them: no evidence for anything */
        scales->core_hz = scales->core_hz_low = scales->core_hz_high = NAN;
        scales->multiply_ratio = scales->load_ratio = NAN;
        scales->parallelism = scales->integral_share = NAN;
        return;
    }
    for (int i = 0; i < CHAIN_FIGURES; i++) {
        sonde_measure_sort(tries->figure[i], n);
        q25[i] = sonde_measure_quantile(tries->figure[i], n, 0.25);
    }
    scales->core_hz = 1e9 / sonde_measure_median(adds, n);
    scales->core_hz_low = 1e9 / sonde_measure_quantile(adds, n, 0.9);
    scales->core_hz_high = 1e9 / sonde_measure_quantile(adds, n, 0.1);
    scales->multiply_ratio = sonde_measure_median(tries->figure[RATIO], n);
    sonde_measure_judge_chains(q25[MULTIPLY] / q25[ADD], q25[ADD] / q25[WIDE],
                               n ? (double)tries->integral / (double)n : NAN, scales);
    scales->load_ratio = q25[LOAD] / q25[ADD];
}

int sonde_measure_core_clock(const struct timer *timer, double seconds,
                             struct scales *scales)
{
    struct chain_kernels kernels = find_kernels();
    double *store = malloc(sizeof *store * TRIES_MAX * CHAIN_FIGURES);
    struct tries tries = {.count = 0};
    uint64_t start_ns = sonde_measure_raw_ns();
    double limit_ns = seconds * 1e9;

    if (!store)
        return -ENOMEM;
    for (int i = 0; i < CHAIN_FIGURES; i++)
        tries.figure[i] = store + (size_t)i * TRIES_MAX;
    for (int i = 0; i < TRIES_MAX && tries.count < TRIES_MAX; i++) {
        if (i >= TRIES_MIN && (double)(sonde_measure_raw_ns() - start_ns) > limit_ns)
            break;
        try_once(timer, &kernels, &tries);
    }
    conclude(&tries, scales);
    free(store);
    return 0;
}
