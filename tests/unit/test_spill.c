/* The law of spilling against pages that are really dealt into sets, and capacities read
 * from curves that follow it. */
#include "base/random.h"
#include "infer/spill.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { GRANULE = 4096, POINTS = 72, DENSITY = 8, COLOURS_MAX = 1024 };

static const double smallest = 16 << 10;

/* Deals the pages of a ring to colours: the share that a cyclic walk does not find again.
 */
static double dealt(struct random_source *random, double bytes, double capacity,
                    unsigned ways)
{
    static unsigned count[COLOURS_MAX];
    size_t colours = (size_t)(capacity / (ways * GRANULE));
    size_t pages = (size_t)(bytes / GRANULE), lost = 0;

    for (size_t i = 0; i < colours; i++)
        count[i] = 0;
    for (size_t i = 0; i < pages; i++)
        count[sonde_base_random_below(random, colours)]++;
    for (size_t i = 0; i < colours; i++)
        lost += count[i] > ways ? count[i] : 0;
    return (double)lost / (double)pages;
}

static double dealt_often(struct random_source *random, double bytes, double capacity,
                          unsigned ways, unsigned times)
{
    double sum = 0;

    for (unsigned i = 0; i < times; i++)
        sum += dealt(random, bytes, capacity, ways);
    return sum / times;
}

static void share_as_dealt(void **state)
{
    static const unsigned ways[] = {4, 8, 16};
    struct random_source random;

    (void)state;
    sonde_base_random_seed(&random, 7);
    for (size_t k = 0; k < 3; k++)
        for (double bytes = 128 << 10; bytes <= 4 << 20; bytes *= 1.3) {
            double pages = floor(bytes / GRANULE);
            double seen = dealt_often(&random, bytes, 1 << 20, ways[k], 400);
            double law =
                sonde_infer_spill_share(pages * GRANULE, 1 << 20, ways[k], GRANULE);

            assert_true(fabs(seen - law) < 0.03);
        }
}

static void share_at_the_limits(void **state)
{
    (void)state;
    assert_true(sonde_infer_spill_share(4096, 1 << 20, 8, GRANULE) == 0);
    assert_true(sonde_infer_spill_share(8 * 4096, 1 << 20, 8, GRANULE) == 0);
    assert_true(sonde_infer_spill_share(64 << 20, 1 << 20, 8, GRANULE) > 0.999);
    /* One colour: all pages share their sets, and the edge is sharp. */
    assert_true(sonde_infer_spill_share(32 << 10, 32 << 10, 8, GRANULE) == 0);
    assert_true(sonde_infer_spill_share(36 << 10, 32 << 10, 8, GRANULE) == 1);
}

struct drawn {
    double size[POINTS], cost[POINTS];
    struct shape shape;
};

static void draw(struct drawn *drawn, double capacity, unsigned ways, double noise,
                 uint64_t seed)
{
    struct random_source random;
    struct curve curve = {.count = POINTS, .size = drawn->size, .cost = drawn->cost};

    sonde_base_random_seed(&random, seed);
    for (size_t i = 0; i < POINTS; i++) {
        drawn->size[i] = smallest * exp2((double)i / DENSITY);
        drawn->cost[i] =
            (12 + 38 * dealt_often(&random, drawn->size[i], capacity, ways, 9)) *
            exp(noise * sonde_base_random_normal(&random));
    }
    assert_int_equal(sonde_infer_shape_open(&drawn->shape, &curve), 0);
}

static void capacity_found(void **state)
{
    static const unsigned ways[] = {4, 8, 16};
    static const double capacity[] = {256 << 10, 512 << 10, 1 << 20};
    struct drawn drawn;
    unsigned right = 0;

    (void)state;
    for (size_t k = 0; k < 3; k++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            bool noisy = seed % 2;
            /* The half-rise is rarely where the capacity is. */
            double near = log2(capacity[k]) + 0.3 * (seed % 3 - 1.0);
            struct spill spill;

            draw(&drawn, capacity[k], ways[k], noisy ? 0.1 : 0.02, seed);
            right += sonde_infer_spill_fit(&drawn.shape, near, 12, GRANULE, &spill) &&
                     fabs(spill.at - log2(capacity[k])) < (noisy ? 0.25 : 0.125);
            sonde_infer_shape_close(&drawn.shape);
        }
    assert_in_range(right, 57, 60);
}

static void needs_both_sides(void **state)
{
    struct drawn drawn;
    struct spill spill;

    (void)state;
    draw(&drawn, 4 << 20, 8, 0, 1);
    /* The curve ends at 7.3 MiB: less than an octave beyond what is asked. */
    assert_false(sonde_infer_spill_fit(&drawn.shape, 24, 12, GRANULE, &spill));
    sonde_infer_shape_close(&drawn.shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(share_as_dealt),
        cmocka_unit_test(share_at_the_limits),
        cmocka_unit_test(capacity_found),
        cmocka_unit_test(needs_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
