/* Pairs of nodes from planted matrices. */
#include "support.h"

#include "infer/numa.h"

#include <math.h>
#include <string.h>

struct pair {
    double from, to, value;
};

static struct series *add_series(struct series_list *list, const char *name,
                                 const struct pair *pairs, size_t count)
{
    struct series *series = sonde_measure_series_add(list, name);

    assert_non_null(series);
    series->axis_count = 2;
    for (size_t i = 0; i < count; i++) {
        struct series_point *point = sonde_measure_point_add(series);

        point->at[0] = pairs[i].from;
        point->at[1] = pairs[i].to;
        point->n = 21;
        point->best = pairs[i].value;
        point->low = 0.99 * pairs[i].value;
        point->high = 1.01 * pairs[i].value;
    }
    return series;
}

static const struct finding *get(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    assert_non_null(finding);
    return finding;
}

static const struct pair latencies[] = {{0, 0, 90}, {0, 1, 150}, {1, 0, 140}, {1, 1, 92}};
static const struct pair rates[] = {
    {0, 0, 3e10}, {0, 1, 1.4e10}, {1, 0, 1.5e10}, {1, 1, 2.9e10}};

static void test_ends_and_their_pairs(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    add_series(&list, "latency", latencies, 4);
    add_series(&list, "rate", rates, 4);
    assert_int_equal(sonde_infer_numa(&list.rows[0], &list.rows[1], &findings), 0);
    assert_true(get(&findings, "numa.nearest")->value == 90);
    assert_true(get(&findings, "numa.farthest")->value == 150);
    assert_true(get(&findings, "numa.far_cost")->value == 150.0 / 90);
    assert_true(get(&findings, "numa.most")->value == 3e10);
    assert_true(get(&findings, "numa.least")->value == 1.4e10);
    assert_string_equal(get(&findings, "numa.least")->reason,
                        "CPUs of node 0, memory of node 1");
    assert_int_equal(findings.control_count, 2);
    assert_true(findings.controls[0].ok && findings.controls[1].ok);
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

/* Nodes that are called by each other's names. */
static void test_own_memory_is_farther(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};
    struct pair swapped[4];

    (void)state;
    memcpy(swapped, latencies, sizeof swapped);
    for (size_t i = 0; i < 4; i++)
        swapped[i].to = 1 - swapped[i].to;
    add_series(&list, "latency", swapped, 4);
    assert_int_equal(sonde_infer_numa(&list.rows[0], NULL, &findings), 0);
    assert_int_equal(findings.control_count, 1);
    assert_false(findings.controls[0].ok);
    assert_true(isnan(get(&findings, "numa.most")->value));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

/* A node without room has no figures, and is no end. */
static void test_a_node_without_room(void **state)
{
    struct series_list list = {0};
    struct findings findings = {0};

    (void)state;
    add_series(&list, "latency", latencies, 4);
    list.rows[0].points[1].n = 0;
    list.rows[0].points[3].flags |= POINT_APART;
    assert_int_equal(sonde_infer_numa(&list.rows[0], NULL, &findings), 0);
    assert_true(get(&findings, "numa.farthest")->value == 140);
    sonde_infer_findings_free(&findings);
    findings = (struct findings){0};
    assert_int_equal(sonde_infer_numa(NULL, NULL, &findings), 0);
    assert_true(isnan(get(&findings, "numa.nearest")->value));
    assert_true(isnan(get(&findings, "numa.far_cost")->value));
    sonde_infer_findings_free(&findings);
    sonde_measure_series_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_and_their_pairs),
        cmocka_unit_test(test_own_memory_is_farther),
        cmocka_unit_test(test_a_node_without_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
