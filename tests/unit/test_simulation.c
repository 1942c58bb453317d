/* The planted machine gives back what was planted, and nothing else: latencies inside
 * levels, capacities, translation, conflicts; the same seed the same readings. Broken
 * models are refused in one line that names the file and the key. */
#include "support.h"

#include "measure/meter.h"
#include "measure/simulation_cache.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAMPLES = 41, WINDOW = 128 << 10, KIB = 1024, MIB = 1024 * 1024 };

static const struct kernel chase = {.name = "chase", .unroll = 16};
static const struct kernel add_wide = {.name = "add_wide", .unroll = 32};

struct planted {
    struct meter meter;
    struct machine machine;
    struct facts facts;
};

static struct planted open_kind(const char *name, unsigned kind, uint64_t seed)
{
    struct planted planted;
    struct message why = {{0}};
    char path[512];
    int error;

    snprintf(path, sizeof path, "%s/%s.json", SONDE_MODELS, name);
    error = sonde_measure_simulation_open(&planted.meter, &planted.machine,
                                          &planted.facts, path, kind, seed, &why);
    if (error)
        print_error("%s\n", why.text);
    assert_int_equal(error, 0);
    return planted;
}

static struct planted open_model(const char *name)
{
    return open_kind(name, 0, 1);
}

static void close_planted(struct planted *planted)
{
    planted->meter.ops->close(planted->meter.self);
    sonde_machine_close(&planted->machine);
    sonde_machine_facts_free(&planted->facts);
}

static struct point ring_point(uint64_t bytes, uint64_t pitch, uint64_t window)
{
    struct point point = {.kernel = &chase, .operations = 1};

    point.layout = (struct layout){.kind = LAYOUT_RING,
                                   .pages = PAGES_HUGE,
                                   .nodes = bytes / pitch,
                                   .bytes = bytes / pitch * pitch,
                                   .pitch = pitch,
                                   .window = window};
    return point;
}

static void sample(struct planted *planted, const struct point *point, uint64_t seed,
                   uint64_t steps, struct reading *reading)
{
    struct message why = {{0}};
    struct placement placement;

    assert_int_equal(
        planted->meter.ops->place(planted->meter.self, point, seed, &placement, &why), 0);
    assert_int_equal(planted->meter.ops->sample(planted->meter.self, point, &placement,
                                                steps, reading),
                     0);
}

/* Low quartile of cycles a step, each sample on a placement of its own. */
static double cycles_of(struct planted *planted, const struct point *point)
{
    double values[SAMPLES];

    for (int i = 0; i < SAMPLES; i++) {
        struct reading reading;

        sample(planted, point, 100 + (uint64_t)i, 32768, &reading);
        values[i] =
            reading.ns * 1e-9 * (reading.hz_before + reading.hz_after) / 2 / 32768;
    }
    sonde_measure_sort(values, SAMPLES);
    return sonde_measure_quantile(values, SAMPLES, 0.25);
}

static double walk(struct planted *planted, uint64_t bytes, uint64_t pitch)
{
    struct point point = ring_point(bytes, pitch, WINDOW);

    return cycles_of(planted, &point);
}

static void assert_close(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%.6g is not %.6g within %.3g", value, wanted, tolerance);
}

/* --- what is planted comes back -------------------------------------------------------
 */

static void assert_levels(const char *name, uint64_t pitch, const double *bytes,
                          const double *cycles, size_t count)
{
    struct planted planted = open_model(name);

    for (size_t i = 0; i < count; i++)
        assert_close(walk(&planted, (uint64_t)bytes[i], pitch), cycles[i],
                     0.02 * cycles[i]);
    close_planted(&planted);
}

static void test_latencies(void **state)
{
    (void)state;
    assert_levels("two-level", 64, (double[]){16 * KIB, 256 * KIB, 16 * MIB},
                  (double[]){4, 14, 270}, 3);
    assert_levels("three-level", 64, (double[]){24 * KIB, 160 * KIB, 1.5 * MIB, 64 * MIB},
                  (double[]){4, 14, 45, 270}, 4);
    assert_levels("four-level", 64,
                  (double[]){32 * KIB, 96 * KIB, 512 * KIB, 2 * MIB, 64 * MIB},
                  (double[]){4, 13, 38, 85, 390}, 5);
    assert_levels("no-l2", 64, (double[]){32 * KIB, 512 * KIB, 16 * MIB},
                  (double[]){4, 24, 270}, 3);
    assert_levels("line-128", 128, (double[]){48 * KIB, 256 * KIB, 2 * MIB, 32 * MIB},
                  (double[]){4, 16, 60, 270}, 4);
    assert_levels("page-16k", 64, (double[]){128 * KIB, 320 * KIB, 3 * MIB, 64 * MIB},
                  (double[]){3, 16, 60, 270}, 4);
    assert_levels("l1-96k", 64, (double[]){96 * KIB, 400 * KIB}, (double[]){5, 15}, 2);
}

/* The first level is full at its size, to the line; one page more must miss. */
static void test_first_level_is_exact(void **state)
{
    struct planted planted = open_model("l1-48k");

    (void)state;
    assert_close(walk(&planted, 48 * KIB, 64), 5, 0.05);
    assert_true(walk(&planted, 50 * KIB, 64) > 6);
    assert_close(walk(&planted, 52 * KIB, 64), 14, 0.2);
    close_planted(&planted);
}

/* Dense rings go by colours of pages, sparse ones by nodes. Lines one to a page are the
 * first kind; a skew of whole pages moves them to other pages and makes them the second,
 * though by chance they are as many to a set. */
static void test_sparse_agrees_with_dense(void **state)
{
    struct planted planted = open_model("three-level");

    (void)state;
    for (uint64_t pages = 32; pages <= 512; pages *= 2) {
        struct point dense = ring_point(pages * 4096, 4096, 0);
        struct point sparse = dense;
        double cycles = cycles_of(&planted, &dense);

        sparse.layout.skew = 64 * 4096;
        assert_close(cycles_of(&planted, &sparse), cycles, 0.05 * cycles);
    }
    close_planted(&planted);
}

static void test_exclusive_capacity(void **state)
{
    struct planted inclusive = open_model("three-level");
    struct planted exclusive = open_model("exclusive-llc");
    double at_sum = walk(&exclusive, 4608 * KIB, 64);

    (void)state;
    /* At 4.5 MiB, the sum, half of it misses; an inclusive one is well beyond. */
    assert_in_range((int)at_sum, 47 + 60, 47 + 180);
    assert_true(walk(&inclusive, 4608 * KIB, 64) > at_sum + 30);
    assert_true(walk(&inclusive, 4096 * KIB, 64) > walk(&exclusive, 4096 * KIB, 64) + 30);
    close_planted(&inclusive);
    close_planted(&exclusive);
}

/* A cycle of 64 KiB in the second level, after 128 KiB of a stretch passed by. */
static double stirred(struct planted *planted, uint64_t stretch, uint64_t piece)
{
    static const struct kernel reading = {.name = "read_c", .unroll = 16, .loads = 16};
    struct point point = ring_point(64 * KIB, 64, 0);
    struct placement placement;
    struct reading sampled;
    struct message why;
    double least = INFINITY;

    point.stir = (struct stir){
        .kernel = &reading, .steps = piece / 8, .bytes = stretch, .piece = piece};
    for (uint64_t seed = 1; seed <= 21; seed++) {
        assert_int_equal(planted->meter.ops->place(planted->meter.self, &point, seed,
                                                   &placement, &why),
                         0);
        assert_int_equal(planted->meter.ops->sample(planted->meter.self, &point,
                                                    &placement, 1024, &sampled),
                         0);
        least = fmin(least, sampled.ns / 1024);
    }
    return least;
}

/* Each line that comes in takes one along: 128 KiB of 4 MiB are a 32nd. */
static void test_inclusive_levels_take_lines_along(void **state)
{
    struct planted inclusive = open_model("inclusive-llc");
    struct planted other = open_model("three-level");
    double quiet = 14 / 3.0, lost = (90 - quiet) / 32;

    (void)state;
    assert_true(fabs(stirred(&other, 256 * MIB, 128 * KIB) - quiet) < 0.1);
    assert_true(fabs(stirred(&inclusive, 2 * MIB, 128 * KIB) - quiet) < 0.1);
    assert_true(fabs(stirred(&inclusive, 256 * MIB, 128 * KIB) - quiet - lost) < 0.15);
    assert_true(fabs(stirred(&inclusive, 256 * MIB, 64 * KIB) - quiet - lost / 2) < 0.15);
    /* More than the second level holds beside the cycle turns all of it out. */
    assert_true(stirred(&other, 2 * MIB, 480 * KIB) > 14);
    close_planted(&inclusive);
    close_planted(&other);
}

static void test_neighbour_takes_capacity(void **state)
{
    struct planted planted = open_model("neighbour");

    (void)state;
    assert_close(walk(&planted, MIB, 64), 45, 1);
    assert_true(walk(&planted, 6 * MIB, 64) > 200); /* half of 8 MiB is left */
    close_planted(&planted);
}

static void test_translation(void **state)
{
    struct planted small = open_model("three-level");
    struct planted huge = open_model("huge-honoured");
    struct point random = ring_point(2 * MIB, 64, 0);
    struct point windowed = ring_point(2 * MIB, 64, WINDOW);
    double step = cycles_of(&small, &random) - cycles_of(&small, &windowed);

    (void)state;
    /* 512 pages on 64 entries: 7 of 8 accesses miss, 7 cycles each. */
    assert_close(step, 7.0 * 7 / 8, 0.7);
    assert_close(cycles_of(&huge, &random), cycles_of(&huge, &windowed), 0.5);
    close_planted(&small);
    close_planted(&huge);
}

static void test_conflicts(void **state)
{
    static const uint64_t spans[] = {4096, 8192, 32768};
    struct planted planted = open_model("three-level");

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct point fit = ring_point(8 * spans[i], spans[i], 0);
        struct point over = ring_point(9 * spans[i], spans[i], 0);

        assert_close(cycles_of(&planted, &fit), 4, 0.05);
        assert_true(cycles_of(&planted, &over) > 13);
    }
    close_planted(&planted);
}

/* Below the span twice as many lines fit for every halving of the stride. */
static void test_conflicts_below_span(void **state)
{
    struct planted planted = open_model("l1-48k");

    (void)state;
    for (uint64_t stride = 512, lines = 96; stride <= 4096; stride *= 2, lines /= 2) {
        struct point fit = ring_point(lines * stride, stride, 0);
        struct point over = ring_point((lines + 1) * stride, stride, 0);

        assert_close(cycles_of(&planted, &fit), 5, 0.05);
        assert_true(cycles_of(&planted, &over) > 5.5);
    }
    close_planted(&planted);
}

static void test_prefetch(void **state)
{
    struct planted planted = open_model("three-level");
    struct point ahead = ring_point(32 * MIB, 64, 0);
    struct point random = ahead;

    (void)state;
    ahead.layout.order = ORDER_ASCENDING;
    assert_true(cycles_of(&planted, &ahead) * 3 < cycles_of(&planted, &random));
    close_planted(&planted);
}

/* Two nodes to a line: the second visit finds it near in a window, and often in a ring
 * that is one window. */
static void test_shared_lines(void **state)
{
    struct planted planted = open_model("line-128");
    double windowed = walk(&planted, 32 * MIB, 64);

    (void)state;
    assert_true(windowed < 0.6 * walk(&planted, 32 * MIB, 128));
    assert_true(windowed > 0.5 * 270);
    close_planted(&planted);
}

static void test_miss_shares(void **state)
{
    (void)state;
    assert_close(sonde_measure_simulation_lru_miss(8, 8, 1, NAN), 0, 0);
    assert_close(sonde_measure_simulation_lru_miss(9, 8, 1, NAN), 1, 0);
    /* Two visits to each of twice the lines that fit: sqrt(1/2) of them miss. */
    assert_close(sonde_measure_simulation_lru_miss(16, 8, 2, NAN), sqrt(0.5), 1e-12);
    /* In windows that fit, one visit in four has the cycle behind it. */
    assert_close(sonde_measure_simulation_lru_miss(100, 8, 4, 8), 0.25, 1e-12);
    assert_close(sonde_measure_simulation_random_miss(16, 16), 0, 0);
    assert_close(sonde_measure_simulation_random_miss(17, 16), 0.16, 0.04);
    assert_true(sonde_measure_simulation_random_miss(64, 16) > 0.95);
}

/* --- time and noise --------------------------------------------------------------------
 */

static void test_same_seed_same_readings(void **state)
{
    struct planted first = open_kind("noise-20", 0, 7),
                   again = open_kind("noise-20", 0, 7);
    struct planted other = open_kind("noise-20", 0, 8);
    struct point point = ring_point(3 * MIB, 64, WINDOW);
    size_t differing = 0;

    (void)state;
    for (uint64_t i = 0; i < 100; i++) {
        struct reading a = {0}, b = {0}, c = {0};

        sample(&first, &point, i, 4096, &a);
        sample(&again, &point, i, 4096, &b);
        sample(&other, &point, i, 4096, &c);
        assert_memory_equal(&a.ns, &b.ns, sizeof a.ns);
        assert_memory_equal(&a.hz_after, &b.hz_after, sizeof a.hz_after);
        assert_memory_equal(&a.share_after, &b.share_after, sizeof a.share_after);
        assert_int_equal(a.switched, b.switched);
        differing += a.ns != c.ns;
    }
    assert_true(first.meter.ops->elapsed(first.meter.self) ==
                again.meter.ops->elapsed(again.meter.self));
    assert_true(differing > 50);
    close_planted(&first);
    close_planted(&again);
    close_planted(&other);
}

static void test_disturbances(void **state)
{
    struct planted planted = open_model("noise-20");
    struct point point = ring_point(16 * KIB, 64, 0);
    size_t switched = 0, slow = 0;
    double floor_ns = INFINITY;

    (void)state;
    for (uint64_t i = 0; i < 2000; i++) {
        struct reading reading;

        sample(&planted, &point, i, 32768, &reading);
        switched += reading.switched;
        slow += reading.ns > 32768 * 4 / 3.0 * 1.1;
        floor_ns = fmin(floor_ns, reading.ns);
        assert_true(floor(reading.ns) == reading.ns); /* the timer steps by 1 ns */
    }
    /* 44 µs at 200 a second: 0.9 %. Longer by a tenth: a third of the disturbed half. */
    assert_in_range(switched, 5, 60);
    assert_in_range(slow, 300, 1000);
    assert_true(floor_ns > 32768 * 4 / 3.0 * 0.94);
    close_planted(&planted);
}

static void test_neighbour_spells(void **state)
{
    struct planted planted = open_model("neighbour");
    struct point point = {.kernel = &add_wide, .operations = 1};
    size_t alone = 0, shared = 0;

    (void)state;
    while (planted.meter.ops->elapsed(planted.meter.self) < 12) {
        struct reading reading;

        sample(&planted, &point, 0, 32000000, &reading);
        alone += fabs(reading.share_before - 4) < 0.1;
        shared += fabs(reading.share_before - 2.5) < 0.1;
        assert_close(reading.hz_before, 3e9, 3e7); /* the dependent chain does not care */
    }
    assert_true(alone > 20);
    assert_true(shared > 20);
    close_planted(&planted);
}

static void test_scales(void **state)
{
    struct planted planted = open_model("noise-5"), emulated = open_model("emulated");
    struct scales scales;

    (void)state;
    assert_int_equal(planted.meter.ops->weigh(planted.meter.self, 0.5, &scales), 0);
    assert_close(planted.meter.ops->elapsed(planted.meter.self), 0.5, 1e-6);
    assert_close(scales.core_hz, 3e9, 1);
    assert_true(scales.core_hz_low < 2.98e9 && scales.core_hz_high > 3.02e9);
    assert_true(scales.core_clock_trusted && !scales.emulator_suspected);
    assert_close(scales.parallelism, 4, 1e-9);
    assert_close(scales.load_ratio, 4, 1e-9);
    assert_true(isnan(scales.tick_drift_ppm));
    planted.meter.ops->recheck(planted.meter.self, &scales);
    assert_close(scales.tick_drift_ppm, 0, 0);
    emulated.meter.ops->weigh(emulated.meter.self, 0.5, &scales);
    assert_true(scales.emulator_suspected);
    assert_close(scales.parallelism, 1.2, 1e-9);
    assert_true(emulated.machine.emulation[0] != '\0');
    close_planted(&planted);
    close_planted(&emulated);
}

static double block_ns(struct planted *planted, const char *kernel_name, bool cold,
                       uint64_t steps, uint64_t argument)
{
    const struct kernel kernel = {.name = kernel_name, .unroll = 1};
    struct point point = {.kernel = &kernel, .operations = 1, .argument = argument};
    double values[SAMPLES];

    point.layout =
        (struct layout){.kind = LAYOUT_BLOCK, .bytes = 256 * KIB, .cold = cold};
    for (int i = 0; i < SAMPLES; i++) {
        struct reading reading;

        sample(planted, &point, (uint64_t)i, steps, &reading);
        values[i] = reading.ns;
    }
    sonde_measure_sort(values, SAMPLES);
    return sonde_measure_quantile(values, SAMPLES, 0.25);
}

static void test_other_kernels(void **state)
{
    struct planted planted = open_model("three-level");

    (void)state;
    /* One word a cycle at 3 GHz; nothing but the call for a sum thrown away. */
    assert_close(block_ns(&planted, "sum_kept", false, 30000, 0), 10000, 200);
    assert_in_range((int)block_ns(&planted, "sum_discarded", false, 30000, 0), 5, 8);
    /* 64 pages of 4 KiB, each a fault of 1 µs. */
    assert_close(block_ns(&planted, "touch", true, 64, 4096), 64000, 1000);
    assert_in_range((int)block_ns(&planted, "touch", false, 64, 4096), 20, 40);
    close_planted(&planted);
}

/* A neighbour on the core divides throughput by its factor and leaves chains alone. */
static void test_neighbour_slows_throughput(void **state)
{
    struct planted planted = open_model("neighbour");
    double fast = INFINITY, slow = 0;

    (void)state;
    while (planted.meter.ops->elapsed(planted.meter.self) < 7) {
        double ns = block_ns(&planted, "sum_kept", false, 3000000, 0);

        fast = fmin(fast, ns);
        slow = fmax(slow, ns);
    }
    assert_close(slow / fast, 1.6, 0.05);
    close_planted(&planted);
}

/* --- machines, limits, refusals
 * ---------------------------------------------------------- */

static void test_kinds(void **state)
{
    struct planted fast = open_kind("hybrid", 0, 1), slow = open_kind("hybrid", 1, 1);
    struct planted *both[] = {&fast, &slow};

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(both[i]->machine.kind_count, 2);
        assert_string_equal(both[i]->machine.kinds[0].name, "performance");
        assert_true(sonde_base_cpulist_has(&both[i]->machine.kinds[1].cpus, 5));
        assert_int_equal(sonde_base_cpulist_count(&both[i]->machine.allowed), 6);
    }
    assert_true(sonde_machine_declared(&fast.facts, "l1d.size").value == 48 * KIB);
    assert_true(sonde_machine_declared(&slow.facts, "l1d.size").value == 32 * KIB);
    assert_close(walk(&fast, 48 * KIB, 64), 5, 0.05);
    assert_true(walk(&slow, 48 * KIB, 64) > 10);
    close_planted(&fast);
    close_planted(&slow);
}

static void test_limits(void **state)
{
    struct planted planted = open_model("tiny-memory");
    const struct kernel strange = {.name = "no_such_kernel", .unroll = 1};
    struct point large = ring_point(65 * MIB, 64, 0), unknown = {.kernel = &strange};
    struct placement placement;
    struct page_backing backing;
    struct message why = {{0}};
    uint64_t granted = 0;

    (void)state;
    assert_true(planted.machine.memory_granted == 64 * MIB);
    assert_int_equal(
        planted.meter.ops->place(planted.meter.self, &large, 1, &placement, &why),
        -ENOMEM);
    assert_int_equal(
        planted.meter.ops->reserve(planted.meter.self, PAGES_HUGE, 1 << 30, &granted), 0);
    assert_int_equal(granted, 64 * MIB);
    assert_int_equal(planted.meter.ops->backing(planted.meter.self, PAGES_HUGE, &backing),
                     0);
    assert_true(backing.huge_bytes == backing.resident_bytes);
    assert_int_equal(
        planted.meter.ops->place(planted.meter.self, &unknown, 1, &placement, &why),
        -ENOTSUP);
    assert_non_null(strstr(why.text, "no_such_kernel"));
    close_planted(&planted);
}

/* A whole model with one value replaced. */
static const char whole[] =
    "{\"name\": \"m\", \"cpu\": \"c\", \"core_hz\": %s, \"timer\": {\"tick_hz\": 1e9, "
    "\"step_ns\": 1, \"cost_ns\": 20},\n\"levels\": [{\"name\": \"l1d\", \"size_bytes\": "
    "32768, \"ways\": %s, \"latency_cycles\": 4}, {\"name\": \"l2\", \"size_bytes\": %s, "
    "\"ways\": 8, \"latency_cycles\": %s}],\n\"memory\": {\"latency_ns\": %s, \"bytes\": "
    "1e9}, \"translation\": {\"l1_entries\": 64, \"l2_entries\": 1024, "
    "\"l1_miss_cycles\": 7, \"walk_cycles\": 30}%s}";

static int open_text(const char *text, struct message *why)
{
    char path[] = "/tmp/sonde-model-XXXXXX";
    struct planted planted;
    int file = mkstemp(path), error;

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    *why = (struct message){{0}};
    error = sonde_measure_simulation_open(&planted.meter, &planted.machine,
                                          &planted.facts, path, 0, 1, why);
    if (!error)
        close_planted(&planted);
    else
        assert_non_null(strstr(why->text, path));
    unlink(path);
    return error;
}

static void test_broken_models(void **state)
{
    static const struct {
        const char *core_hz, *ways, *l2_bytes, *l2_cycles, *memory_ns, *more, *named;
    } cases[] = {
        {"-3e9", "8", "524288", "14", "90", "", "core_hz"},
        {"NaN", "8", "524288", "14", "90", "", ":1:"},
        {"1e999", "8", "524288", "14", "90", "", ":1:"},
        {"\"3e9\"", "8", "524288", "14", "90", "", "core_hz"},
        {"3e9", "7", "524288", "14", "90", "", "levels[0].ways"},
        {"3e9", "8.5", "524288", "14", "90", "", "levels[0].ways"},
        {"3e9", "0", "524288", "14", "90", "", "levels[0].ways"},
        {"3e9", "8", "16384", "14", "90", "", "levels[1].size_bytes"},
        {"3e9", "8", "-524288", "14", "90", "", "levels[1].size_bytes"},
        {"3e9", "8", "393216", "14", "90", "", "levels[1].size_bytes"},
        {"3e9", "8", "524288", "4", "90", "", "levels[1].latency_cycles"},
        {"3e9", "8", "524288", "14", "3", "", "memory.latency_ns"},
        {"3e9", "8", "524288", "14", "90", ", \"nosie\": {}", "nearest is \"noise\""},
        {"3e9", "8", "524288", "14", "90", ", \"noise\": {\"sigma\": -1}", "noise.sigma"},
        {"3e9", "8", "524288", "14", "90", ", \"noise\": []", "noise"},
        {"3e9", "8", "524288", "14", "90", ", \"page_bytes\": 5000", "page_bytes"},
        {"3e9", "8", "524288", "14", "90", ", \"granule_bytes\": 1073741824",
         "granule_bytes"},
        {"3e9", "8", "524288", "14", "90", ", \"cpus\": \"0-\"", "cpus"},
        {"3e9", "8", "524288", "14", "90", ", \"kinds\": []", "kinds"},
        {"3e9", "8", "524288", "14", "90",
         ", \"kinds\": [{\"name\": \"a\", \"cpus\": \"7\"}]", "kinds[0].cpus"},
        {"3e9", "8", "524288", "14", "90", ", \"declared\": [{\"value\": 1}]",
         "declared[0].name"},
        {"3e9", "8", "524288", "14", "90", ", \"neighbour\": {\"last_level_share\": 0.5}",
         "neighbour.last_level_share"},
    };
    struct message why;
    char text[2048];

    (void)state;
    snprintf(text, sizeof text, whole, "3e9", "8", "524288", "14", "90", "");
    assert_int_equal(open_text(text, &why), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(text, sizeof text, whole, cases[i].core_hz, cases[i].ways,
                 cases[i].l2_bytes, cases[i].l2_cycles, cases[i].memory_ns,
                 cases[i].more);
        assert_int_equal(open_text(text, &why), -EINVAL);
        if (!strstr(why.text, cases[i].named) || strchr(why.text, '\n'))
            fail_msg("\"%s\" does not name %s in one line", why.text, cases[i].named);
    }
}

static void test_broken_files(void **state)
{
    struct planted planted;
    struct message why = {{0}};

    (void)state;
    assert_int_equal(open_text("", &why), -EINVAL);
    assert_int_equal(open_text("{", &why), -EINVAL);
    assert_int_equal(open_text("[1, 2]", &why), -EINVAL);
    assert_int_equal(open_text("{}", &why), -EINVAL);
    assert_non_null(strstr(why.text, "name"));
    assert_int_equal(open_text("{\"name\": 1, \"name\": 2}", &why), -EINVAL);
    assert_int_equal(sonde_measure_simulation_open(&planted.meter, &planted.machine,
                                                   &planted.facts, "/no/such/model.json",
                                                   0, 1, &why),
                     -ENOENT);
    assert_non_null(strstr(why.text, "/no/such/model.json"));
}

/* Every model that is shipped opens, for each of its kinds and for no further one. */
static void test_shipped_models(void **state)
{
    static const char *const names[] = {
        "two-level",     "three-level", "four-level",    "l1-48k",
        "l1-96k",        "no-l2",       "line-128",      "page-16k",
        "exclusive-llc", "noise-5",     "noise-20",      "neighbour",
        "hybrid",        "emulated",    "huge-honoured", "tiny-memory"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct planted planted = open_model(names[i]), beyond;
        size_t kinds = planted.machine.kind_count;
        char path[512];

        snprintf(path, sizeof path, "%s/%s.json", SONDE_MODELS, names[i]);
        assert_string_equal(planted.machine.host, "simulated");
        assert_true(planted.facts.count > 0);
        close_planted(&planted);
        assert_int_equal(sonde_measure_simulation_open(&beyond.meter, &beyond.machine,
                                                       &beyond.facts, path,
                                                       (unsigned)kinds, 1, NULL),
                         -EINVAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latencies),
        cmocka_unit_test(test_first_level_is_exact),
        cmocka_unit_test(test_sparse_agrees_with_dense),
        cmocka_unit_test(test_exclusive_capacity),
        cmocka_unit_test(test_inclusive_levels_take_lines_along),
        cmocka_unit_test(test_neighbour_takes_capacity),
        cmocka_unit_test(test_translation),
        cmocka_unit_test(test_conflicts),
        cmocka_unit_test(test_conflicts_below_span),
        cmocka_unit_test(test_prefetch),
        cmocka_unit_test(test_shared_lines),
        cmocka_unit_test(test_miss_shares),
        cmocka_unit_test(test_same_seed_same_readings),
        cmocka_unit_test(test_disturbances),
        cmocka_unit_test(test_neighbour_spells),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_other_kernels),
        cmocka_unit_test(test_neighbour_slows_throughput),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_broken_models),
        cmocka_unit_test(test_broken_files),
        cmocka_unit_test(test_shipped_models),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
