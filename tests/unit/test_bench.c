/* What `sonde bench` computes without running anything: formulas, parameters, and the
 * comparison of pairs. */
#include "support.h"

#include "base/random.h"
#include "bench/bench.h"
#include "bench/formula.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double work_out(const char *text)
{
    static const struct formula_name names[] = {{"n", 10}, {"stride", 64}};
    struct message why;
    double value;

    return sonde_bench_formula(text, names, 2, &value, &why) ? NAN : value;
}

static void test_formulas(void **state)
{
    (void)state;
    assert_true(work_out("") == 0);
    assert_true(work_out("n*stride") == 640);
    assert_true(work_out("8*n + 2") == 82);
    assert_true(work_out("2+3*(n-4)/2") == 11);
    assert_true(work_out("n/4") == 2.5);
    assert_true(isnan(work_out("m")));
    assert_true(isnan(work_out("n*")));
    assert_true(isnan(work_out("(n")));
    assert_true(isnan(work_out("n n")));
    assert_true(isnan(work_out("n/0")));
    assert_true(isnan(work_out("((((((((((((((((((((((((((((((((((((((((1")));
}

static int declare(struct bench_kernel *kernel, const char *text)
{
    struct message why;

    memset(kernel, 0, sizeof *kernel);
    snprintf(kernel->parameter_text, sizeof kernel->parameter_text, "%s", text);
    return sonde_bench_parameters(kernel, &why);
}

static void test_declarations(void **state)
{
    struct bench_kernel kernel;

    (void)state;
    assert_int_equal(declare(&kernel, "n=1..2^24:4096  stride=8..4096/8:8,64"), 0);
    assert_int_equal(kernel.parameter_count, 2);
    assert_string_equal(kernel.parameters[0].name, "n");
    assert_int_equal(kernel.parameters[0].to, 1 << 24);
    assert_int_equal(kernel.parameters[1].multiple, 8);
    assert_string_equal(kernel.parameters[1].defaults, "8,64");
    assert_int_equal(declare(&kernel, "a=3..9"), 0);
    assert_string_equal(kernel.parameters[0].defaults, "3");
    assert_int_equal(declare(&kernel, ""), 0);
    assert_int_equal(kernel.parameter_count, 0);
    assert_int_equal(declare(&kernel, "n"), -EINVAL);
    assert_int_equal(declare(&kernel, "n=1"), -EINVAL);
    assert_int_equal(declare(&kernel, "n=9..1"), -EINVAL);
    assert_int_equal(declare(&kernel, "=1..2"), -EINVAL);
    assert_int_equal(declare(&kernel, "n=1..8/0"), -EINVAL);
    assert_int_equal(declare(&kernel, "n=1..8:9"), -EINVAL);
    assert_int_equal(declare(&kernel, "a=1..2 b=1..2 c=1..2 d=1..2 e=1..2"), -EINVAL);
}

static size_t count_values(const char *list, long *last)
{
    const struct bench_parameter stride = {"stride", 8, 4096, 8, ""};
    struct message why = {{0}};
    size_t count;
    long *values;

    if (sonde_bench_values(&stride, list, &values, &count, &why))
        return 0;
    *last = values[count - 1];
    free(values);
    return count;
}

static void test_lists(void **state)
{
    static const char *const bad[] = {"7",
                                      "0",
                                      "-8",
                                      "x",
                                      "",
                                      "8,",
                                      ",8",
                                      "8..",
                                      "64..8",
                                      "2^",
                                      "3^2",
                                      "8192",
                                      "8 16",
                                      "2^70",
                                      "0..8",
                                      "8,16x",
                                      "9..64",
                                      "8...64",
                                      "99999999999999999999"};
    long last;

    (void)state;
    assert_int_equal(count_values("8", &last), 1);
    assert_int_equal(count_values("8,64,256", &last), 3);
    assert_int_equal(last, 256);
    assert_int_equal(count_values("2^3..2^12", &last), 10);
    assert_int_equal(last, 4096);
    assert_int_equal(count_values("8,16..100", &last), 4);
    assert_int_equal(last, 64);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(count_values(bad[i], &last), 0);
}

/* Pairs with a planted ratio, noise of 2 % and one in eight disturbed by half. */
static enum bench_verdict compare_planted(double ratio, double sigma, uint64_t seed)
{
    double differences[31];
    struct random_source random;

    sonde_base_random_seed(&random, seed);
    for (size_t i = 0; i < 31; i++) {
        differences[i] = log(ratio) + sigma * sonde_base_random_normal(&random);
        if (sonde_base_random_below(&random, 8) == 0)
            differences[i] += sonde_base_random_unit(&random) < 0.5 ? 0.4 : -0.4;
    }
    return sonde_bench_compare_logs(differences, 31).verdict;
}

static void test_pairs(void **state)
{
    unsigned same = 0, apart = 0, faster = 0, inconclusive = 0;
    double few[] = {0.5, 0.5, 0.5};

    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        enum bench_verdict verdict = compare_planted(1, 0.02, seed);

        same += verdict == BENCH_FASTER || verdict == BENCH_SLOWER;
        apart += compare_planted(1.03, 0.02, seed) == BENCH_SLOWER;
        faster += compare_planted(0.5, 0.02, seed) == BENCH_FASTER;
        inconclusive += compare_planted(1.03, 0.3, seed) == BENCH_INCONCLUSIVE;
    }
    assert_true(same <= 5);
    assert_true(apart >= 90);
    assert_int_equal(faster, 100);
    assert_true(inconclusive >= 90);
    assert_int_equal(sonde_bench_compare_logs(few, 3).verdict, BENCH_INCONCLUSIVE);
    assert_true(isnan(sonde_bench_compare_logs(few, 3).ratio));
    assert_true(isnan(sonde_bench_compare_logs(few, 0).ratio));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_declarations),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_pairs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
