/* What the chains around a sample say of the core's clock and of emulation. */
#include "support.h"

#include "measure/chains.h"

#include <math.h>

static struct scales judge(double quartile_ratio, double parallelism,
                           double integral_share)
{
    struct scales scales = {0};

    sonde_measure_judge_chains(quartile_ratio, parallelism, integral_share, &scales);
    return scales;
}

static void quiet_silicon(void **state)
{
    struct scales scales = judge(3.0, 3.6, 0.95);

    (void)state;
    assert_true(scales.core_clock_trusted);
    assert_false(scales.emulator_suspected);
}

/* Beside neighbours most tries scatter; that is no emulator. */
static void busy_silicon(void **state)
{
    struct scales clear = judge(3.01, 3.1, 0.35), blurred = judge(2.95, 2.9, 0.2);

    (void)state;
    assert_true(clear.core_clock_trusted);
    assert_false(clear.emulator_suspected);
    assert_false(blurred.core_clock_trusted);
    assert_false(blurred.emulator_suspected);
}

static void emulators(void **state)
{
    (void)state;
    assert_true(judge(2.43, 1.28, 0.1).emulator_suspected);
    assert_true(judge(2.948, 1.36, 0.22).emulator_suspected);
    assert_true(judge(2.43, 3.0, 0.1).emulator_suspected);
}

static void nothing_measured(void **state)
{
    struct scales scales = judge(NAN, NAN, NAN);

    (void)state;
    assert_false(scales.core_clock_trusted);
    assert_true(scales.emulator_suspected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quiet_silicon),
        cmocka_unit_test(busy_silicon),
        cmocka_unit_test(emulators),
        cmocka_unit_test(nothing_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
