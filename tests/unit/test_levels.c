/* Levels of synthetic curves with known capacities, over many seeds. */
#include "curves.h"
#include "support.h"

#include "infer/levels.h"

#include <string.h>

#include <errno.h>

static const struct planted three = {
    .capacity = {48 << 10, 1 << 20, 8 << 20},
    .cost = {4, 14, 55, 400},
    .count = 4,
};

static int infer(const struct synthetic *s, unsigned bootstraps, struct levels *levels)
{
    struct curve curve = {.count = s->count,
                          .size = s->size,
                          .cost = s->cost,
                          .round_cost = s->rounds ? s->round_cost : NULL,
                          .rounds = s->rounds};
    struct levels_options options = sonde_infer_levels_defaults();
    options.bootstraps = bootstraps;
    return sonde_infer_levels(&curve, &options, levels, NULL);
}

/* Every planted capacity within its interval, and no other boundary. */
static bool as_planted(const struct planted *planted, const struct levels *levels)
{
    if (levels->count != planted->count || levels->rising_at_end)
        return false;
    for (size_t i = 0; i + 1 < planted->count; i++) {
        const struct level *level = &levels->level[i];
        if (planted->capacity[i] < level->capacity_low * 0.999 ||
            planted->capacity[i] > level->capacity_high * 1.001)
            return false;
    }
    return true;
}

static unsigned count_right(const struct planted *planted, double per_octave,
                            size_t rounds, unsigned seeds)
{
    unsigned right = 0;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        struct synthetic *s = synthetic_make(planted, per_octave, 64 << 20, rounds, seed);
        struct levels levels;
        assert_int_equal(infer(s, 0, &levels), 0);
        right += as_planted(planted, &levels);
        free(s);
    }
    return right;
}

static void sharp_edges(void **state)
{
    (void)state;
    struct planted planted = three;
    planted.noise = 0.02;
    assert_int_equal(count_right(&planted, 8, 9, 100), 100);
}

static void noise_of_a_fifth(void **state)
{
    (void)state;
    struct planted planted = three;
    planted.noise = 0.2;
    assert_in_range(count_right(&planted, 8, 9, 100), 97, 100);
}

static void edges_that_spill(void **state)
{
    (void)state;
    struct planted planted = three;
    planted.noise = 0.05;
    planted.spill = 0.4;
    assert_in_range(count_right(&planted, 8, 9, 100), 98, 100);
}

/* Random or adaptive replacement: half of the rise comes at twice the capacity. */
static void edges_that_keep_part(void **state)
{
    (void)state;
    struct planted planted = three;
    planted.keeps_part = true;
    planted.noise = 0.02;
    planted.capacity[1] = 512 << 10;
    planted.capacity[2] = 4 << 20;
    unsigned right = 0;
    for (unsigned seed = 1; seed <= 50; seed++) {
        struct synthetic *s = synthetic_make(&planted, 8, 512 << 20, 9, seed);
        struct levels levels;
        assert_int_equal(infer(s, 0, &levels), 0);
        right += as_planted(&planted, &levels);
        free(s);
    }
    assert_in_range(right, 48, 50);
}

static void one_point_an_octave(void **state)
{
    (void)state;
    struct planted planted = {.capacity = {32 << 10, 512 << 10, 4 << 20},
                              .cost = {1.7, 6, 20, 120},
                              .count = 4,
                              .noise = 0.01};
    assert_int_equal(count_right(&planted, 1, 0, 50), 50);
    assert_int_equal(count_right(&planted, 2, 0, 50), 50);
}

static void costs_are_found(void **state)
{
    (void)state;
    struct planted planted = three;
    planted.noise = 0.05;
    struct synthetic *s = synthetic_make(&planted, 8, 64 << 20, 9, 3);
    struct levels levels;
    assert_int_equal(infer(s, 100, &levels), 0);
    assert_true(as_planted(&planted, &levels));
    for (size_t i = 0; i < 4; i++) {
        assert_true(levels.level[i].cost >= planted.cost[i]);
        assert_true(levels.level[i].cost <= 1.05 * planted.cost[i]);
        assert_true(levels.level[i].cost_low <= levels.level[i].cost);
        assert_true(levels.level[i].confidence > 0.9);
        assert_false(levels.level[i].range_only);
    }
    free(s);
}

static void the_same_seed_gives_the_same(void **state)
{
    (void)state;
    struct planted planted = three;
    planted.noise = 0.2;
    struct synthetic *s = synthetic_make(&planted, 8, 64 << 20, 7, 11);
    struct levels one, two;
    assert_int_equal(infer(s, 50, &one), 0);
    assert_int_equal(infer(s, 50, &two), 0);
    for (size_t i = 0; i + 1 < one.count; i++) {
        assert_true(one.level[i].capacity_low == two.level[i].capacity_low);
        assert_true(one.level[i].confidence == two.level[i].confidence);
    }
    free(s);
}

static void a_single_spike_and_a_single_pit(void **state)
{
    (void)state;
    for (size_t at = 1; at + 1 < 100; at++) {
        struct synthetic *s = synthetic_make(&three, 8, 64 << 20, 1, 5);
        struct levels levels;
        s->cost[at] *= 9;
        s->rounds = 0;
        assert_int_equal(infer(s, 0, &levels), 0);
        assert_int_equal(levels.count, 4);
        s->cost[at] /= 27;
        assert_int_equal(infer(s, 0, &levels), 0);
        assert_int_equal(levels.count, 4);
        /* A point at the edge takes the edge along, by one step. */
        for (size_t i = 0; i < 3; i++)
            assert_true(fabs(log2(levels.level[i].capacity / three.capacity[i])) < 0.26);
        free(s);
    }
}

/* A prefetcher that learns the walk: cost falls to a half for an octave. */
static void a_dip_is_told(void **state)
{
    (void)state;
    struct synthetic *s = synthetic_make(&three, 8, 64 << 20, 1, 5);
    struct levels levels;
    s->rounds = 0;
    assert_int_equal(infer(s, 0, &levels), 0);
    assert_true(levels.dip < 1.01);
    for (size_t i = 0; i < s->count; i++) {
        if (s->size[i] > 200 << 10 && s->size[i] < 400 << 10)
            s->cost[i] = 7;
    }
    assert_int_equal(infer(s, 0, &levels), 0);
    assert_true(levels.dip > 1.9);
    free(s);
}

static void a_slow_drift_is_no_level(void **state)
{
    (void)state;
    struct planted planted = {.capacity = {32 << 10}, .cost = {4, 14}, .count = 2};
    struct synthetic *s = synthetic_make(&planted, 8, 64 << 20, 1, 1);
    struct levels levels;
    s->rounds = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->size[i] > 64 << 10)
            s->cost[i] *= 1 + 0.05 * log2(s->size[i] / (64 << 10));
    }
    assert_int_equal(infer(s, 0, &levels), 0);
    assert_int_equal(levels.count, 2);
    free(s);
}

static void all_equal_is_one_level(void **state)
{
    (void)state;
    struct planted flat = {.cost = {4}, .count = 1};
    for (double per_octave = 1; per_octave <= 8; per_octave *= 2) {
        struct synthetic *s = synthetic_make(&flat, per_octave, 4 << 20, 0, 1);
        struct levels levels;
        assert_int_equal(infer(s, 0, &levels), 0);
        assert_int_equal(levels.count, 1);
        assert_false(levels.rising_at_end);
        assert_true(isnan(levels.level[0].capacity));
        free(s);
    }
}

static void an_end_that_rises(void **state)
{
    (void)state;
    struct planted planted = {
        .capacity = {32 << 10, 4 << 20}, .cost = {4, 14, 200}, .count = 3, .spill = 1.5};
    for (double per_octave = 1; per_octave <= 8; per_octave *= 8) {
        struct synthetic *s = synthetic_make(&planted, per_octave, 6 << 20, 0, 1);
        struct levels levels;
        assert_int_equal(infer(s, 0, &levels), 0);
        assert_true(levels.rising_at_end);
        assert_true(levels.count >= 2);
        assert_true(isnan(levels.level[levels.count - 1].cost));
        free(s);
    }
}

static void refused(void **state)
{
    (void)state;
    double size[8] = {1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072};
    double cost[8] = {1, 1, 1, 1, 1, 2, 2, 2};
    struct curve curve = {.count = 8, .size = size, .cost = cost};
    struct levels_options options = sonde_infer_levels_defaults();
    struct levels levels;
    struct message why;
    assert_int_equal(sonde_infer_levels(&curve, &options, &levels, &why), 0);
    curve.count = 5;
    assert_int_equal(sonde_infer_levels(&curve, &options, &levels, &why), -ENODATA);
    curve.count = 0;
    assert_int_equal(sonde_infer_levels(&curve, &options, &levels, NULL), -ENODATA);
    curve.count = 8;
    size[3] = 4096;
    assert_int_equal(sonde_infer_levels(&curve, &options, &levels, &why), -EINVAL);
    assert_non_null(strstr(why.text, "ascending"));
    size[3] = 8192;
    const double bad[] = {0, -1, NAN, INFINITY};
    for (size_t i = 0; i < 4; i++) {
        cost[2] = bad[i];
        assert_int_equal(sonde_infer_levels(&curve, &options, &levels, &why), -EINVAL);
    }
}

static void dense_curves_are_thinned(void **state)
{
    (void)state;
    struct synthetic *s = synthetic_make(&three, 24, 64 << 20, 1, 1);
    struct levels levels;
    s->rounds = 0;
    assert_int_equal(infer(s, 0, &levels), 0);
    assert_true(as_planted(&three, &levels));
    assert_int_equal(levels.level[3].last, s->count - 1);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sharp_edges),
        cmocka_unit_test(noise_of_a_fifth),
        cmocka_unit_test(edges_that_spill),
        cmocka_unit_test(edges_that_keep_part),
        cmocka_unit_test(one_point_an_octave),
        cmocka_unit_test(costs_are_found),
        cmocka_unit_test(the_same_seed_gives_the_same),
        cmocka_unit_test(a_single_spike_and_a_single_pit),
        cmocka_unit_test(a_dip_is_told),
        cmocka_unit_test(a_slow_drift_is_no_level),
        cmocka_unit_test(all_equal_is_one_level),
        cmocka_unit_test(an_end_that_rises),
        cmocka_unit_test(refused),
        cmocka_unit_test(dense_curves_are_thinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
