/* Rates of streams from planted series: what is given, what is held back and why. */
#include "support.h"

#include "infer/bandwidth.h"
#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bench {
    struct series_list list;
    struct bandwidth bandwidth;
    struct findings findings;
};

static const double hz = 3e9;

/* A point of 9 samples within 1 % of `rate`, all with `share` of the core. */
static struct series_point *add(struct series *series, double a, double b, double c,
                                double rate, double share)
{
    struct series_point *point = sonde_measure_point_add(series);

    point->at[0] = a;
    point->at[1] = b;
    point->at[2] = c;
    point->n = 9;
    point->samples = calloc(point->n, sizeof *point->samples);
    for (size_t k = 0; k < point->n; k++)
        point->samples[k] = (struct sample){.value = rate * (0.99 + 0.002 * (double)k),
                                            .cycles = rate / hz,
                                            .overlap = NAN,
                                            .fairness = NAN,
                                            .share = share};
    sonde_measure_summarise(point, STATISTIC_Q75);
    return point;
}

static void label(struct series_point *point, const char *text)
{
    point->label = strdup(text);
}

static struct series *open_series(struct bench *bench, const char *name)
{
    struct series *series = sonde_measure_series_add(&bench->list, name);

    series->statistic = STATISTIC_Q75;
    return series;
}

/* Two loads and one store of up to 32 bytes a cycle; memory reads 20 GB/s, writes half of
 * it, past the caches all of it. */
static void open_bench(struct bench *bench, double share)
{
    static const double memory[] = {20e9, 10e9, 14e9, 15e9, 20e9, 21e9, 22e9};
    struct series *series;

    *bench = (struct bench){.bandwidth = {.parallelism = 4, .cpus = 2}};
    series = open_series(bench, "shapes");
    for (double width = 8; width <= 32; width *= 2) {
        add(series, STREAM_READ, width, 1, 2 * width * hz, share);
        add(series, STREAM_READ, width, 0, 1.5 * width * hz, share);
        add(series, STREAM_WRITE, width, 1, width * hz, share);
    }
    series = open_series(bench, "ports");
    for (double width = 8; width <= 32; width *= 2) {
        add(series, STREAM_READ, width, 0, 2 * width * hz, share);
        add(series, STREAM_WRITE, width, 0, width * hz, share);
    }
    series = open_series(bench, "rates");
    label(add(series, 16384, STREAM_READ, 1, 64 * hz, share), "l1d");
    label(add(series, 16384, STREAM_WRITE, 1, 32 * hz, share), "l1d");
    for (unsigned i = 0; i < STREAM_OPERATIONS; i++)
        label(add(series, 384 << 20, i, 1, memory[i], share), "memory");
    label(add(series, 192 << 20, STREAM_READ, 1, 20.2e9, share), "memory");
    series = open_series(bench, "threads");
    add(series, 1, 0, STREAM_READ, 20e9, share);
    add(series, 2, 0, STREAM_READ, 30e9, share);
}

static struct series *find_series(struct bench *bench, const char *name)
{
    for (size_t i = 0; i < bench->list.count; i++)
        if (strcmp(bench->list.rows[i].name, name) == 0)
            return &bench->list.rows[i];
    return NULL;
}

static void conclude(struct bench *bench)
{
    bench->bandwidth.shapes = find_series(bench, "shapes");
    bench->bandwidth.ports = find_series(bench, "ports");
    bench->bandwidth.rates = find_series(bench, "rates");
    bench->bandwidth.threads = find_series(bench, "threads");
    assert_int_equal(sonde_infer_bandwidth(&bench->bandwidth, &bench->findings), 0);
}

static void close_bench(struct bench *bench)
{
    sonde_measure_series_list_free(&bench->list);
    sonde_infer_findings_free(&bench->findings);
}

static const struct finding *get(const struct bench *bench, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(&bench->findings, name);

    if (!finding)
        fail_msg("no finding %s", name);
    return finding;
}

static void expect(const struct bench *bench, const char *name, double value)
{
    double found = get(bench, name)->value;

    if (!(fabs(found / value - 1) < 0.02))
        fail_msg("%s is %g, not %g", name, found, value);
}

static void expect_none(const struct bench *bench, const char *name, const char *reason)
{
    const struct finding *finding = get(bench, name);

    assert_true(isnan(finding->value));
    if (!strstr(finding->reason, reason))
        fail_msg("%s: \"%s\" does not say \"%s\"", name, finding->reason, reason);
}

static void test_planted(void **state)
{
    struct bench bench;

    (void)state;
    open_bench(&bench, 4);
    conclude(&bench);
    expect(&bench, "bandwidth.l1d.read", 64 * hz);
    expect(&bench, "bandwidth.l1d.read_cycle", 64);
    expect(&bench, "bandwidth.ports.loads", 2);
    expect(&bench, "bandwidth.ports.stores", 1);
    expect(&bench, "bandwidth.ports.wide_loads", 2);
    expect(&bench, "bandwidth.ports.wide_stores", 1);
    expect(&bench, "bandwidth.width", 32);
    expect(&bench, "bandwidth.memory.read", 20e9);
    expect(&bench, "bandwidth.memory.write", 10e9);
    expect(&bench, "bandwidth.memory.write.traffic", 20e9);
    expect(&bench, "bandwidth.memory.read.threads", 30e9);
    expect_none(&bench, "bandwidth.memory.saturation", "2 threads");
    expect_none(&bench, "bandwidth.l1d.copy", "not measured in the time");
    for (size_t i = 0; i < bench.findings.control_count; i++)
        assert_true(bench.findings.controls[i].ok);
    close_bench(&bench);
}

static void test_choice(void **state)
{
    struct bench bench;
    struct stream_choice choice;

    (void)state;
    open_bench(&bench, 4);
    choice = sonde_infer_stream_choice(find_series(&bench, "shapes"), NULL, STREAM_READ);
    assert_true(choice.width == 32 && choice.shape == 1 && !choice.unlawful);
    /* The fastest one broke the law: it cannot be chosen. */
    find_series(&bench, "shapes")->points[6].flags |= POINT_UNLAWFUL;
    choice = sonde_infer_stream_choice(find_series(&bench, "shapes"), NULL, STREAM_READ);
    assert_true(choice.width == 32 && choice.shape == 0 && choice.unlawful);
    choice = sonde_infer_stream_choice(find_series(&bench, "shapes"), NULL, STREAM_COPY);
    assert_true(isnan(choice.width));
    assert_true(isnan(sonde_infer_stream_choice(NULL, NULL, STREAM_READ).width));
    close_bench(&bench);
}

static void test_unlawful(void **state)
{
    struct bench bench;

    (void)state;
    open_bench(&bench, 4);
    find_series(&bench, "rates")->points[0].flags |= POINT_UNLAWFUL;
    conclude(&bench);
    expect_none(&bench, "bandwidth.l1d.read", "the ports");
    close_bench(&bench);
}

/* Narrow loads start thrice a cycle and wide ones twice, as on many cores: a count that
 * is wrong by half as much again, by a quarter or by a tenth stays below what narrow ones
 * would allow, and is caught by the wide ones. */
static void test_wrong_count_between_widths(void **state)
{
    static const double wrong[] = {1.5, 1.25, 1.1};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct bench bench;

        open_bench(&bench, 4);
        find_series(&bench, "ports")->points[0].cycles *= 1.5;
        find_series(&bench, "shapes")->points[6].cycles *= wrong[i];
        find_series(&bench, "shapes")->points[6].best *= wrong[i];
        conclude(&bench);
        expect_none(&bench, "bandwidth.l1d.read", "the ports");
        expect(&bench, "bandwidth.l1d.write", 32 * hz);
        close_bench(&bench);
    }
}

/* Where the chain that tells the clock was interrupted, cycles run away from a rate that
 * is right. */
static void test_an_interrupted_clock(void **state)
{
    struct bench bench;

    (void)state;
    open_bench(&bench, 4);
    find_series(&bench, "shapes")->points[6].cycles *= 5.8;
    conclude(&bench);
    expect(&bench, "bandwidth.l1d.read", 64 * hz);
    close_bench(&bench);
}

/* Of a copy the scarcer of loads and stores decides. */
static void test_limits_of_ports(void **state)
{
    struct stream_ports ports = {{3, 3, 2, NAN}, {2, 1, NAN, NAN}};
    struct stream_ports unknown = sonde_infer_stream_ports(NULL, NAN);

    (void)state;
    assert_true(sonde_infer_stream_limit(&ports, STREAM_READ, 8) == 24);
    assert_true(sonde_infer_stream_limit(&ports, STREAM_READ, 64) == 128);
    assert_true(sonde_infer_stream_limit(&ports, STREAM_WRITE, 32) == 32);
    assert_true(sonde_infer_stream_limit(&ports, STREAM_COPY, 8) == 32);
    assert_true(sonde_infer_stream_limit(&ports, STREAM_TRIAD, 32) == 96);
    assert_true(isnan(sonde_infer_stream_limit(&unknown, STREAM_TRIAD, 32)));
    /* Beside a neighbour a little less is seen of a whole number; more than that is left
     * as it is. */
    ports.loads[2] = 1.86;
    ports.stores[2] = 0.935;
    assert_true(sonde_infer_stream_limit(&ports, STREAM_READ, 32) == 64);
    assert_true(sonde_infer_stream_limit(&ports, STREAM_WRITE, 32) == 32);
    ports.stores[2] = 0.47;
    assert_true(sonde_infer_stream_most(ports.stores, 32) == 0.5);
    ports.stores[2] = 1.31;
    assert_true(sonde_infer_stream_most(ports.stores, 32) == 1.31);
}

/* Of two that are as fast the wider, of one width the plainer; not one that is slower. */
static void test_as_fast(void **state)
{
    struct series_list list = {0};
    struct series *series = sonde_measure_series_add(&list, "shapes");
    struct stream_choice choice;

    (void)state;
    add(series, STREAM_WRITE, 16, 1, 32.3 * hz, 4);
    add(series, STREAM_WRITE, 32, 2, 32.2 * hz, 4);
    add(series, STREAM_WRITE, 32, 0, 32.1 * hz, 4);
    choice = sonde_infer_stream_choice(series, NULL, STREAM_WRITE);
    assert_true(choice.width == 32 && choice.shape == 0);
    add(series, STREAM_WRITE, 32, 1, 30 * hz, 4);
    choice = sonde_infer_stream_choice(series, NULL, STREAM_WRITE);
    assert_true(choice.width == 32 && choice.shape == 0);
    add(series, STREAM_WRITE, 32, 1, 32 * hz, 4);
    choice = sonde_infer_stream_choice(series, NULL, STREAM_WRITE);
    assert_true(choice.width == 32 && choice.shape == 1);
    sonde_measure_series_list_free(&list);
}

/* Ports that start two and a quarter accesses a cycle are no ports. */
static void test_no_whole_number(void **state)
{
    struct bench bench;
    bool caught = false;

    (void)state;
    open_bench(&bench, 4);
    find_series(&bench, "ports")->points[4].cycles *= 1.125;
    conclude(&bench);
    for (size_t i = 0; i < bench.findings.control_count; i++)
        caught |= !bench.findings.controls[i].ok;
    assert_true(caught);
    close_bench(&bench);
}

/* The control compares with the ports, whatever the harness let through. */
static void test_wrong_count(void **state)
{
    struct bench bench;
    bool caught = false;

    (void)state;
    open_bench(&bench, 4);
    label(add(find_series(&bench, "rates"), 20000, STREAM_READ, 1, 6 * 64 * hz, 4),
          "l1d");
    conclude(&bench);
    for (size_t i = 0; i < bench.findings.control_count; i++)
        caught |= !bench.findings.controls[i].ok;
    assert_true(caught);
    close_bench(&bench);
}

static void test_neighbour(void **state)
{
    struct bench bench;

    (void)state;
    open_bench(&bench, 2.5);
    conclude(&bench);
    expect_none(&bench, "bandwidth.l1d.read", "core shared");
    assert_null(sonde_infer_finding_get(&bench.findings, "bandwidth.ports.loads"));
    close_bench(&bench);
}

/* What all threads move is told, and that their cores were not theirs alone. */
static void test_threads_beside_a_neighbour(void **state)
{
    const struct finding *finding;
    struct series_point *point;
    struct bench bench;
    double alone;

    (void)state;
    open_bench(&bench, 4);
    conclude(&bench);
    expect(&bench, "bandwidth.memory.read.threads", 30e9);
    alone = get(&bench, "bandwidth.memory.read.threads")->confidence;
    close_bench(&bench);
    open_bench(&bench, 4);
    point = &find_series(&bench, "threads")->points[1];
    for (size_t k = 0; k < point->n; k++)
        point->samples[k].share = 2;
    conclude(&bench);
    expect(&bench, "bandwidth.memory.read.threads", 30e9);
    finding = get(&bench, "bandwidth.memory.read.threads");
    assert_true(finding->confidence < alone);
    assert_non_null(strstr(finding->method, "cores were shared"));
    close_bench(&bench);
}

static void test_no_plateau(void **state)
{
    struct bench bench;

    (void)state;
    open_bench(&bench, 4);
    label(add(find_series(&bench, "rates"), 128 << 20, STREAM_READ, 1, 40e9, 4),
          "memory");
    conclude(&bench);
    expect_none(&bench, "bandwidth.memory.read", "no plateau");
    expect_none(&bench, "bandwidth.memory.write.traffic", "no plateau");
    close_bench(&bench);
}

static void test_nothing_spared(void **state)
{
    struct bench bench;
    struct series *rates;

    (void)state;
    open_bench(&bench, 4);
    rates = find_series(&bench, "rates");
    label(add(rates, (double)(385 << 20), STREAM_NT_WRITE, 1, 12e9, 4), "memory");
    conclude(&bench);
    expect_none(&bench, "bandwidth.memory.write.traffic", "too little");
    close_bench(&bench);
}

static void test_limits(void **state)
{
    struct bench bench;

    (void)state;
    open_bench(&bench, 4);
    bench.bandwidth.cpus = 1;
    bench.bandwidth.why_memory = "needs 256 MiB of memory; 16 MiB may be used";
    conclude(&bench);
    expect_none(&bench, "bandwidth.memory.read", "16 MiB");
    expect_none(&bench, "bandwidth.l1d.read.threads", "one is allowed");
    expect_none(&bench, "bandwidth.memory.saturation", "one is allowed");
    close_bench(&bench);
}

static void test_nothing(void **state)
{
    struct bench bench = {.bandwidth = {.parallelism = NAN, .cpus = 1}};

    (void)state;
    assert_int_equal(sonde_infer_bandwidth(&bench.bandwidth, &bench.findings), 0);
    expect_none(&bench, "bandwidth.memory.read", "fewer than two footprints");
    close_bench(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_unlawful),
        cmocka_unit_test(test_wrong_count),
        cmocka_unit_test(test_neighbour),
        cmocka_unit_test(test_threads_beside_a_neighbour),
        cmocka_unit_test(test_as_fast),
        cmocka_unit_test(test_no_plateau),
        cmocka_unit_test(test_nothing_spared),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_limits_of_ports),
        cmocka_unit_test(test_no_whole_number),
        cmocka_unit_test(test_wrong_count_between_widths),
        cmocka_unit_test(test_an_interrupted_clock),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
