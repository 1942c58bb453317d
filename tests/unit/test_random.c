/* The generator against published values, forks, bounds, and the shapes of its numbers.
 */
#include "support.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64 from 0 begins with these four numbers; xoshiro256** on them begins with the
 * first result below (both computed by hand from the published algorithms). */
static void test_published_algorithm(void **state)
{
    struct random_source random;

    (void)state;
    sonde_base_random_seed(&random, 0);
    assert_true(random.state[0] == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(random.state[1] == UINT64_C(0x6e789e6aa1b965f4));
    assert_true(random.state[2] == UINT64_C(0x06c45d188009454f));
    assert_true(random.state[3] == UINT64_C(0xf88bb8a8724c81ec));
    assert_true(sonde_base_random_next(&random) == UINT64_C(0x99ec5f36cb75f2b4));
}

static void test_same_seed_same_numbers(void **state)
{
    struct random_source a, b, c;
    unsigned same = 0;

    (void)state;
    sonde_base_random_seed(&a, 7);
    sonde_base_random_seed(&b, 7);
    sonde_base_random_seed(&c, 8);
    for (int i = 0; i < 1000; i++) {
        uint64_t value = sonde_base_random_next(&a);

        assert_true(value == sonde_base_random_next(&b));
        same += value == sonde_base_random_next(&c);
    }
    assert_int_equal(same, 0);
}

static void test_fork(void **state)
{
    struct random_source parent, before, early, late, other;

    (void)state;
    sonde_base_random_seed(&parent, 7);
    before = parent;
    early = sonde_base_random_fork(&parent, 1);
    assert_memory_equal(&parent, &before, sizeof parent);
    for (int i = 0; i < 10; i++)
        sonde_base_random_next(&parent);
    late = sonde_base_random_fork(&parent, 1);
    other = sonde_base_random_fork(&parent, 2);
    assert_memory_equal(&early, &late, sizeof early);
    assert_memory_not_equal(&early, &other, sizeof early);
    assert_memory_not_equal(early.state, before.state, sizeof early.state);
    early = sonde_base_random_fork(&early, 2); /* a fork of a fork, by the same labels */
    other = sonde_base_random_fork(&other, 1);
    assert_memory_not_equal(&early, &other, sizeof early);
}

static void test_below(void **state)
{
    static const uint64_t bounds[] = {
        1, 2, 3, 6, UINT32_MAX, UINT64_C(1) << 32, UINT64_C(3) << 62};
    struct random_source random;
    unsigned seen[6] = {0};

    (void)state;
    sonde_base_random_seed(&random, 1);
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        for (int j = 0; j < 1000; j++)
            assert_true(sonde_base_random_below(&random, bounds[i]) < bounds[i]);
    for (int i = 0; i < 60000; i++)
        seen[sonde_base_random_below(&random, 6)]++;
    for (int i = 0; i < 6; i++) /* 10000 expected, standard deviation 91 */
        assert_in_range(seen[i], 9500, 10500);
}

static void test_unit_and_normal(void **state)
{
    enum { COUNT = 100000 };
    struct random_source random;
    double unit = 0, sum = 0, squares = 0;

    (void)state;
    sonde_base_random_seed(&random, 3);
    for (int i = 0; i < COUNT; i++) {
        double u = sonde_base_random_unit(&random), n = sonde_base_random_normal(&random);

        assert_true(u >= 0 && u < 1);
        assert_true(isfinite(n));
        unit += u;
        sum += n;
        squares += n * n;
    }
    assert_true(fabs(unit / COUNT - 0.5) < 0.01);
    assert_true(fabs(sum / COUNT) < 0.02);
    assert_true(fabs(squares / COUNT - 1) < 0.03);
}

static void test_shuffle(void **state)
{
    enum { COUNT = 1000 };
    uint32_t values[COUNT], moved = 0, firsts[4] = {0};
    unsigned char seen[COUNT] = {0};
    struct random_source random;

    (void)state;
    sonde_base_random_seed(&random, 5);
    for (uint32_t i = 0; i < COUNT; i++)
        values[i] = i;
    sonde_base_random_shuffle(&random, values, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_true(values[i] < COUNT && !seen[values[i] % COUNT]);
        seen[values[i] % COUNT] = 1;
        moved += values[i] != i;
    }
    assert_true(moved > COUNT * 9 / 10);
    sonde_base_random_shuffle(&random, values, 0);
    for (int i = 0; i < 4000; i++) {
        uint32_t four[4] = {0, 1, 2, 3};

        sonde_base_random_shuffle(&random, four, 4);
        firsts[four[0]]++;
    }
    for (int i = 0; i < 4; i++) /* 1000 expected, standard deviation 27 */
        assert_in_range(firsts[i], 850, 1150);
}

static void test_hash(void **state)
{
    (void)state;
    assert_true(sonde_base_hash("") == UINT64_C(0xcbf29ce484222325));
    assert_true(sonde_base_hash("a") == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(sonde_base_hash("foobar") == UINT64_C(0x85944171f73967e8));
}

/* Each number once, for sizes on both sides of powers of two. */
static void test_permutation(void **state)
{
    static const uint64_t sizes[] = {1, 2, 3, 7, 8, 9, 1000, 65535, 65537};
    struct random_source random;

    (void)state;
    sonde_base_random_seed(&random, 9);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct permutation first = sonde_base_random_permutation(&random, sizes[i]);
        struct permutation second = sonde_base_random_permutation(&random, sizes[i]);
        unsigned char *seen = calloc(sizes[i], 1);
        uint64_t fixed = 0, same = 0;

        assert_non_null(seen);
        for (uint64_t place = 0; place < sizes[i]; place++) {
            uint64_t value = sonde_base_permutation_at(&first, place);

            assert_in_range(value, 0, sizes[i] - 1);
            assert_int_equal(seen[value]++, 0);
            fixed += value == place;
            same += value == sonde_base_permutation_at(&second, place);
        }
        free(seen);
        if (sizes[i] < 1000)
            continue;
        /* One each by chance. */
        assert_in_range(fixed, 0, 8);
        assert_in_range(same, 0, 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_permutation),
        cmocka_unit_test(test_published_algorithm),
        cmocka_unit_test(test_same_seed_same_numbers),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_below),
        cmocka_unit_test(test_unit_and_normal),
        cmocka_unit_test(test_shuffle),
        cmocka_unit_test(test_hash),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
