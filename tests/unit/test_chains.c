/* What the chains around a sample say of the core's clock and of emulation. */
#include "support.h"

#include "measure/chains.h"

#include <math.h>

enum { TRIES = 400 };

/* Tries as a core shows them; `each` bends some of them. */
static struct scales judge(struct chain_try usual, size_t count,
                           void (*each)(struct chain_try *, size_t))
{
    struct scales scales = {0};
    struct chain_try *tries = test_calloc(TRIES, sizeof *tries);

    for (size_t i = 0; i < count; i++) {
        tries[i] = usual;
        if (each)
            each(&tries[i], i);
    }
    assert_int_equal(0, sonde_measure_judge_chains(tries, count, &scales));
    test_free(tries);
    return scales;
}

static const struct chain_try silicon = {0.333, 0.999, 0.09, 1.333};
/* Dependent and independent adds alike, as an emulator runs them. */
static const struct chain_try valgrind = {0.64, 1.555, 0.5, 2.6};

static void quiet_silicon(void **state)
{
    struct scales scales = judge(silicon, TRIES, NULL);

    (void)state;
    assert_true(scales.core_clock_trusted);
    assert_false(scales.emulator_suspected);
    assert_true(fabs(scales.parallelism - 3.7) < 0.01);
    assert_true(fabs(scales.load_ratio - 4.003) < 0.01);
    assert_true(fabs(scales.core_hz - 3.003e9) < 1e6);
}

/* A neighbour on the core takes nearly all of the overlap, and two multiplies in three
 * are interrupted; nineteen tries in twenty are so. */
static void blur(struct chain_try *try, size_t i)
{
    if (i % 20 == 0)
        return;
    try->wide = try->add / 1.3;
    try->multiply *= i % 3 ? 1.07 : 1;
}

static void busy_silicon(void **state)
{
    struct scales scales = judge(silicon, TRIES, blur);

    (void)state;
    assert_true(scales.parallelism < 1.5);
    assert_true(fabs(scales.whole_share - 3.7) < 0.01);
    assert_false(scales.emulator_suspected);
}

/* A neighbour that never pauses: adds a few percent slow, all of the time. */
static void shared_silicon(void **state)
{
    struct chain_try shared = {0.343, 0.999, 0.166, 1.333}, emulated = shared;

    (void)state;
    assert_false(judge(shared, TRIES, NULL).emulator_suspected);
    assert_false(judge(shared, TRIES, NULL).core_clock_trusted);
    /* The same ratio was seen of an emulator, where adds do not overlap. */
    emulated.wide = emulated.add / 1.28;
    assert_true(judge(emulated, TRIES, NULL).emulator_suspected);
}

/* Where the chain is interrupted the independent adds seem to overlap. */
static void interrupt(struct chain_try *try, size_t i)
{
    if (i % 10 == 0) {
        try->add *= 2.43 / 2;
        try->multiply = 2 * try->add;
    }
}

static void emulators(void **state)
{
    struct chain_try whole = valgrind;

    (void)state;
    assert_true(judge(valgrind, TRIES, NULL).emulator_suspected);
    assert_true(judge(valgrind, TRIES, interrupt).emulator_suspected);
    whole.multiply = 3 * whole.add;
    assert_true(judge(whole, TRIES, interrupt).emulator_suspected);
    whole.multiply = 2.43 * whole.add;
    whole.wide = whole.add / 3;
    assert_true(judge(whole, TRIES, NULL).emulator_suspected);
    assert_false(judge(whole, TRIES, NULL).core_clock_trusted);
}

static void nothing_measured(void **state)
{
    struct scales scales = judge(silicon, 0, NULL);

    (void)state;
    assert_false(scales.core_clock_trusted);
    assert_true(scales.emulator_suspected);
    assert_true(isnan(scales.core_hz) && isnan(scales.parallelism));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quiet_silicon),    cmocka_unit_test(busy_silicon),
        cmocka_unit_test(shared_silicon),   cmocka_unit_test(emulators),
        cmocka_unit_test(nothing_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
