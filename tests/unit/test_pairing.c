/* Samples of pairs: they show every planted group with a few percent of the pairs. */
#include "support.h"

#include "infer/cores.h"
#include "infer/pairing.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { CPUS = 512, THREADS = 2, CLUSTER = 16 };

/* Core of a CPU whose sibling is half of all CPUs further (or the next one). */
static size_t core_of(size_t cpu, bool halves)
{
    return halves ? cpu % (CPUS / THREADS) : cpu / THREADS;
}

static double way(size_t a, size_t b, bool halves)
{
    size_t one = core_of(a, halves), other = core_of(b, halves);

    if (a == b)
        return NAN;
    if (one == other)
        return 9;
    return one / (CLUSTER / THREADS) == other / (CLUSTER / THREADS) ? 30 : 110;
}

/* A spanning forest: members of a group hang together by pairs that are near. */
static size_t count_groups(const struct pairing *pairing, double near_ns, bool halves)
{
    size_t *group = calloc(CPUS, sizeof *group), groups = 0;
    bool changed = true;

    assert_non_null(group);
    for (size_t i = 0; i < CPUS; i++)
        group[i] = i;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < pairing->count + CPUS; i++) {
            /* The row of the first is known as well. */
            size_t a = i < CPUS ? 0 : pairing->pairs[i - CPUS].a;
            size_t b = i < CPUS ? i : pairing->pairs[i - CPUS].b;
            size_t least = group[a] < group[b] ? group[a] : group[b];

            if (a == b || way(a, b, halves) > near_ns || group[a] == group[b])
                continue;
            group[a] = group[b] = least;
            changed = true;
        }
    }
    for (size_t i = 0; i < CPUS; i++)
        groups += group[i] == i;
    free(group);
    return groups;
}

static void a_sample_shows_all_groups(void **state)
{
    double *row = calloc(CPUS, sizeof *row);

    (void)state;
    assert_non_null(row);
    for (int halves = 0; halves < 2; halves++) {
        struct pairing pairing = {0};

        for (size_t i = 0; i < CPUS; i++)
            row[i] = way(0, i, halves);
        assert_int_equal(sonde_infer_pairing_by_group(row, CPUS, &pairing), 0);
        assert_true(pairing.count < CPUS * (CPUS - 1) / 2 / 50);
        assert_int_equal(count_groups(&pairing, 10, halves), CPUS / THREADS);
        assert_int_equal(count_groups(&pairing, 40, halves), CPUS / CLUSTER);
        for (size_t i = 0; i < pairing.count; i++) {
            assert_true(pairing.pairs[i].a > 0); /* its row is there already */
            assert_true(pairing.pairs[i].a < pairing.pairs[i].b);
            assert_true(pairing.pairs[i].b < CPUS);
            assert_true(i == 0 || pairing.pairs[i - 1].a < pairing.pairs[i].a ||
                        pairing.pairs[i - 1].b < pairing.pairs[i].b);
        }
        sonde_infer_pairing_free(&pairing);
    }
    free(row);
}

/* All alike, or nothing known: an even spread, no groups made up. */
static void without_groups_it_spreads(void **state)
{
    double *row = calloc(CPUS, sizeof *row);

    (void)state;
    assert_non_null(row);
    for (int known = 0; known < 2; known++) {
        struct pairing pairing = {0};
        size_t most = PAIRING_LEADERS_MOST;

        for (size_t i = 0; i < CPUS; i++)
            row[i] = known ? 50 : NAN;
        assert_int_equal(sonde_infer_pairing_by_group(row, CPUS, &pairing), 0);
        assert_int_equal(pairing.count, (most - 1) * (most - 2) / 2);
        assert_int_equal(pairing.pairs[pairing.count - 1].b, CPUS - 1);
        sonde_infer_pairing_free(&pairing);
    }
    free(row);
}

static bool has(const struct pairing *pairing, size_t a, size_t b)
{
    for (size_t i = 0; i < pairing->count; i++)
        if (pairing->pairs[i].a == a && pairing->pairs[i].b == b)
            return true;
    return false;
}

static void tries_cover_near_declared_and_others(void **state)
{
    struct pairing declared = {0}, tries = {0};
    double *row = calloc(CPUS, sizeof *row);

    (void)state;
    assert_non_null(row);
    for (size_t i = 0; i < CPUS; i++)
        row[i] = way(0, i, true);
    for (size_t i = 0; i + 1 < CPUS; i += 2)
        assert_int_equal(sonde_infer_pairing_add(&declared, i + 1, i), 0);
    assert_int_equal(sonde_infer_pairing_to_try(row, CPUS, &declared, &tries), 0);
    assert_true(has(&tries, 0, CPUS / 2)); /* near */
    assert_true(has(&tries, 0, 1));        /* declared */
    assert_true(has(&tries, 0, CPUS - 1)); /* neither */
    assert_true(tries.count <= 16);
    sonde_infer_pairing_free(&declared);
    sonde_infer_pairing_free(&tries);
    /* Two CPUs, nothing known. */
    row[1] = NAN;
    assert_int_equal(sonde_infer_pairing_to_try(row, 2, &declared, &tries), 0);
    assert_int_equal(tries.count, 1);
    sonde_infer_pairing_free(&tries);
    free(row);
}

static void cores_are_read(void **state)
{
    static const unsigned cpus[] = {0, 1, 4, 5, 9};
    enum { COUNT = sizeof cpus / sizeof cpus[0] };
    int core[COUNT];

    (void)state;
    assert_int_equal(sonde_infer_cores("0,4; 1,5", cpus, COUNT, core), 2);
    assert_int_equal(core[0], core[2]);
    assert_int_equal(core[1], core[3]);
    assert_int_not_equal(core[0], core[1]);
    assert_int_equal(core[4], CORE_UNKNOWN);
    assert_int_equal(sonde_infer_cores("0-5", cpus, COUNT, core), 6);
    assert_int_equal(sonde_infer_cores("0;1;4;5;9", cpus, COUNT, core), 0);
    assert_int_equal(sonde_infer_cores(NULL, cpus, COUNT, core), -EINVAL);
    assert_int_equal(sonde_infer_cores("0,4; x", cpus, COUNT, core), -EINVAL);
    assert_int_equal(core[0], CORE_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_shows_all_groups),
        cmocka_unit_test(without_groups_it_spreads),
        cmocka_unit_test(tries_cover_near_declared_and_others),
        cmocka_unit_test(cores_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
