/* Comparison on planted runs: hand-worked values, false alarms counted over many pairs
 * that do not differ, and planted differences that must be found. */
#include "support.h"

#include "base/random.h"
#include "infer/compare.h"

#include <math.h>
#include <string.h>

enum { RUNS = 10, FINDINGS = 12 };

static void test_student(void **state)
{
    (void)state;
    /* From tables of the t distribution. */
    assert_true(fabs(sonde_infer_student_t(0.05, 4) - 2.776) < 0.001);
    assert_true(fabs(sonde_infer_student_t(0.01, 9) - 3.250) < 0.001);
    assert_true(fabs(sonde_infer_student_t(0.05, 1) - 12.706) < 0.01);
    assert_true(fabs(sonde_infer_student_p(2.262, 9) - 0.05) < 0.0002);
    assert_true(sonde_infer_student_p(0, 5) == 1);
    assert_true(sonde_infer_student_p(1000, 8) < 1e-18);
    assert_true(isnan(sonde_infer_student_p(NAN, 5)));
}

static void test_ranks(void **state)
{
    static const double low[] = {1, 2, 3, 4, 5}, high[] = {6, 7, 8, 9, 10};
    static const double mixed[] = {1.5, 2.5, 3.5, 4.5, 5.5};
    double p;

    (void)state;
    /* 2 of C(10, 5) = 252 orders part the sides. */
    assert_int_equal(sonde_infer_mann_whitney(low, 5, high, 5, &p), 0);
    assert_true(fabs(p - 2.0 / 252) < 1e-12);
    /* U = 15, of which tables say p = 0.690 on both sides. */
    sonde_infer_mann_whitney(low, 5, mixed, 5, &p);
    assert_true(fabs(p - 0.6905) < 0.001);
    sonde_infer_mann_whitney(low, 5, low, 5, &p);
    assert_true(p == 1);
}

static struct compare_run run_of(double value)
{
    return (struct compare_run){value, value * 0.99, value * 1.01, 0.95};
}

static struct comparison compare(const struct compare_run *a, size_t n,
                                 const struct compare_run *b, size_t m, bool structure)
{
    struct compare_side left = {a, n}, right = {b, m};
    struct comparison out;

    assert_int_equal(sonde_infer_compare(&left, &right, structure, 1, &out), 0);
    sonde_infer_compare_settle(&out, 1);
    return out;
}

static void test_by_hand(void **state)
{
    const struct compare_run a[] = {run_of(10), run_of(10.1), run_of(9.9), run_of(10)};
    const struct compare_run b[] = {run_of(12), run_of(12.1), run_of(11.9), run_of(12)};
    struct comparison row = compare(a, 4, b, 4, false);

    (void)state;
    assert_int_equal(row.outcome, COMPARE_REAL);
    assert_true(fabs(row.ratio - 1.2) < 1e-9 && fabs(row.shift - 1.2) < 0.005);
    assert_true(row.low > 1.1 && row.low < 1.2 && row.high > 1.2 && row.high < 1.3);
    assert_true(row.noise >= 0 && row.noise < 0.02);
    row = compare(a, 4, a, 4, false);
    assert_int_equal(row.outcome, COMPARE_SAME);
    assert_true(row.detectable > 1.02 && row.detectable < 1.12);
}

/* A difference smaller than what halves of a side differ by does not count. */
static void test_own_noise(void **state)
{
    struct compare_run a[RUNS], b[RUNS];

    (void)state;
    for (size_t i = 0; i < RUNS; i++) {
        a[i] = run_of(i % 2 ? 10 : 16); /* two modes */
        b[i] = run_of(i % 2 ? 11 : 17.6);
    }
    assert_int_not_equal(compare(a, RUNS, b, RUNS, false).outcome, COMPARE_REAL);
}

static void test_small_effects(void **state)
{
    struct compare_run a[RUNS], b[RUNS];

    (void)state;
    for (size_t i = 0; i < RUNS; i++) {
        a[i] = (struct compare_run){10 + 0.0001 * (double)i, NAN, NAN, NAN};
        b[i] = (struct compare_run){10.15 + 0.0001 * (double)i, NAN, NAN, NAN};
    }
    /* Certain, and not worth a word: 1.5 %. */
    assert_int_equal(compare(a, RUNS, b, RUNS, false).outcome, COMPARE_SAME);
}

static void test_alone(void **state)
{
    struct compare_run ten = run_of(10), thirteen = run_of(13), thirty = run_of(30);
    struct compare_run vague = {13, 9, 20, 0.5}, unsure = {40, 30, 50, 0.8};
    struct compare_run bare = {10, 10, 10, 0.95}, near = {10.8, 10.8, 10.8, 0.95};

    (void)state;
    assert_int_equal(compare(&ten, 1, &unsure, 1, false).outcome, COMPARE_INCONCLUSIVE);
    assert_int_equal(compare(&unsure, 1, &ten, 1, false).outcome, COMPARE_INCONCLUSIVE);
    /* That no spread was met is no certainty. */
    assert_int_equal(compare(&bare, 1, &near, 1, true).outcome, COMPARE_SAME);
    assert_int_equal(compare(&ten, 1, &thirteen, 1, false).outcome, COMPARE_INCONCLUSIVE);
    assert_int_equal(compare(&ten, 1, &thirty, 1, false).outcome, COMPARE_REAL);
    assert_int_equal(compare(&ten, 1, &thirteen, 1, true).outcome, COMPARE_REAL);
    assert_int_equal(compare(&ten, 1, &vague, 1, true).outcome, COMPARE_SAME);
    assert_true(isnan(compare(&ten, 1, &thirteen, 1, false).noise));
    assert_non_null(compare(&ten, 1, &thirteen, 1, false).why);
}

/* One run against many borrows their spread. */
static void test_lopsided(void **state)
{
    struct compare_run many[RUNS], one = run_of(14), near = run_of(10.2);

    (void)state;
    for (size_t i = 0; i < RUNS; i++)
        many[i] = run_of(10 + 0.02 * (double)i);
    assert_int_equal(compare(many, RUNS, &one, 1, false).outcome, COMPARE_REAL);
    assert_int_equal(compare(&one, 1, many, RUNS, false).outcome, COMPARE_REAL);
    assert_int_equal(compare(many, RUNS, &near, 1, false).outcome, COMPARE_SAME);
}

static void test_absent(void **state)
{
    struct compare_run ten = run_of(10), zero = {0, NAN, NAN, NAN},
                       minus = {-1, NAN, NAN, NAN};

    (void)state;
    assert_int_equal(compare(&ten, 1, NULL, 0, false).outcome, COMPARE_ONLY_A);
    assert_int_equal(compare(NULL, 0, &ten, 1, false).outcome, COMPARE_ONLY_B);
    assert_int_equal(compare(NULL, 0, NULL, 0, false).outcome, COMPARE_NEITHER);
    assert_int_equal(compare(&zero, 1, &zero, 1, false).outcome, COMPARE_SAME);
    assert_int_equal(compare(&zero, 1, &minus, 1, false).outcome, COMPARE_INCONCLUSIVE);
}

/* --- calibration --- */

/* A finding as runs give it: a spread of its own between runs, now and then a run that
 * was disturbed, and an interval that tells only of the run. */
static struct compare_run draw(struct random_source *random, double truth, double spread,
                               double disturbed)
{
    double value = truth * exp(spread * sonde_base_random_normal(random));

    if (sonde_base_random_unit(random) < disturbed)
        value *= 1 + sonde_base_random_unit(random);
    return (struct compare_run){value, value * (1 - spread / 2), value * (1 + spread / 2),
                                0.9};
}

/* Differences that count between two sides of `runs` runs; `planted` moves finding 0. */
static size_t count_real(size_t runs, double planted, double disturbed, uint64_t seed,
                         bool *found)
{
    struct random_source random;
    struct comparison rows[FINDINGS];
    struct compare_run a[RUNS], b[RUNS];
    size_t real = 0;

    sonde_base_random_seed(&random, seed);
    for (size_t f = 0; f < FINDINGS; f++) {
        struct compare_side left = {a, runs}, right = {b, runs};
        double spread = 0.002 + 0.03 * (double)f / FINDINGS;

        for (size_t i = 0; i < runs; i++) {
            a[i] = draw(&random, 10, spread, disturbed);
            b[i] = draw(&random, f == 0 ? 10 * planted : 10, spread, disturbed);
        }
        assert_int_equal(sonde_infer_compare(&left, &right, false, seed + f, &rows[f]),
                         0);
    }
    sonde_infer_compare_settle(rows, FINDINGS);
    for (size_t f = 0; f < FINDINGS; f++)
        real += rows[f].outcome == COMPARE_REAL;
    *found = rows[0].outcome == COMPARE_REAL;
    return real;
}

/* Twenty pairs of a machine with itself, of few runs and of many. */
static void test_false_alarms(void **state)
{
    static const size_t sizes[] = {1, 2, 4, 10};
    bool found;

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        size_t alarms = 0;

        for (uint64_t pair = 0; pair < 20; pair++)
            alarms += count_real(sizes[s], 1, 0.05, 1000 * s + pair, &found) > 0;
        if (alarms > 1)
            fail_msg("%zu false alarms of 20 with %zu runs", alarms, sizes[s]);
    }
}

/* Ten percent are found by five runs a side; where one run of twenty is disturbed, by ten
 * in most cases. */
static void test_planted(void **state)
{
    size_t calm = 0, disturbed = 0;
    bool found;

    (void)state;
    for (uint64_t pair = 0; pair < 10; pair++) {
        count_real(5, 1.1, 0, 77 + pair, &found);
        calm += found;
        count_real(RUNS, 1.1, 0.05, 77 + pair, &found);
        disturbed += found;
    }
    assert_int_equal(calm, 10);
    assert_true(disturbed >= 6);
}

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(sonde_infer_better("l2.latency", "ns"), BETTER_LOWER);
    assert_int_equal(sonde_infer_better("l2.size", "bytes"), BETTER_HIGHER);
    assert_int_equal(sonde_infer_better("line.size", "bytes"), BETTER_NEITHER);
    assert_int_equal(sonde_infer_better("arith.add.throughput", "per cycle"),
                     BETTER_HIGHER);
    assert_int_equal(sonde_infer_better("clock.lost_share", "ratio"), BETTER_NEITHER);
    assert_true(sonde_infer_circumstance("traps.first_round"));
    assert_false(sonde_infer_circumstance("clock.core_hz"));
    assert_true(sonde_infer_structure("l1d.ways", "count"));
    assert_false(sonde_infer_structure("llc.effective", "bytes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_student),       cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_by_hand),       cmocka_unit_test(test_own_noise),
        cmocka_unit_test(test_small_effects), cmocka_unit_test(test_alone),
        cmocka_unit_test(test_lopsided),      cmocka_unit_test(test_absent),
        cmocka_unit_test(test_false_alarms),  cmocka_unit_test(test_planted),
        cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
