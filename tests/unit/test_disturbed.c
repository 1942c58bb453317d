/* A neighbour holds a part of a level most of the time: its capacity comes back from the
 * moments in which it did not, and the interval says when those were few. */
#include "curves.h"
#include "support.h"

#include "infer/extract.h"

enum { SAMPLES = 40 };

static const double second_bytes = 512 << 10, page_bytes = 4096;

static double cost_at(double size, double second, struct random_source *random)
{
    struct planted planted = {.capacity = {32 << 10, second, 4 << 20},
                              .cost = {4, 12, 42, 400},
                              .count = 4,
                              .noise = 0.02,
                              .spill = 0.5};
    return planted_sample(&planted, size, random);
}

/* Four rounds in five see six tenths of the second level, the fifth all of it. */
static struct series *plant(struct series_list *list, double set_aside, uint64_t seed)
{
    struct series *series = sonde_measure_series_add(list, "windowed");
    struct random_source random;
    sonde_base_random_seed(&random, seed);
    series->axes[0] = (struct axis){"size", "bytes", "log2"};
    series->axis_count = 1;
    series->unit = "ns";
    for (double octave = 12; octave <= 25; octave += 0.125) {
        struct series_point *point = sonde_measure_point_add(series);
        point->at[0] = exp2(octave);
        point->n = SAMPLES;
        point->rejected = (size_t)(SAMPLES * set_aside / (1 - set_aside));
        point->samples = calloc(SAMPLES, sizeof *point->samples);
        for (size_t k = 0; k < SAMPLES; k++) {
            double second = k / 2 % 5 ? 0.6 * second_bytes : second_bytes;
            double cycles = cost_at(point->at[0], second, &random);
            point->samples[k] = (struct sample){
                .value = cycles / 3, .cycles = cycles, .round = (uint32_t)(k / 2)};
        }
        sonde_measure_summarise(point, STATISTIC_Q25);
    }
    return series;
}

static struct level level_of(size_t which, double set_aside, uint64_t seed)
{
    struct series_list list = {0};
    struct extract extract;
    struct levels levels;
    struct levels_options options = sonde_infer_levels_defaults();
    options.granule_bytes = page_bytes;
    assert_int_equal(
        sonde_infer_extract(plant(&list, set_aside, seed), GRAIN_SAMPLE, &extract), 0);
    assert_int_equal(sonde_infer_levels(&extract.curve, &options, &levels, NULL), 0);
    assert_in_range(levels.count, 3, LEVELS_MAX);
    sonde_infer_extract_free(&extract);
    sonde_measure_series_list_free(&list);
    return levels.level[which];
}

static bool holds(const struct level *level)
{
    return level->capacity_low <= second_bytes && second_bytes <= level->capacity_high;
}

static void the_best_samples_tell(void **state)
{
    unsigned held = 0, by_rounds = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct level level = level_of(1, 0.7, seed);
        held += holds(&level) && fabs(log2(level.capacity / second_bytes)) < 0.1;
        level = level_of(1, 0.5, seed);
        by_rounds += level.capacity < 0.8 * second_bytes;
    }
    assert_int_equal(held, 20);
    assert_in_range(by_rounds, 15, 20); /* what the low quartile would have said */
}

/* Of a level that is shared no law tells how it spills: where its boundary was seen in
 * few moments there may be more of it. */
static void few_moments_are_told(void **state)
{
    struct level often = level_of(2, 0.7, 1), seldom = level_of(2, 0.9, 1);
    (void)state;
    assert_true(seldom.capacity == often.capacity);
    assert_true(seldom.capacity_low == often.capacity_low);
    assert_true(seldom.capacity_high > 1.15 * often.capacity_high);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_samples_tell),
        cmocka_unit_test(few_moments_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
