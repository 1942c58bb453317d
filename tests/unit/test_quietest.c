/* Which CPU is taken: the first, unless another is clearly less disturbed. */
#include "support.h"

#include "measure/quietest.h"

#include <errno.h>

/* A disturbance of the moment is no reason to measure another core. */
static void first_of_nearly_equals(void **state)
{
    const struct cpu_quiet cpus[] = {{4, 40}, {5, 66}, {6, 58}};

    (void)state;
    assert_int_equal(sonde_measure_most_quiet(cpus, 3), 0);
}

static void clearly_less_disturbed(void **state)
{
    const struct cpu_quiet cpus[] = {{0, 9}, {1, 41}, {2, 55}, {3, 54}};

    (void)state;
    assert_int_equal(sonde_measure_most_quiet(cpus, 4), 2);
}

static void none_was_bound(void **state)
{
    const struct cpu_quiet cpus[] = {{0, 0}, {1, 0}};

    (void)state;
    assert_int_equal(sonde_measure_most_quiet(cpus, 2), 0);
}

static void one_of_the_list(void **state)
{
    struct cpulist none = {0}, one = {0};
    struct cpu_choice choice = {0};

    (void)state;
    assert_int_equal(sonde_measure_quietest(&none, &choice), -ENODATA);
    assert_int_equal(sonde_base_cpulist_add(&one, 7), 0);
    assert_int_equal(sonde_measure_quietest(&one, &choice), 0);
    assert_int_equal(choice.taken.cpu, 7);
    assert_int_equal(choice.looked_at, 1);
    sonde_base_cpulist_free(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_of_nearly_equals),
        cmocka_unit_test(clearly_less_disturbed),
        cmocka_unit_test(none_was_bound),
        cmocka_unit_test(one_of_the_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
