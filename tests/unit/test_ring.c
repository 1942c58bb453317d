/* Rings: every layout gives a closed cycle that meets each node once, windows follow one
 * another, and the same seed gives the same order however it is asked for. */
#include "measure/ring.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static struct layout ring_layout(uint64_t nodes, uint64_t pitch, uint64_t window)
{
    struct layout layout = {
        .kind = LAYOUT_RING, .nodes = nodes, .pitch = pitch, .window = window};

    layout.bytes = nodes * pitch;
    return layout;
}

static void open_ring(struct ring *ring, const struct layout *layout, uint64_t seed)
{
    assert_int_equal(sonde_measure_ring_open(ring, layout, seed), 0);
}

/* Each node once in the first cycle, and the second cycle repeats the first. */
static void assert_permutation(struct ring *ring, uint64_t nodes)
{
    uint64_t *first = calloc(nodes, sizeof *first);
    unsigned char *seen = calloc(nodes, 1);

    assert_non_null(first);
    assert_non_null(seen);
    for (uint64_t step = 0; step < nodes; step++) {
        first[step] = sonde_measure_ring_node(ring, step);
        assert_in_range(first[step], 0, nodes - 1);
        assert_int_equal(seen[first[step]]++, 0);
    }
    for (uint64_t step = 0; step < nodes; step++)
        assert_int_equal(sonde_measure_ring_node(ring, nodes + step), first[step]);
    free(first);
    free(seen);
}

static void test_permutations(void **state)
{
    static const uint64_t shapes[][3] = {
        {1, 8, 0},        {2, 64, 0},       {3, 64, 128},          {1000, 64, 0},
        {1000, 64, 4096}, {4096, 128, 512}, {77, 4096, 64 * 4096}, {100, 64, 64}};

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        struct layout layout = ring_layout(shapes[i][0], shapes[i][1], shapes[i][2]);
        struct ring ring;

        open_ring(&ring, &layout, 11 + i);
        assert_permutation(&ring, layout.nodes);
        sonde_measure_ring_close(&ring);
    }
}

static void test_windows_in_order(void **state)
{
    struct layout layout = ring_layout(1000, 64, 4096); /* 64 nodes a window */
    struct ring ring;

    (void)state;
    open_ring(&ring, &layout, 5);
    assert_int_equal(ring.per_window, 64);
    assert_int_equal(ring.windows, 16);
    for (uint64_t step = 0; step < 1000; step++)
        assert_int_equal(sonde_measure_ring_node(&ring, step) / 64, step / 64);
    sonde_measure_ring_close(&ring);
}

static void test_last_window_partial(void **state)
{
    struct layout layout = ring_layout(10, 64, 256);
    struct ring ring;
    unsigned seen = 0;

    (void)state;
    open_ring(&ring, &layout, 5);
    assert_int_equal(ring.windows, 3);
    for (uint64_t step = 8; step < 10; step++)
        seen |= 1u << sonde_measure_ring_node(&ring, step);
    assert_int_equal(seen, 1u << 8 | 1u << 9);
    sonde_measure_ring_close(&ring);
}

/* Windows are not all shuffled alike, and not left as they are. */
static void test_windows_differ(void **state)
{
    struct layout layout = ring_layout(256, 64, 64 * 64);
    unsigned same = 0, in_place = 0;
    uint64_t first[64];
    struct ring ring;

    (void)state;
    open_ring(&ring, &layout, 9);
    for (uint64_t step = 0; step < 64; step++) {
        first[step] = sonde_measure_ring_node(&ring, step);
        in_place += first[step] == step;
    }
    for (uint64_t step = 0; step < 64; step++)
        same += sonde_measure_ring_node(&ring, 64 + step) == 64 + first[step];
    assert_in_range(in_place, 0, 16);
    assert_in_range(same, 0, 16);
    sonde_measure_ring_close(&ring);
}

static void test_deterministic(void **state)
{
    struct layout layout = ring_layout(512, 64, 4096);
    struct ring forward, backward, other;
    unsigned same = 0;

    (void)state;
    open_ring(&forward, &layout, 3);
    open_ring(&backward, &layout, 3);
    open_ring(&other, &layout, 4);
    for (uint64_t step = 0; step < 512; step++) {
        uint64_t node = sonde_measure_ring_node(&forward, step);

        sonde_measure_ring_node(&backward, 511 - step);
        assert_int_equal(sonde_measure_ring_node(&backward, step), node);
        same += sonde_measure_ring_node(&other, step) == node;
    }
    assert_in_range(same, 0, 128);
    sonde_measure_ring_close(&forward);
    sonde_measure_ring_close(&backward);
    sonde_measure_ring_close(&other);
}

static void test_ascending(void **state)
{
    struct layout layout = ring_layout(100, 64, 1024);
    struct ring ring;

    (void)state;
    layout.order = ORDER_ASCENDING;
    open_ring(&ring, &layout, 3);
    for (uint64_t step = 0; step < 250; step++)
        assert_int_equal(sonde_measure_ring_node(&ring, step), step % 100);
    assert_null(ring.order);
    sonde_measure_ring_close(&ring);
}

static void test_offsets(void **state)
{
    struct layout layout = ring_layout(130, 4096, 0);

    (void)state;
    layout.skew = 64;
    assert_int_equal(sonde_measure_ring_offset(&layout, 0), 0);
    assert_int_equal(sonde_measure_ring_offset(&layout, 1), 4096 + 64);
    assert_int_equal(sonde_measure_ring_offset(&layout, 63), 63 * 4096 + 63 * 64);
    assert_int_equal(sonde_measure_ring_offset(&layout, 64), 64 * 4096);
}

/* A pair takes two steps a node; a shift moves all nodes alike. */
static void test_pairs(void **state)
{
    struct layout layout = ring_layout(10, 1024, 0);

    (void)state;
    assert_int_equal(sonde_measure_ring_steps(&layout), 10);
    layout.pair = 1016;
    layout.shift = 24;
    assert_true(sonde_measure_ring_valid(&layout));
    assert_int_equal(sonde_measure_ring_steps(&layout), 20);
    assert_int_equal(sonde_measure_ring_offset(&layout, 0), 24);
    assert_int_equal(sonde_measure_ring_offset(&layout, 9), 9 * 1024 + 24);
}

static void test_refused(void **state)
{
    struct layout bad[] = {
        ring_layout(0, 64, 0),  ring_layout(4, 0, 0),    ring_layout(4, 12, 0),
        ring_layout(4, 64, 32), ring_layout(4, 64, 128), ring_layout(4, 64, 0),
        ring_layout(4, 64, 0),  ring_layout(4, 64, 0),   ring_layout(4, 64, 0)};
    struct ring ring;

    (void)state;
    bad[4].kind = LAYOUT_BLOCK;
    bad[5].skew = 4;
    bad[6].pair = 12;
    bad[7].pair = 64;
    bad[8].shift = 4;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(sonde_measure_ring_open(&ring, &bad[i], 1), -EINVAL);
        sonde_measure_ring_close(&ring);
    }
}

/* Backwards inside windows; with window 0 all of it. */
static void test_descending(void **state)
{
    struct layout layout = ring_layout(12, 64, 0);
    struct ring ring;

    (void)state;
    layout.order = ORDER_DESCENDING;
    open_ring(&ring, &layout, 1);
    for (uint64_t step = 0; step < 24; step++)
        assert_int_equal(sonde_measure_ring_node(&ring, step), 11 - step % 12);
    sonde_measure_ring_close(&ring);
    layout.window = 256;
    open_ring(&ring, &layout, 1);
    for (uint64_t step = 0; step < 12; step++)
        assert_int_equal(sonde_measure_ring_node(&ring, step),
                         step / 4 * 4 + 3 - step % 4);
    sonde_measure_ring_close(&ring);
}

/* Windows in random order, each in address order; walked window by window or by step. */
static void test_scattered(void **state)
{
    struct layout layout = ring_layout(64 * 40, 64, 4096);
    struct ring ring;
    uint64_t moved = 0, first, count;

    (void)state;
    layout.order = ORDER_SCATTERED;
    open_ring(&ring, &layout, 3);
    assert_permutation(&ring, layout.nodes);
    for (uint64_t window = 0; window < ring.windows; window++) {
        assert_null(sonde_measure_ring_window(&ring, window, &first, &count));
        assert_int_equal(count, 64);
        moved += first != 64 * window;
        for (uint64_t i = 0; i < count; i++)
            assert_int_equal(sonde_measure_ring_node(&ring, 64 * window + i), first + i);
    }
    assert_true(moved > 30);
    sonde_measure_ring_close(&ring);
    layout.nodes--; /* windows must divide it */
    assert_int_equal(sonde_measure_ring_open(&ring, &layout, 1), -EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descending),
        cmocka_unit_test(test_scattered),
        cmocka_unit_test(test_permutations),
        cmocka_unit_test(test_windows_in_order),
        cmocka_unit_test(test_last_window_partial),
        cmocka_unit_test(test_windows_differ),
        cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_ascending),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
