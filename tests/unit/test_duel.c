/* Duels on a planted machine: how often two kernels that are the same, or 3 % apart, are
 * called different, with all that a busy machine does to short batches. */
#include "support.h"

#include "base/random.h"
#include "bench/bench.h"
#include "bench/duel.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { SET = 31, CALLS = 1000 };

/* A machine on which kernels take what they are planted to, and more. */
struct planted {
    struct random_source random;
    double now_s;
    double call_ns[2];
    double jitter;      /* of a batch, one sigma */
    double burst_share; /* of batches, which take `burst` times as long */
    double burst;
    double drift;                       /* of the clock, within a second */
    double slow;                        /* factor while the neighbour works */
    double phase_least_s, phase_most_s; /* of the neighbour on the core; 0: none */
    double phase_ends_s;
    bool beside;
    double lost_share;   /* of batches, which lose their CPU */
    uint64_t wrong_side; /* 1 or 2: that kernel is wrong */
    unsigned warmed;     /* batches of one call */
};

static void pass_time(struct planted *planted, double ns)
{
    planted->now_s += 1e-9 * ns;
    while (planted->phase_most_s > 0 && planted->now_s > planted->phase_ends_s) {
        double ratio = planted->phase_most_s / planted->phase_least_s;

        planted->beside = !planted->beside;
        planted->phase_ends_s +=
            planted->phase_least_s * pow(ratio, sonde_base_random_unit(&planted->random));
    }
}

static int planted_sample(void *self, const struct point *point,
                          struct placement *placement, uint64_t steps,
                          struct reading *reading)
{
    struct planted *planted = self;
    double ns = planted->call_ns[point->argument] * (double)steps;

    (void)placement;
    ns *= 1 + planted->drift * sin(6.28 * planted->now_s);
    ns *= 1 + planted->jitter * fabs(sonde_base_random_normal(&planted->random));
    ns *= planted->beside ? planted->slow : 1;
    if (sonde_base_random_unit(&planted->random) < planted->burst_share)
        ns *= planted->burst;
    pass_time(planted, ns + 30e3); /* the pulses around it */
    planted->warmed += steps == 1;
    *reading = (struct reading){.ns = ns,
                                .correct = planted->wrong_side != point->argument + 1,
                                .switched = sonde_base_random_unit(&planted->random) <
                                            planted->lost_share};
    return 0;
}

static const struct meter_ops planted_ops = {.name = "planted", .sample = planted_sample};

static struct planted busy_machine(double ratio, uint64_t seed)
{
    struct planted planted = {.call_ns = {50 * ratio, 50},
                              .jitter = 0.01,
                              .burst_share = 0.1,
                              .burst = 1.3,
                              .drift = 0.02,
                              .slow = 1.6,
                              .phase_least_s = 0.1,
                              .phase_most_s = 2,
                              .lost_share = 0.05};

    sonde_base_random_seed(&planted.random, seed);
    return planted;
}

static int fight(struct planted *planted, bool base_begins, struct bench_duel *duel,
                 unsigned *wrong)
{
    struct meter meter = {&planted_ops, planted};
    struct point points[2] = {{.argument = 0, .count = CALLS},
                              {.argument = 1, .count = CALLS}};
    struct duel_side sides[2] = {{.point = &points[0], .warm_steps = 1},
                                 {.point = &points[1], .warm_steps = 1}};

    return sonde_bench_duel(&meter, sides, DUEL_TURNS_MOST, base_begins, duel, wrong);
}

/* Sets of duels until it is decided, as the passes go; some time passes between them. */
static enum bench_verdict compare_planted(double ratio, uint64_t seed)
{
    struct planted planted = busy_machine(ratio, seed);
    struct bench_duel duels[BENCH_SETS_MOST * SET];
    struct bench_comparison comparison = {BENCH_INCONCLUSIVE, 0, NAN, NAN, NAN};
    size_t count = 0;

    while (count < BENCH_SETS_MOST * SET && comparison.verdict == BENCH_INCONCLUSIVE) {
        for (size_t end = count + SET; count < end; count++) {
            unsigned wrong;

            assert_int_equal(fight(&planted, count % 2, &duels[count], &wrong), 0);
            pass_time(&planted, 5e6);
        }
        comparison = sonde_bench_compare(duels, count, 0);
    }
    return comparison.verdict;
}

static void kernels_apart_are_told_from_the_same(void **state)
{
    unsigned same = 0, slower = 0, faster = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        enum bench_verdict verdict = compare_planted(1, seed);

        same += verdict == BENCH_FASTER || verdict == BENCH_SLOWER;
        slower += compare_planted(1.03, seed) == BENCH_SLOWER;
        faster += compare_planted(1 / 1.03, seed) == BENCH_FASTER;
    }
    print_message("of 100: same %u, slower %u, faster %u\n", same, slower, faster);
    assert_true(same <= 2);
    assert_true(slower >= 98);
    assert_true(faster >= 98);
}

static void a_duel_tells_what_a_call_takes(void **state)
{
    struct planted quiet = {.call_ns = {75, 50}};
    struct bench_duel duel;
    unsigned wrong;

    (void)state;
    sonde_base_random_seed(&quiet.random, 1);
    assert_int_equal(fight(&quiet, false, &duel, &wrong), 0);
    assert_true(fabs(duel.point_ns - 75) < 1e-9 && fabs(duel.base_ns - 50) < 1e-9);
    /* A, B B, A A, ..., A: one call ahead of each change of side. */
    assert_int_equal(quiet.warmed, DUEL_TURNS_MOST + 1);
    quiet.wrong_side = 2;
    assert_int_equal(fight(&quiet, false, &duel, &wrong), -EBADMSG);
    assert_int_equal(wrong, 1);
    quiet.wrong_side = 0;
    quiet.lost_share = 1.1;
    assert_int_equal(fight(&quiet, false, &duel, &wrong), -EAGAIN);
}

static void a_duel_is_short(void **state)
{
    (void)state;
    assert_int_equal(sonde_bench_duel_turns(40e3, 40e3), DUEL_TURNS_MOST);
    assert_int_equal(sonde_bench_duel_turns(500e3, 500e3), 4);
    assert_int_equal(sonde_bench_duel_turns(1e9, 1e9), 1);
    assert_int_equal(sonde_bench_duel_turns(NAN, 1), 1);
}

static void a_fence_is_taken_off(void **state)
{
    struct bench_duel duels[SET];
    struct bench_comparison comparison;

    (void)state;
    for (size_t i = 0; i < SET; i++)
        duels[i] = (struct bench_duel){130 + 0.01 * (double)i, 110 + 0.01 * (double)i};
    comparison = sonde_bench_compare(duels, SET, 100);
    assert_int_equal(comparison.verdict, BENCH_SLOWER);
    assert_true(comparison.ratio > 2.9 && comparison.ratio < 3.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_apart_are_told_from_the_same),
        cmocka_unit_test(a_duel_tells_what_a_call_takes),
        cmocka_unit_test(a_duel_is_short),
        cmocka_unit_test(a_fence_is_taken_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
