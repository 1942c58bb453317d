/* Planted costs: what a full set gives up, what a write miss does, and whether a last
 * level includes the others come back, or the reason why they cannot be told. */
#include "support.h"

#include "base/random.h"
#include "infer/bandwidth.h"
#include "infer/conflicts.h"
#include "infer/inclusion.h"
#include "infer/replacement.h"
#include "infer/write_miss.h"

#include <math.h>
#include <string.h>

static void add(struct series *series, double first, double second, double third,
                double value, double spread)
{
    struct series_point *point = sonde_measure_point_add(series);

    memcpy(point->at, (double[]){first, second, third}, sizeof point->at);
    point->n = 21;
    point->best = point->cycles = value;
    point->low = value * (1 - spread);
    point->high = value * (1 + spread);
}

static const struct finding *get(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    if (!finding)
        fail_msg("%s is not there", name);
    return finding;
}

static void assert_text(const struct findings *findings, const char *name,
                        const char *text)
{
    const struct finding *finding = get(findings, name);

    if (!text) {
        assert_null(finding->text);
        assert_non_null(finding->reason);
        assert_int_equal(finding->verdict, VERDICT_NOT_MEASURABLE);
    } else if (!finding->text) {
        fail_msg("%s was given up: %s", name, finding->reason);
    } else {
        assert_string_equal(finding->text, text);
    }
}

/* --- replacement -----------------------------------------------------------------------
 */

/* `policy`: share of misses of n lines in a set of w ways. */
typedef double policy(double ways, double lines);

static double as_lru(double ways, double lines)
{
    return lines > ways;
}

static double by_chance(double ways, double lines)
{
    return sonde_infer_random_misses(ways, lines);
}

/* One bit a line: between the two. */
static double by_bits(double ways, double lines)
{
    return lines <= ways ? 0 : fmin(1, 0.57 + 0.14 * (lines - ways - 1));
}

static void replace(policy *misses, double ways, double second, double noise,
                    uint64_t seed, struct findings *findings)
{
    struct series_list list = {0};
    struct series *series = sonde_measure_series_add(&list, "conflicts");
    struct random_source random;

    sonde_base_random_seed(&random, seed);
    series->axis_count = 2;
    for (double stride = 512; stride <= 65536; stride *= 2)
        for (double lines = 2; lines <= fmax(40, (192 << 10) / stride); lines++) {
            double sets = fmax(1, 4096 / stride), in_set = ceil(lines / sets);
            double cost = 4 + misses(ways, in_set) * (second - 4);

            add(series, stride, lines, 0,
                cost * (1 + noise * fabs(sonde_base_random_normal(&random))), 0.01);
        }
    *findings = (struct findings){0};
    assert_int_equal(sonde_infer_conflicts(series, "l1d", 64, findings), 0);
    assert_int_equal(sonde_infer_replacement(series, findings), 0);
    sonde_measure_series_list_free(&list);
}

static void test_replacement_comes_back(void **state)
{
    static const struct {
        policy *misses;
        double ways;
        const char *text;
    } rows[] = {{as_lru, 8, "as LRU"},
                {as_lru, 12, "as LRU"},
                {as_lru, 4, "as LRU"},
                {by_chance, 8, "random"},
                {by_bits, 8, NULL}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct findings findings;

            replace(rows[i].misses, rows[i].ways, 14, 0.02, seed, &findings);
            assert_true(get(&findings, "l1d.ways")->value == rows[i].ways);
            assert_text(&findings, "ways.replacement", rows[i].text);
            sonde_infer_findings_free(&findings);
        }
}

static void test_replacement_needs_ways_and_contrast(void **state)
{
    struct series_list list = {0};
    struct series *empty = sonde_measure_series_add(&list, "conflicts");
    struct findings findings = {0};

    (void)state;
    assert_int_equal(sonde_infer_replacement(empty, &findings), 0);
    assert_text(&findings, "ways.replacement", NULL);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
    /* Beside noise the truth or nothing. */
    for (uint64_t seed = 1; seed <= 50; seed++) {
        replace(as_lru, 8, 14, 0.3, seed, &findings);
        if (get(&findings, "ways.replacement")->text)
            assert_text(&findings, "ways.replacement", "as LRU");
        sonde_infer_findings_free(&findings);
    }
}

/* --- write misses ----------------------------------------------------------------------
 */

/* GB/s: read, write, past the caches over memory; write and past in a small block. */
static void stream(const double *rates, double spread, struct findings *findings)
{
    static const unsigned operations[] = {STREAM_READ, STREAM_WRITE, STREAM_NT_WRITE,
                                          STREAM_WRITE, STREAM_NT_WRITE};
    struct series_list list = {0};
    struct series *series = sonde_measure_series_add(&list, "traffic");

    series->axis_count = 2;
    for (int i = 0; i < 5; i++)
        if (rates[i] > 0)
            add(series, i < 3 ? 256 << 20 : 16384, operations[i], 0, rates[i] * 1e9,
                spread);
    *findings = (struct findings){0};
    assert_int_equal(sonde_infer_write_miss(series, NULL, findings), 0);
    sonde_measure_series_list_free(&list);
}

static void test_write_misses(void **state)
{
    static const struct {
        double rates[5];
        const char *text, *says;
    } rows[] = {
        {{20, 10, 20, 90, 20}, "allocates", NULL},
        {{16.6, 10.8, 20.7, 100, 20}, "allocates", NULL},
        {{20, 20, 20, 90, 20}, "does not allocate", NULL},
        {{30, 28, 27, 90, 27}, "does not allocate", NULL},
        /* Stores past the caches that stay in them. */
        {{20, 10, 20, 90, 85}, NULL, "stay in them"},
        {{20, 16, 20, 90, 20}, NULL, "fits neither"},
        /* Faster past the caches, but a read does not explain it. */
        {{100, 10, 100, 90, 20}, NULL, "fits neither"},
        {{20, 0, 20, 90, 20}, NULL, "not all measured"},
        {{20, 10, 20, 0, 0}, NULL, "small block"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct findings findings;

        stream(rows[i].rates, 0.02, &findings);
        assert_text(&findings, "ways.write_miss", rows[i].text);
        if (rows[i].says)
            assert_non_null(
                strstr(get(&findings, "ways.write_miss")->reason, rows[i].says));
        sonde_infer_findings_free(&findings);
    }
}

static void test_wide_rates_tell_nothing(void **state)
{
    struct findings findings;

    (void)state;
    stream((double[]){20, 10, 20, 90, 20}, 0.3, &findings);
    assert_text(&findings, "ways.write_miss", NULL);
    sonde_infer_findings_free(&findings);
    findings = (struct findings){0};
    assert_int_equal(sonde_infer_write_miss(NULL, "no memory for it", &findings), 0);
    assert_string_equal(get(&findings, "ways.write_miss")->reason, "no memory for it");
    sonde_infer_findings_free(&findings);
}

/* --- inclusion -------------------------------------------------------------------------
 */

struct hierarchy {
    double last;      /* bytes declared of the last level */
    double effective; /* of it, that is had */
    double memory_ns, near_rate, polluted, spread;
    bool inclusive, steady; /* steady: losses that do not follow the piece */
};

static const struct hierarchy usual = {.last = 8 << 20,
                                       .effective = 8 << 20,
                                       .memory_ns = 90,
                                       .near_rate = 36e9,
                                       .spread = 0.01};

static void pass_by(const struct hierarchy *hierarchy, struct findings *findings)
{
    const double piece = 128 << 10, kept = 64 << 10, near = 768 << 10, far = 256 << 20;
    struct series_list list = {0};
    struct series *traffic = sonde_measure_series_add(&list, "traffic"), *stirred;

    add(traffic, near, STREAM_READ, 0, hierarchy->near_rate, 0.01);
    add(traffic, far, STREAM_READ, 0, 20e9, 0.01);
    stirred = sonde_measure_series_add(&list, "stirred");
    traffic = &list.rows[0];
    add(stirred, 0, 0, kept, 4.6, hierarchy->spread);
    for (double part = piece; part >= piece / 2; part /= 2) {
        double quiet = 4.6 + hierarchy->polluted * part / piece;
        double lost = hierarchy->inclusive
                          ? (hierarchy->steady ? piece : part) / hierarchy->effective
                          : 0;

        add(stirred, near, part, kept, quiet, hierarchy->spread);
        add(stirred, far, part, kept, quiet + lost * (hierarchy->memory_ns - quiet),
            hierarchy->spread);
    }
    *findings = (struct findings){0};
    assert_int_equal(
        sonde_infer_inclusion(&(struct inclusion){.stirred = stirred,
                                                  .traffic = traffic,
                                                  .last_bytes = hierarchy->last},
                              findings),
        0);
    sonde_measure_series_list_free(&list);
}

static void assert_inclusion(const struct hierarchy *hierarchy, const char *text,
                             const char *says)
{
    struct findings findings;

    pass_by(hierarchy, &findings);
    assert_text(&findings, "ways.inclusion", text);
    if (says && !strstr(get(&findings, "ways.inclusion")->reason, says))
        fail_msg("'%s' does not say '%s'", get(&findings, "ways.inclusion")->reason,
                 says);
    sonde_infer_findings_free(&findings);
}

static void test_inclusion_comes_back(void **state)
{
    struct hierarchy planted = usual;

    (void)state;
    assert_inclusion(&planted, "not inclusive", NULL);
    planted.inclusive = true;
    assert_inclusion(&planted, "inclusive", NULL);
    /* What the inner level loses by itself drops out. */
    planted.polluted = 2;
    assert_inclusion(&planted, "inclusive", NULL);
    planted.inclusive = false;
    assert_inclusion(&planted, "not inclusive", NULL);
    /* Less of it than declared. */
    planted = usual;
    planted.last = 32 << 20;
    planted.effective = 4 << 20;
    planted.inclusive = true;
    assert_inclusion(&planted, "inclusive", NULL);
}

static void test_inclusion_is_given_up(void **state)
{
    struct hierarchy planted = usual;
    struct findings findings = {0};

    (void)state;
    planted.last = planted.effective = 512 << 20;
    assert_inclusion(&planted, NULL, "cannot be told apart");
    planted = usual;
    planted.spread = 0.2;
    assert_inclusion(&planted, NULL, "cannot be told apart");
    planted.inclusive = true;
    assert_inclusion(&planted, NULL, "cannot be told apart");
    planted = usual;
    planted.near_rate = 21e9;
    assert_inclusion(&planted, NULL, "does not hold it");
    planted = usual;
    planted.polluted = 10;
    assert_inclusion(&planted, NULL, "does not keep");
    planted = usual;
    planted.inclusive = planted.steady = true;
    assert_inclusion(&planted, NULL, "in proportion");
    planted = usual;
    planted.last = NAN;
    assert_inclusion(&planted, NULL, "declared");
    assert_int_equal(
        sonde_infer_inclusion(&(struct inclusion){.why = "too little memory"}, &findings),
        0);
    assert_string_equal(get(&findings, "ways.inclusion")->reason, "too little memory");
    sonde_infer_findings_free(&findings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replacement_comes_back),
        cmocka_unit_test(test_replacement_needs_ways_and_contrast),
        cmocka_unit_test(test_write_misses),
        cmocka_unit_test(test_wide_rates_tell_nothing),
        cmocka_unit_test(test_inclusion_comes_back),
        cmocka_unit_test(test_inclusion_is_given_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
