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
 * add is no whole number (2.43 and 2.95 were seen). */
#include "measure/chains.h"

#include "kernels/kernel.h"
#include "measure/shares.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum {
    PULSE_ADDS = 16000, /* about 5 µs: 0.2 % of it is a clock that steps by 10 ns */
    PULSE_WIDE = 16000,
    TRIES_MAX = 4000,
    TRIES_MIN = 20,
};

static const double integral_tolerance = 0.01;
/* An undisturbed chain of adds repeats within this; an interrupted one does not. */
static const double repeats_tolerance = 0.02;
/* Out of order or at least two wide: below this nothing overlaps, as in an emulator. */
static const double parallelism_floor = 1.5;
/* What a neighbour on the core takes from a chain of adds: 2 to 3 % were seen. */
static const double slots_lost = 0.05;
/* So many tries, and this share of all, prove the silicon: see looks_like_silicon. */
enum { PROOFS_LEAST = 3 };
static const double proofs_share = 0.01;
/* While nothing proves it, the tries go on for so many times the time asked for. */
enum { PATIENCE = 5 };

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

double sonde_measure_pulse_blur(const struct scales *scales)
{
    return scales->timer_step_ns * 1e-9 * scales->core_hz * scales->parallelism /
           PULSE_WIDE;
}

static bool near_whole(double ratio)
{
    return round(ratio) >= 1 && fabs(ratio - round(ratio)) <= integral_tolerance * ratio;
}

/* --- what the tries say ---------------------------------------------------------------
 */

/* One figure of all tries in ascending order, in `sorted`. */
static void sort_figure(const struct chain_try *tries, size_t count, size_t offset,
                        double *sorted)
{
    for (size_t i = 0; i < count; i++)
        sorted[i] = *(const double *)((const char *)&tries[i] + offset);
    sonde_measure_sort(sorted, count);
}

/* Neighbours on the core halve the overlap for seconds and blur most ratios, but in the
 * moments between nothing does: a chain of adds at its undisturbed pace, a multiply of a
 * whole number of adds, and independent adds that overlap. An emulator shows no such try:
 * its adds do not overlap in any, and a slow moment of the chain, which would look like
 * overlap, is no undisturbed pace. */
static bool looks_like_silicon(const struct chain_try *try, double usual_add)
{
    return fabs(try->add - usual_add) <= repeats_tolerance * usual_add &&
           near_whole(try->multiply / try->add) &&
           try->add / try->wide >= parallelism_floor;
}

/* A neighbour that never pauses takes slots from the chain of adds, which needs one in
 * each cycle, and hardly any from that of multiplies: the ratio is a few percent short of
 * whole in all tries. What an emulator does not show is that adds overlap in most of
 * them. */
static bool looks_like_shared_silicon(const struct chain_try *try, double usual_add)
{
    double ratio = try->multiply / try->add, whole = round(ratio);

    return fabs(try->add - usual_add) <= repeats_tolerance * usual_add && whole >= 1 &&
           ratio >= whole * (1 - slots_lost) &&
           ratio <= whole * (1 + integral_tolerance) &&
           try->add / try->wide >= parallelism_floor;
}

static void count_tries(const struct chain_try *tries, size_t count, double usual_add,
                        struct scales *scales)
{
    size_t integral = 0, proofs = 0, shared = 0;

    for (size_t i = 0; i < count; i++) {
        integral += near_whole(tries[i].multiply / tries[i].add);
        proofs += looks_like_silicon(&tries[i], usual_add);
        shared += looks_like_shared_silicon(&tries[i], usual_add);
    }
    scales->integral_share = count ? (double)integral / (double)count : NAN;
    scales->emulator_suspected =
        (proofs < PROOFS_LEAST || (double)proofs < proofs_share * (double)count) &&
        (shared < PROOFS_LEAST || 2 * shared <= count);
}

/* Of the tries whose chain kept its pace: an interrupted one feigns overlap. */
static int best_share(const struct chain_try *tries, size_t count, double usual_add,
                      struct scales *scales)
{
    struct shares *shares = calloc(1, sizeof *shares);

    if (!shares)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        if (fabs(tries[i].add - usual_add) <= repeats_tolerance * usual_add)
            sonde_measure_shares_note(shares, tries[i].add / tries[i].wide);
    scales->whole_share =
        sonde_measure_shares_peak(shares, sonde_measure_pulse_blur(scales));
    free(shares);
    return 0;
}

static double middle_ratio(const struct chain_try *tries, size_t count, double *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = tries[i].multiply / tries[i].add;
    sonde_measure_sort(scratch, count);
    return sonde_measure_median(scratch, count);
}

int sonde_measure_judge_chains(const struct chain_try *tries, size_t count,
                               struct scales *scales)
{
    double *sorted = calloc(count ? count : 1, sizeof *sorted);
    double multiply, wide, load, add;

    if (!sorted)
        return -ENOMEM;
    sort_figure(tries, count, offsetof(struct chain_try, multiply), sorted);
    multiply = sonde_measure_quantile(sorted, count, 0.25);
    sort_figure(tries, count, offsetof(struct chain_try, wide), sorted);
    wide = sonde_measure_quantile(sorted, count, 0.25);
    sort_figure(tries, count, offsetof(struct chain_try, load), sorted);
    load = sonde_measure_quantile(sorted, count, 0.25);
    scales->multiply_ratio = middle_ratio(tries, count, sorted);
    sort_figure(tries, count, offsetof(struct chain_try, add), sorted);
    add = sonde_measure_quantile(sorted, count, 0.25);
    scales->core_hz = 1e9 / sonde_measure_median(sorted, count);
    scales->core_hz_low = 1e9 / sonde_measure_quantile(sorted, count, 0.9);
    scales->core_hz_high = 1e9 / sonde_measure_quantile(sorted, count, 0.1);
    scales->parallelism = add / wide;
    scales->load_ratio = load / add;
    count_tries(tries, count, add, scales);
    /* The low quartiles are what both chains take undisturbed. */
    scales->core_clock_trusted =
        scales->integral_share > 0.5 || near_whole(multiply / add);
    free(sorted);
    return best_share(tries, count, add, scales);
}

/* --- the tries ------------------------------------------------------------------------
 */

/* False: the clock did not move, and the try says nothing. */
static bool try_once(const struct timer *timer, const struct chain_kernels *kernels,
                     struct chain_try *try)
{
    void *self = &self; /* a ring of one node, in the first level at all times */

    try->add = step_ns(timer, kernels->add, NULL, PULSE_ADDS);
    try->multiply = step_ns(timer, kernels->multiply, NULL, PULSE_ADDS / 2);
    try->wide = step_ns(timer, kernels->wide, NULL, PULSE_WIDE);
    try->load = step_ns(timer, kernels->chase, &self, PULSE_ADDS / 4);
    return try->add > 0 && try->multiply > 0 && try->wide > 0 && try->load > 0;
}

/* Adds tries to `*count` until `limit_ns` of the raw clock, `more` of them at most. */
static void try_until(const struct timer *timer, double limit_ns, size_t more,
                      struct chain_try *tries, size_t *count)
{
    struct chain_kernels kernels = find_kernels();

    for (size_t i = 0; i < more; i++) {
        if (i >= TRIES_MIN && (double)sonde_measure_raw_ns() > limit_ns)
            break;
        *count += try_once(timer, &kernels, &tries[*count]);
    }
}

int sonde_measure_core_clock(const struct timer *timer, double seconds,
                             struct scales *scales)
{
    struct chain_try *tries = calloc((size_t)TRIES_MAX * PATIENCE, sizeof *tries);
    double start_ns = (double)sonde_measure_raw_ns();
    size_t count = 0;
    int error = tries ? 0 : -ENOMEM;

    for (int turn = 1; !error && turn <= PATIENCE; turn++) {
        try_until(timer, start_ns + 1e9 * seconds * turn, TRIES_MAX, tries, &count);
        error = sonde_measure_judge_chains(tries, count, scales);
        if (!scales->emulator_suspected)
            break;
    }
    if (!count) /* the clock is too coarse for any of them: no evidence for anything */
        scales->emulator_suspected = false;
    free(tries);
    return error;
}
