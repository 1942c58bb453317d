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

enum { PAIRS = 62 };

/* Two sets of pairs with a planted ratio, noise of 2 %, one in eight disturbed by half.
 */
static enum bench_verdict compare_planted(double ratio, double sigma, uint64_t seed)
{
    double differences[PAIRS];
    struct random_source random;

    sonde_base_random_seed(&random, seed);
    for (size_t i = 0; i < PAIRS; i++) {
        differences[i] = log(ratio) + sigma * sonde_base_random_normal(&random);
        if (sonde_base_random_below(&random, 8) == 0)
            differences[i] += sonde_base_random_unit(&random) < 0.5 ? 0.4 : -0.4;
    }
    return sonde_bench_compare_logs(differences, PAIRS).verdict;
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
    print_message("of 100: same %u, apart %u, inconclusive %u\n", same, apart,
                  inconclusive);
    assert_true(same <= 2);
    assert_true(apart >= 90);
    assert_int_equal(faster, 100);
    assert_true(inconclusive >= 90);
    assert_int_equal(sonde_bench_compare_logs(few, 3).verdict, BENCH_INCONCLUSIVE);
    assert_true(isnan(sonde_bench_compare_logs(few, 3).ratio));
    assert_true(isnan(sonde_bench_compare_logs(few, 0).ratio));
}

/* --- doubts ---------------------------------------------------------------------------
 */

static struct bench_kernel doubted;

/* A bench of an empty call of 2 ns and of points with these times and elements. */
static const char *doubts_of(double alone_ns, double doubling, const double *medians,
                             const double *elements, size_t count, bool alone)
{
    static struct bench_point points[4];
    static char text[240];
    struct bench_options options = {.samples = 31, .alone = alone};
    struct bench_files files = {.kernels = &doubted, .kernel_count = 1};
    struct bench bench = {
        .files = &files, .options = &options, .points = points, .count = count + 1};

    memset(points, 0, sizeof points);
    points[0].figures.q25 = points[0].figures.median = points[0].alone_ns = 2;
    for (size_t i = 0; i < count; i++) {
        points[i + 1].kernel = &doubted;
        points[i + 1].figures.n = 31;
        points[i + 1].figures.median = points[i + 1].call_ns = medians[i];
        points[i + 1].elements = elements[i];
        points[i + 1].doubling = doubling;
        points[i + 1].alone_ns = alone_ns;
    }
    sonde_bench_doubt(&bench);
    snprintf(text, sizeof text, "%s", points[1].doubts);
    return text;
}

static void test_doubts(void **state)
{
    static const double one[] = {100}, nothing[] = {2.1}, zero[] = {0};
    static const double apart[] = {100, 400}, equal[] = {100, 101}, work[] = {64, 256};

    (void)state;
    assert_string_equal(doubts_of(100, 2, one, work, 1, false), "");
    assert_string_equal(doubts_of(100, 2, apart, work, 2, false), "");
    assert_non_null(strstr(doubts_of(2, 2, nothing, work, 1, false), "an empty call"));
    assert_non_null(strstr(doubts_of(2, 2, zero, work, 1, true), "0 ns"));
    assert_non_null(strstr(doubts_of(100, 1, one, work, 1, false), "twice the calls"));
    assert_non_null(strstr(doubts_of(100, 3, one, work, 1, false), "twice the calls"));
    assert_non_null(strstr(doubts_of(180, 2, one, work, 1, false), "calls overlap"));
    assert_non_null(
        strstr(doubts_of(100, 2, equal, work, 2, false), "the same time for"));
}

/* --- what an empty call takes ----------------------------------------------------------
 */

/* `alone` samples of 4.8 cycles among `count`, the others beside a neighbour. */
static void plant(struct bench_overhead *overhead, size_t count, size_t alone)
{
    for (size_t i = 0; i < count; i++) {
        bool quiet = i % (count / alone) == 0 && i / (count / alone) < alone;
        struct sample sample = {.value = quiet ? 1.6 : 2.5,
                                .cycles = quiet ? 4.8 : 7.5,
                                .share = quiet ? 3.85 : 2.1 + 0.1 * (double)(i % 14),
                                .overlap = NAN,
                                .fairness = NAN,
                                .load = NAN};

        assert_int_equal(
            sonde_bench_overhead_add(overhead, (uint32_t)(i / 10), &sample, 1), 0);
    }
}

static void test_overhead_is_of_moments_alone(void **state)
{
    const struct scales scales = {.parallelism = 3.8};
    struct bench_overhead overhead = {0};

    (void)state;
    plant(&overhead, 300, 12);
    assert_int_equal(sonde_bench_overhead_conclude(&overhead, &scales), 0);
    assert_false(overhead.shared);
    assert_int_equal(overhead.figures.n, 12);
    assert_true(fabs(overhead.figures.best - 1.6) < 1e-6 &&
                fabs(overhead.figures.cycles - 4.8) < 1e-6);
    assert_int_equal(overhead.tried, 300);
    sonde_bench_overhead_free(&overhead);
}

/* The scales know a better share than any that was seen; or nothing was tried. */
static void test_overhead_beside_a_neighbour(void **state)
{
    const struct scales scales = {.parallelism = 4.4};
    struct bench_overhead overhead = {0};

    (void)state;
    plant(&overhead, 300, 12);
    assert_int_equal(sonde_bench_overhead_conclude(&overhead, &scales), 0);
    assert_true(overhead.shared);
    assert_int_equal(overhead.figures.n, 300);
    assert_true(overhead.figures.best == 2.5);
    sonde_bench_overhead_free(&overhead);
    assert_int_equal(sonde_bench_overhead_conclude(&overhead, &scales), 0);
    assert_true(overhead.shared && isnan(overhead.figures.best));
    sonde_bench_overhead_free(&overhead);
}

/* Nothing but moments beside a neighbour that never pauses: no whole number of adds fits
 * into a cycle. */
static void test_overhead_beside_a_neighbour_all_along(void **state)
{
    static const double shares[] = {2.75, 3.4, 2.2, 4.4}, alone[] = {3.87, 1.9, 5.7, 6};

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        struct sample sample = {.value = 2.2, .share = i < 4 ? shares[i] : alone[i - 4]};
        struct scales scales = {.parallelism = sample.share, .whole_share = NAN};
        struct bench_overhead overhead = {0};

        for (uint32_t k = 0; k < 20; k++)
            assert_int_equal(sonde_bench_overhead_add(&overhead, k, &sample, 1), 0);
        assert_int_equal(sonde_bench_overhead_conclude(&overhead, &scales), 0);
        assert_int_equal(overhead.shared, i < 4);
        sonde_bench_overhead_free(&overhead);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overhead_is_of_moments_alone),
        cmocka_unit_test(test_overhead_beside_a_neighbour),
        cmocka_unit_test(test_overhead_beside_a_neighbour_all_along),
        cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_declarations),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_doubts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
