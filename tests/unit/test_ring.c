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

/* The skew begins anew after its period, 64 nodes unless the layout says otherwise. */
static void test_skew(void **state)
{
    struct layout layout = ring_layout(3000, 16384, 0);

    (void)state;
    layout.skew = 64;
    assert_int_equal(sonde_measure_ring_offset(&layout, 63), 63 * 16384 + 63 * 64);
    assert_int_equal(sonde_measure_ring_offset(&layout, 64), 64 * 16384);
    layout.skew_period = 256;
    assert_int_equal(sonde_measure_ring_offset(&layout, 255), 255 * 16384 + 255 * 64);
    assert_int_equal(sonde_measure_ring_offset(&layout, 256), 256 * 16384);
}

static struct layout views_layout(unsigned views, uint64_t group)
{
    struct layout layout = ring_layout(512, 8, 0);

    layout.views = views;
    layout.view_bytes = 4096;
    layout.view_group = group;
    return layout;
}

/* All views serve alike, each pointer through its own; a line of pointers through one. */
static void test_views(void **state)
{
    (void)state;
    for (unsigned views = 1; views <= VIEWS_MAX; views *= 2) {
        struct layout each = views_layout(views, 8), lines = views_layout(views, 64);
        unsigned used[VIEWS_MAX] = {0};
        struct ring ring;

        open_ring(&ring, &each, 3);
        for (uint64_t node = 0; node < 512; node++) {
            uint64_t place = sonde_measure_ring_place(&ring, node);

            assert_int_equal(place % 4096, 8 * node);
            assert_in_range(place / 4096, 0, views - 1);
            used[place / 4096]++;
        }
        for (unsigned i = 0; i < views; i++)
            assert_int_equal(used[i], 512 / views);
        sonde_measure_ring_close(&ring);
        open_ring(&ring, &lines, 3);
        for (uint64_t node = 0; node < 512; node++)
            assert_int_equal(ring.view[node], ring.view[node / 8 * 8]);
        sonde_measure_ring_close(&ring);
        assert_true(sonde_measure_ring_switching(&lines, 3, 64) == 0);
    }
}

/* Of v views all but one in v are another one; a line of one pointer has one view. */
static void test_switching(void **state)
{
    (void)state;
    for (unsigned views = 1; views <= VIEWS_MAX; views *= 2) {
        struct layout layout = views_layout(views, 8);
        double mean = 0;

        for (uint64_t seed = 1; seed <= 20; seed++)
            mean += sonde_measure_ring_switching(&layout, seed, 64) / 20;
        assert_true(mean > 1 - 1.0 / views - 0.02 && mean < 1 - 1.0 / views + 0.02);
        assert_true(sonde_measure_ring_switching(&layout, 1, 8) == 0);
        assert_true(sonde_measure_ring_switching(&layout, 7, 64) ==
                    sonde_measure_ring_switching(&layout, 7, 64));
    }
}

static void test_broken_views(void **state)
{
    struct layout many = views_layout(VIEWS_MAX + 1, 8), none = views_layout(2, 0);
    struct layout large = views_layout(2, 8);

    (void)state;
    large.nodes = 513;
    assert_false(sonde_measure_ring_valid(&many));
    assert_false(sonde_measure_ring_valid(&none));
    assert_false(sonde_measure_ring_valid(&large));
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

/* Row after row of the same pages, each node at a place of its own. */
static void test_rows(void **state)
{
    struct layout layout = ring_layout(64, 4096, 0);
    unsigned char *seen = calloc(16 * 4096 / 64, 1);

    (void)state;
    assert_non_null(seen);
    layout.row = 16;
    layout.row_step = 256;
    assert_true(sonde_measure_ring_valid(&layout));
    for (uint64_t node = 0; node < layout.nodes; node++) {
        uint64_t place = sonde_measure_ring_offset(&layout, node);

        assert_true(place == node % 16 * 4096 + node / 16 * 256);
        assert_int_equal(seen[place / 64]++, 0);
    }
    free(seen);
    layout.row_step = 2048; /* the third row would begin at the second node */
    assert_false(sonde_measure_ring_valid(&layout));
    layout.row_step = 0;
    assert_false(sonde_measure_ring_valid(&layout));
    layout.row_step = 12;
    assert_false(sonde_measure_ring_valid(&layout));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_descending),
        cmocka_unit_test(test_scattered),
        cmocka_unit_test(test_permutations),
        cmocka_unit_test(test_windows_in_order),
        cmocka_unit_test(test_last_window_partial),
        cmocka_unit_test(test_windows_differ),
        cmocka_unit_test(test_skew),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_switching),
        cmocka_unit_test(test_broken_views),
        cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_ascending),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
