/* Cliffs and mountains that were planted come back: sizes, line, ridge, beside noise; a
 * plain and a first row that is too low are told apart from mountains. */
#include "support.h"

#include "base/random.h"
#include "infer/mountain.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- cliffs --- */

enum { SIZES = 14 };

struct drop {
    double after; /* bytes */
    double factor;
};

static size_t plant_cliffs(const struct drop *drops, size_t count, double noise,
                           uint64_t seed, struct cliff *cliffs)
{
    double sizes[SIZES], rates[SIZES];
    struct random_source random;

    sonde_base_random_seed(&random, seed);
    for (size_t i = 0; i < SIZES; i++) {
        sizes[i] = 16384 * exp2((double)i);
        rates[i] = 50e9 * (1 - noise * fabs(sonde_base_random_normal(&random)));
        for (size_t d = 0; d < count; d++)
            if (sizes[i] > drops[d].after)
                rates[i] *= drops[d].factor;
    }
    return sonde_infer_cliffs(sizes, rates, SIZES, cliffs);
}

static void test_cliffs_come_back(void **state)
{
    static const struct drop drops[] = {{32768, 0.5}, {524288, 0.4}, {4 << 20, 0.5}};
    struct cliff cliffs[CLIFFS_MAX];

    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++)
        for (size_t count = 0; count <= 3; count++) {
            assert_int_equal(plant_cliffs(drops, count, 0.02, seed, cliffs), count);
            for (size_t i = 0; i < count; i++) {
                assert_true(cliffs[i].low == drops[i].after);
                assert_true(cliffs[i].high == 2 * drops[i].after);
                assert_true(cliffs[i].at > cliffs[i].low &&
                            cliffs[i].at < cliffs[i].high);
                assert_true(cliffs[i].after < 0.8 * cliffs[i].before);
            }
        }
}

/* Two levels an octave apart share a fall; with a flatter step between they do not. */
static void test_falls_are_parted(void **state)
{
    static const double sizes[] = {1, 2, 4, 8, 16, 32};
    static const double parted[] = {100, 100, 50, 47, 20, 20};
    static const double shared[] = {100, 100, 50, 25, 25, 25};
    struct cliff cliffs[CLIFFS_MAX];

    (void)state;
    assert_int_equal(sonde_infer_cliffs(sizes, parted, 6, cliffs), 2);
    assert_true(cliffs[0].low == 2 && cliffs[1].low == 8);
    assert_int_equal(sonde_infer_cliffs(sizes, shared, 6, cliffs), 1);
    assert_true(cliffs[0].low == 2 && cliffs[0].at > 3.9 && cliffs[0].at < 4.1);
}

static void test_what_recovers_is_no_cliff(void **state)
{
    static const double sizes[] = {1, 2, 4, 8, 16, 32};
    static const double dip[] = {100, 30, 100, 99, 60, 98};
    static const double low_start[] = {60, 100, 100, 100, 100, 100};
    struct cliff cliffs[CLIFFS_MAX];

    (void)state;
    assert_int_equal(sonde_infer_cliffs(sizes, dip, 6, cliffs), 0);
    assert_int_equal(sonde_infer_cliffs(sizes, low_start, 6, cliffs), 0);
    assert_int_equal(sonde_infer_cliffs(sizes, dip, 1, cliffs), 0);
    assert_int_equal(sonde_infer_cliffs(sizes, dip, 0, cliffs), 0);
}

/* --- mountains --- */

struct planted {
    double line, noise;
    double strides;   /* in words */
    double first_row; /* factor on the smallest size */
    double cycles;    /* words a cycle at the top; 0: no clock */
    bool plain;       /* nothing falls */
};

/* A load takes its issue or its share of the line, whichever is more. */
static double rate_of(const struct planted *planted, double size, double stride)
{
    static const double ends[] = {32768, 524288, 4 << 20};
    static const double line_ns[] = {0.01, 0.9, 2.5, 7};
    size_t level = 0;
    double cost;

    while (level < 3 && size > ends[level])
        level++;
    cost = fmax(0.12, line_ns[level] * fmin(1, stride / planted->line));
    return 8e9 / (planted->plain ? 0.12 : cost);
}

static void plant(struct series_list *list, const struct planted *planted, uint64_t seed)
{
    struct series *series = sonde_measure_series_add(list, "mountain");
    struct random_source random;

    sonde_base_random_seed(&random, seed);
    for (double size = 16384; size <= 128 << 20; size *= 2)
        for (double words = 1; words <= planted->strides; words++) {
            struct series_point *point = sonde_measure_point_add(series);
            double rate = rate_of(planted, size, 8 * words);

            rate *= 1 - planted->noise * fabs(sonde_base_random_normal(&random));
            rate *= size == 16384 ? planted->first_row : 1;
            point->at[0] = size;
            point->at[1] = 8 * words;
            point->n = 21;
            point->best = rate;
            if (planted->cycles > 0)
                point->cycles = planted->cycles * rate / (8e9 / 0.12) * 8;
        }
}

static void infer(const struct planted *planted, uint64_t seed, double ports,
                  struct findings *findings)
{
    struct series_list list = {0};
    struct series *loads = NULL;

    *findings = (struct findings){0};
    plant(&list, planted, seed);
    if (ports > 0) {
        struct series_point *point;

        loads = sonde_measure_series_add(&list, "loads");
        point = sonde_measure_point_add(loads);
        point->n = 21;
        point->best = 9e9;
        point->cycles = ports;
    }
    assert_int_equal(sonde_infer_mountain(&list.rows[0], loads, findings), 0);
    sonde_measure_series_list_free(&list);
}

static const struct finding *get(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    assert_non_null(finding);
    return finding;
}

static const struct control *control(const struct findings *findings, const char *what)
{
    for (size_t i = 0; i < findings->control_count; i++)
        if (strstr(findings->controls[i].what, what))
            return &findings->controls[i];
    fail_msg("no control about %s", what);
    return NULL;
}

static void test_mountain_comes_back(void **state)
{
    struct findings findings;

    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct planted planted = {64, 0.02, 15, 1, 2.8, false};

        infer(&planted, seed, 3, &findings);
        assert_true(get(&findings, "mountain.line")->value == 64);
        assert_true(fabs(get(&findings, "mountain.peak")->value - 66.7e9) < 2e9);
        assert_true(fabs(get(&findings, "mountain.bottom")->value - 8e9 / 7) < 0.1e9);
        assert_true(fabs(get(&findings, "mountain.ridge")->value - 13.7) < 1);
        assert_true(fabs(get(&findings, "mountain.words_per_cycle")->value - 2.8) < 0.1);
        assert_true(get(&findings, "mountain.load_ports")->value == 3);
        assert_true(get(&findings, "mountain.cliffs.8")->value == 2);
        assert_string_equal(get(&findings, "mountain.cliffs.64")->text,
                            "32 KiB–64 KiB, 512 KiB–1 MiB, 4 MiB–8 MiB");
        for (size_t i = 0; i < findings.control_count; i++)
            assert_true(findings.controls[i].ok);
        sonde_infer_findings_free(&findings);
    }
}

/* A line beyond half of the strides cannot be told, and is not. */
static void test_lines(void **state)
{
    static const struct {
        double line, strides, found;
    } cases[] = {{32, 15, 32}, {64, 32, 64}, {128, 32, 128}, {128, 15, NAN}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct planted planted = {cases[i].line, 0.02, cases[i].strides, 1, 0, false};
            struct findings findings;
            double value;

            infer(&planted, seed, 0, &findings);
            value = get(&findings, "mountain.line")->value;
            assert_true(isnan(cases[i].found) ? isnan(value) : value == cases[i].found);
            assert_true(isnan(get(&findings, "mountain.words_per_cycle")->value));
            sonde_infer_findings_free(&findings);
        }
}

static void test_a_low_first_row_is_flagged(void **state)
{
    struct planted planted = {64, 0.01, 15, 0.8, 0, false};
    struct findings findings;

    (void)state;
    infer(&planted, 1, 0, &findings);
    assert_false(control(&findings, "smallest size")->ok);
    assert_true(control(&findings, "cliffs")->ok);
    sonde_infer_findings_free(&findings);
}

static void test_a_plain_is_flagged(void **state)
{
    struct planted planted = {64, 0.02, 15, 1, 0, true};
    struct findings findings;

    (void)state;
    infer(&planted, 1, 0, &findings);
    assert_false(control(&findings, "cliffs")->ok);
    assert_non_null(strstr(control(&findings, "cliffs")->observed, "plain"));
    assert_string_equal(get(&findings, "mountain.cliffs.8")->text, "none");
    assert_true(isnan(get(&findings, "mountain.line")->value));
    sonde_infer_findings_free(&findings);
}

static void test_what_limits_the_top_is_said(void **state)
{
    struct planted planted = {64, 0.01, 15, 1, 2, false};
    struct findings findings;

    (void)state;
    infer(&planted, 1, 3, &findings);
    assert_non_null(
        strstr(get(&findings, "mountain.words_per_cycle")->reason, "limited by"));
    sonde_infer_findings_free(&findings);
    /* More words than loads: one of both is wrong. */
    planted.cycles = 4;
    infer(&planted, 1, 3, &findings);
    assert_false(control(&findings, "no more words")->ok);
    sonde_infer_findings_free(&findings);
}

/* A point whose samples were all taken beside a neighbour is not the peak; of a mountain
 * that holds no others there is none. */
static void test_a_shared_point_is_no_peak(void **state)
{
    struct planted planted = {64, 0.01, 15, 1, 2, false};
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    plant(&list, &planted, 1);
    list.rows[0].points[3].best *= 1.5;
    list.rows[0].points[3].cycles *= 1.5;
    list.rows[0].points[3].flags |= POINT_SHARED;
    assert_int_equal(sonde_infer_mountain(&list.rows[0], NULL, &findings), 0);
    assert_true(fabs(get(&findings, "mountain.peak")->value / (8e9 / 0.12) - 1) < 0.03);
    assert_true(fabs(get(&findings, "mountain.words_per_cycle")->value / 2 - 1) < 0.03);
    sonde_infer_findings_free(&findings);
    for (size_t i = 0; i < list.rows[0].count; i++)
        list.rows[0].points[i].flags |= POINT_SHARED;
    findings = (struct findings){0};
    assert_int_equal(sonde_infer_mountain(&list.rows[0], NULL, &findings), 0);
    assert_non_null(strstr(get(&findings, "mountain.peak")->reason, "core shared"));
    assert_non_null(
        strstr(get(&findings, "mountain.words_per_cycle")->reason, "core shared"));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

static void test_holes_and_nothing(void **state)
{
    struct planted planted = {64, 0.01, 15, 1, 0, false};
    struct series_list list = {0};
    struct findings findings = {0};
    struct series *series;

    (void)state;
    plant(&list, &planted, 1);
    series = &list.rows[0];
    for (size_t i = 0; i < series->count; i += 7)
        series->points[i].flags |= POINT_WRONG;
    series->points[1].best = -1;
    series->points[2].best = NAN;
    assert_int_equal(sonde_infer_mountain(series, NULL, &findings), 0);
    assert_true(get(&findings, "mountain.line")->value == 64);
    sonde_infer_findings_free(&findings);
    findings = (struct findings){0};
    for (size_t i = 0; i < series->count; i++)
        series->points[i].n = 0;
    assert_int_equal(sonde_infer_mountain(series, NULL, &findings), -ENODATA);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cliffs_come_back),
        cmocka_unit_test(test_falls_are_parted),
        cmocka_unit_test(test_what_recovers_is_no_cliff),
        cmocka_unit_test(test_mountain_comes_back),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_a_low_first_row_is_flagged),
        cmocka_unit_test(test_a_plain_is_flagged),
        cmocka_unit_test(test_what_limits_the_top_is_said),
        cmocka_unit_test(test_a_shared_point_is_no_peak),
        cmocka_unit_test(test_holes_and_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
