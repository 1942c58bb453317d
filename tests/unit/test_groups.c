/* Votes of planted groups: the ways come back or nothing does, however the tries fall;
 * and the sets that ways and size allow. */
#include "support.h"

#include "base/random.h"
#include "infer/groups.h"

#include <math.h>
#include <stdlib.h>

enum { TRIES = 10, LINE = 64 };

static void add(struct series *series, double try, double count, double value)
{
    struct series_point *point = sonde_measure_point_add(series);

    point->at[0] = try;
    point->at[1] = count;
    point->n = 1;
    point->best = value;
}

static void infer_and_free(struct series_list *list, struct findings *findings)
{
    *findings = (struct findings){0};
    assert_int_equal(
        sonde_infer_groups(sonde_measure_series_find(list, "groups"), "l2", findings), 0);
    sonde_measure_series_list_free(list);
}

/* Each count is right with probability `right`, otherwise off by one or two. */
static void infer(double ways, double right, uint64_t seed, struct findings *findings)
{
    struct series_list list = {0};
    struct random_source random;
    struct series *series = sonde_measure_series_add(&list, "groups");

    series->axis_count = 2;
    sonde_base_random_seed(&random, seed);
    for (int try = 0; try < TRIES; try++)
        for (int count = 0; count < 2; count++) {
            double off = (double)sonde_base_random_below(&random, 4) - 2;

            if (sonde_base_random_unit(&random) < right)
                off = 0;
            else if (off >= 0)
                off++;
            add(series, try, count, ways + off);
        }
    infer_and_free(&list, findings);
}

/* So many tries said each number, both times. */
static void infer_votes(const unsigned (*votes)[2], size_t count,
                        struct findings *findings)
{
    struct series_list list = {0};
    struct series *series = sonde_measure_series_add(&list, "groups");
    double try = 0;

    series->axis_count = 2;
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < votes[i][1]; k++, try++) {
            add(series, try, 0, votes[i][0]);
            if (votes[i][0])
                add(series, try, 1, votes[i][0]);
        }
    infer_and_free(&list, findings);
}

static double value(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    if (!finding)
        fail_msg("%s is not there", name);
    return finding->value;
}

static void test_ways_come_back(void **state)
{
    static const double ways[] = {2, 4, 8, 10, 16, 20, 24};

    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct findings findings;

        infer(ways[i], 1, 1, &findings);
        assert_true(value(&findings, "l2.ways") == ways[i]);
        sonde_infer_findings_free(&findings);
    }
}

/* The truth or nothing: of a thousand noisy searches none says another number. */
static void test_the_truth_or_nothing(void **state)
{
    unsigned told = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        double right = (double)(seed % 10) / 10;
        struct findings findings;

        infer(8, right, seed, &findings);
        double ways = value(&findings, "l2.ways");
        assert_true(isnan(ways) || ways == 8);
        if (isnan(ways))
            assert_non_null(sonde_infer_finding_get(&findings, "l2.ways")->reason);
        told += ways == 8;
        sonde_infer_findings_free(&findings);
    }
    assert_in_range(told, 200, 800);
}

static void test_votes(void **state)
{
    static const struct {
        unsigned votes[3][2]; /* number said, tries */
        double ways;
    } rows[] = {
        {{{8, 5}, {0, 20}}, 8},             /* tries that found nothing are no votes */
        {{{8, 4}, {0, 1}}, NAN},            /* too few */
        {{{8, 6}, {7, 3}}, 8},              /* less is what a neighbour leaves */
        {{{8, 6}, {7, 4}}, NAN},            /* but not so often */
        {{{7, 6}, {8, 3}}, NAN},            /* more is no neighbour's doing */
        {{{16, 10}, {17, 1}, {15, 2}}, 16}, /* a single one may be */
        {{{0, 10}}, NAN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct findings findings;
        double ways;

        infer_votes(rows[i].votes, 3, &findings);
        ways = value(&findings, "l2.ways");
        assert_true(isnan(rows[i].ways) ? isnan(ways) : ways == rows[i].ways);
        sonde_infer_findings_free(&findings);
    }
}

static void test_sets(void **state)
{
    static const struct {
        double low, high, ways, sets;
    } rows[] = {
        {450e3, 600e3, 8, 1024},  {900e3, 1200e3, 16, 1024},
        {1.2e6, 1.4e6, 10, 2048}, {300e3, 1200e3, 8, NAN}, /* two powers */
        {600e3, 900e3, 8, NAN},                            /* none */
        {450e3, 600e3, NAN, NAN}, {NAN, NAN, 8, NAN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct findings findings = {0};
        struct finding ways = {.value = rows[i].ways, .confidence = 0.9};
        double middle = (rows[i].low + rows[i].high) / 2, sets;

        assert_non_null(sonde_infer_find(&findings, "l2.size", "bytes", middle,
                                         rows[i].low, rows[i].high, 0.9, "planted"));
        assert_int_equal(sonde_infer_sets("l2", &ways, NAN, LINE, &findings), 0);
        sets = value(&findings, "l2.sets");
        assert_true(isnan(rows[i].sets) ? isnan(sets) : sets == rows[i].sets);
        sonde_infer_findings_free(&findings);
    }
}

/* Five tries that counted 8 and looked for partners among lines at random, and a sixth
 * that counted 7 and whose partners are not to be counted. */
static double sets_found(double sets, uint64_t seed)
{
    enum { FOUND = 50, TRIED = 72000 };
    struct series_list list = {0};
    struct series *groups, *partners;
    struct random_source random;
    double result;

    assert_non_null(sonde_measure_series_add(&list, "groups"));
    partners = sonde_measure_series_add(&list, "partners");
    groups = &list.rows[0]; /* they may have moved */
    sonde_base_random_seed(&random, seed);
    for (int try = 0; try < 6; try++) {
        double tried = 0, found = 0;

        for (; tried < TRIED && found < FOUND; tried++)
            found += try == 5 || sonde_base_random_unit(&random) < 1 / sets;
        add(groups, try, 0, try == 5 ? 7 : 8);
        add(groups, try, 1, try == 5 ? 7 : 8);
        add(partners, try, 0, tried);
        add(partners, try, 1, found);
    }
    result = sonde_infer_partner_sets(groups, partners, 8);
    sonde_measure_series_list_free(&list);
    return result;
}

static void test_partners_tell_the_sets(void **state)
{
    enum { SEEDS = 60 };

    (void)state;
    for (double sets = 64; sets <= 16384; sets *= 2) {
        int right = 0;

        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            double found = sets_found(sets, seed);

            assert_true(isnan(found) || found == sets);
            right += found == sets;
        }
        /* Of so many sets too few lines are partners. */
        assert_true(sets > 8192 ? right == 0 : sets > 2048 || right > SEEDS * 9 / 10);
    }
}

/* Beside a neighbour the ladder sees a part of the level; more than there is, it does
 * not. */
static void test_sets_that_were_counted(void **state)
{
    static const struct {
        double low, high, size;
    } rows[] = {{280e3, 340e3, 512 << 10},
                {200e3, 1200e3, 512 << 10},
                {540e3, 700e3, 512 << 10},
                {600e3, 700e3, 650e3}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct finding ways = {.value = 8, .confidence = 0.9};
        struct findings findings = {0};

        assert_non_null(sonde_infer_find(&findings, "l2.size", "bytes", 650e3,
                                         rows[i].low, rows[i].high, 0.9, "planted"));
        assert_int_equal(sonde_infer_sets("l2", &ways, 1024, LINE, &findings), 0);
        assert_true(value(&findings, "l2.size") == rows[i].size);
        assert_int_equal(findings.control_count, 1);
        assert_int_equal(findings.controls[0].ok, i < 3);
        sonde_infer_findings_free(&findings);
    }
}

static void test_nothing_found(void **state)
{
    struct series_list list = {0};
    struct series *empty = sonde_measure_series_add(&list, "groups");
    struct findings findings = {0};

    (void)state;
    assert_int_equal(sonde_infer_groups(empty, "l2", &findings), 0);
    assert_true(isnan(value(&findings, "l2.ways")));
    assert_int_equal(sonde_infer_sets("l2", NULL, NAN, LINE, &findings), 0);
    assert_true(isnan(value(&findings, "l2.sets")));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways_come_back),
        cmocka_unit_test(test_the_truth_or_nothing),
        cmocka_unit_test(test_votes),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_partners_tell_the_sets),
        cmocka_unit_test(test_sets_that_were_counted),
        cmocka_unit_test(test_nothing_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
