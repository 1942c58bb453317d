/* Blocks hold what their layout asks for: sorted content the amounts of random content,
 * in order; and a block that is to be fresh differs before every sample. */
#include "support.h"

#include "kernels/kernel.h"
#include "machine/machine.h"
#include "measure/content.h"
#include "measure/meter.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 128 };

static void fill(uint64_t *words, enum layout_content content, uint64_t seed)
{
    struct layout layout = {.kind = LAYOUT_BLOCK,
                            .bytes = WORDS * 8,
                            .content = content,
                            .word = UINT64_C(0x1111111111111111)};

    memset(words, 0x5a, WORDS * 8);
    sonde_measure_fill(&layout, (char *)words, seed);
}

static uint64_t count_ones(const uint64_t *words)
{
    uint64_t ones = 0;

    for (int i = 0; i < 64 * WORDS; i++)
        ones += words[i / 64] >> i % 64 & 1;
    return ones;
}

static void test_seed_decides(void **state)
{
    uint64_t first[WORDS], again[WORDS], other[WORDS];

    (void)state;
    fill(first, CONTENT_RANDOM, 1);
    fill(again, CONTENT_RANDOM, 1);
    fill(other, CONTENT_RANDOM, 2);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
}

static void test_sorted_bits(void **state)
{
    uint64_t random[WORDS], sorted[WORDS];

    (void)state;
    for (uint64_t seed = 1; seed < 100; seed++) {
        bool ones = false;

        fill(random, CONTENT_RANDOM, seed);
        fill(sorted, CONTENT_SORTED_BITS, seed);
        assert_int_equal(count_ones(random), count_ones(sorted));
        for (int i = 0; i < 64 * WORDS; i++) {
            bool bit = sorted[i / 64] >> i % 64 & 1;

            assert_true(bit || !ones);
            ones = bit;
        }
    }
}

static void test_sorted_bytes(void **state)
{
    uint64_t random[WORDS], sorted[WORDS];
    const unsigned char *bytes = (const unsigned char *)sorted;
    const unsigned char *drawn = (const unsigned char *)random;
    int balance[256] = {0};

    (void)state;
    fill(random, CONTENT_RANDOM, 3);
    fill(sorted, CONTENT_SORTED_BYTES, 3);
    for (int i = 0; i < 8 * WORDS; i++) {
        assert_true(i == 0 || bytes[i - 1] <= bytes[i]);
        balance[bytes[i]]++;
        balance[drawn[i]]--;
    }
    for (int value = 0; value < 256; value++)
        assert_int_equal(balance[value], 0);
}

static void test_regular(void **state)
{
    uint64_t words[WORDS];
    const uint16_t *numbers = (const uint16_t *)(const void *)words;

    (void)state;
    fill(words, CONTENT_WORD, 1);
    for (int i = 0; i < WORDS; i++)
        assert_true(words[i] == UINT64_C(0x1111111111111111));
    fill(words, CONTENT_COUNTING, 1);
    for (int i = 0; i < 4 * WORDS; i++)
        assert_int_equal(numbers[i], i);
}

/* What two samples in one placement read. */
static void sample_twice(struct meter *meter, bool fresh, uint64_t *first,
                         uint64_t *second)
{
    struct point point = {.kernel = sonde_kernel_find("branch_bits"), .operations = 1};
    struct placement placement;
    struct reading reading = {0};
    struct message why = {{0}};

    point.layout = (struct layout){
        .kind = LAYOUT_BLOCK, .pages = PAGES_SMALL, .bytes = WORDS * 8, .fresh = fresh};
    assert_int_equal(meter->ops->place(meter->self, &point, 7, &placement, &why), 0);
    assert_int_equal(
        meter->ops->sample(meter->self, &point, &placement, 64 * WORDS, &reading), 0);
    assert_true(reading.correct);
    memcpy(first, placement.base, WORDS * 8);
    assert_int_equal(
        meter->ops->sample(meter->self, &point, &placement, 64 * WORDS, &reading), 0);
    assert_true(reading.correct);
    memcpy(second, placement.base, WORDS * 8);
}

static void test_fresh_is_never_seen_twice(void **state)
{
    uint64_t first[WORDS], second[WORDS], granted;
    struct machine machine = {.page_bytes = 4096};
    struct message why = {{0}};
    struct meter meter;

    (void)state;
    assert_int_equal(sonde_measure_hardware_open(&meter, &machine, 1 << 24, &why), 0);
    assert_int_equal(meter.ops->reserve(meter.self, PAGES_SMALL, 1 << 16, &granted), 0);
    sample_twice(&meter, true, first, second);
    for (int i = 0; i < WORDS; i++)
        assert_true(first[i] != second[i]);
    sample_twice(&meter, false, first, second);
    assert_memory_equal(first, second, sizeof first);
    meter.ops->close(meter.self);
}

static void open_meter(struct meter *meter, uint64_t bytes)
{
    static const struct machine machine = {.page_bytes = 4096};
    struct message why = {{0}};
    uint64_t granted;

    assert_int_equal(sonde_measure_hardware_open(meter, &machine, 1 << 24, &why), 0);
    assert_int_equal(meter->ops->reserve(meter->self, PAGES_SMALL, bytes, &granted), 0);
}

static struct point strided(uint64_t stride, uint64_t pass)
{
    return (struct point){.kernel = sonde_kernel_find("stride_words"),
                          .operations = 8,
                          .argument = pass << 32 | stride,
                          .layout = {.kind = LAYOUT_BLOCK,
                                     .pages = PAGES_SMALL,
                                     .bytes = pass * stride,
                                     .pitch = stride,
                                     .pass = pass,
                                     .content = CONTENT_TILED}};
}

/* Parts of a pass follow each other, the next pass begins anew, and all are correct. */
static void test_samples_go_on_in_a_pass(void **state)
{
    static const uint64_t steps[] = {32, 32, 64, 32, 160, 320, 32};
    static const uint64_t after[] = {32, 64, 128, 160, 160, 160, 32};
    struct point point = strided(120, 160);
    struct placement placement;
    struct message why = {{0}};
    struct meter meter;

    (void)state;
    open_meter(&meter, 1 << 16);
    assert_int_equal(meter.ops->place(meter.self, &point, 3, &placement, &why), 0);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct reading reading = {0};

        assert_int_equal(
            meter.ops->sample(meter.self, &point, &placement, steps[i], &reading), 0);
        assert_true(reading.correct);
        assert_int_equal(placement.position, after[i]);
    }
    meter.ops->close(meter.self);
}

/* Whatever else was placed in between, tiles are there when they are wanted. */
static void test_tiles_are_laid_anew_when_needed(void **state)
{
    struct point tiled = strided(8, 1024), other = tiled;
    struct message why = {{0}};
    struct meter meter;

    (void)state;
    other.layout.content = CONTENT_RANDOM;
    open_meter(&meter, 1 << 16);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct placement placement;
        struct reading reading = {0};

        assert_int_equal(meter.ops->place(meter.self, &tiled, seed, &placement, &why), 0);
        assert_int_equal(
            meter.ops->sample(meter.self, &tiled, &placement, 1024, &reading), 0);
        assert_true(reading.correct);
        if (seed % 3)
            continue;
        /* Random words do not repeat themselves, and the prediction says so. */
        assert_int_equal(meter.ops->place(meter.self, &other, seed, &placement, &why), 0);
        assert_int_equal(
            meter.ops->sample(meter.self, &other, &placement, 1024, &reading), 0);
        assert_false(reading.correct);
    }
    meter.ops->close(meter.self);
}

/* --- what passes by before samples --- */

enum { PASSED_MOST = 8 };

static struct {
    char *piece[PASSED_MOST];
    uint64_t steps[PASSED_MOST];
    size_t count;
} passed;

static uint64_t note_piece(void *data, uint64_t count, uint64_t argument)
{
    (void)argument;
    passed.piece[passed.count % PASSED_MOST] = data;
    passed.steps[passed.count++ % PASSED_MOST] = count;
    return 0;
}

/* Piece by piece of the stretch behind the ring, again from its beginning at its end. */
static void test_pieces_pass_by_in_turn(void **state)
{
    const struct kernel noting = {.name = "noting", .unroll = 1, .run = note_piece};
    struct point point = {
        .kernel = sonde_kernel_find("chase"),
        .layout = {.kind = LAYOUT_RING,
                   .pages = PAGES_SMALL,
                   .nodes = 64,
                   .pitch = 64,
                   .bytes = 4096,
                   .beside = 3 * 4096},
        .operations = 1,
        .stir = {.kernel = &noting, .steps = 5, .bytes = 3 * 4096, .piece = 4096}};
    struct placement placement;
    struct reading reading;
    struct message why = {{0}};
    struct meter meter;
    char *base;

    (void)state;
    passed.count = 0;
    open_meter(&meter, 4 * 4096);
    assert_int_equal(meter.ops->place(meter.self, &point, 1, &placement, &why), 0);
    base = placement.detail;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(meter.ops->sample(meter.self, &point, &placement, 64, &reading),
                         0);
        assert_true(reading.correct);
    }
    assert_int_equal(passed.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_ptr_equal(passed.piece[i], base + 4096 + i % 3 * 4096);
        assert_int_equal(passed.steps[i], 5);
    }
    meter.ops->close(meter.self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seed_decides),
        cmocka_unit_test(test_sorted_bits),
        cmocka_unit_test(test_sorted_bytes),
        cmocka_unit_test(test_regular),
        cmocka_unit_test(test_fresh_is_never_seen_twice),
        cmocka_unit_test(test_samples_go_on_in_a_pass),
        cmocka_unit_test(test_tiles_are_laid_anew_when_needed),
        cmocka_unit_test(test_pieces_pass_by_in_turn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
