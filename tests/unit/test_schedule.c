/* Who joins a round: time is poured evenly, what the cheap leave goes to the dear, and
 * nobody waits for ever; and which samples had the core to themselves. */
#include "support.h"

#include "measure/quiet.h"
#include "measure/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void close_to(double value, double expected)
{
    if (fabs(value - expected) > 1e-4 * fabs(expected))
        fail_msg("%g is not %g", value, expected);
}

static struct turn turn(double cost_s)
{
    return (struct turn){.cost_s = cost_s, .weight = 1, .open = true};
}

static void level_is_poured_evenly(void **state)
{
    (void)state;
    struct turn turns[] = {turn(1), turn(2), turn(10), turn(5)};
    turns[3].open = false;
    close_to(sonde_measure_schedule_level(turns, 4, 3), 1);
    close_to(sonde_measure_schedule_level(turns, 4, 4), 1.5);
    close_to(sonde_measure_schedule_level(turns, 4, 7), 4);
    close_to(sonde_measure_schedule_level(turns, 4, 100), 10);
    assert_true(sonde_measure_schedule_level(turns, 0, 1) == 0);
    turns[2].weight = 4; /* min(1, l) + min(2, l) + min(10, 4 l) */
    close_to(sonde_measure_schedule_level(turns, 4, 6), 1);
}

static void first_round_takes_all(void **state)
{
    (void)state;
    struct turn turns[] = {turn(0), turn(0), turn(0)};
    turns[1].open = false;
    assert_int_equal(sonde_measure_schedule_round(turns, 3, 1), 2);
    assert_true(turns[0].joins && !turns[1].joins && turns[2].joins);
}

static void dear_ones_save_up(void **state)
{
    (void)state;
    struct turn turns[] = {turn(1), turn(1), turn(8)};
    unsigned visits[3] = {0};
    for (unsigned round = 0; round < 80; round++) {
        sonde_measure_schedule_round(turns, 3, 4); /* the dear one gets 2 a round */
        for (unsigned i = 0; i < 3; i++)
            visits[i] += turns[i].joins;
    }
    assert_int_equal(visits[0], 80);
    assert_int_equal(visits[1], 80);
    assert_in_range(visits[2], 19, 20);
}

static void no_round_is_empty(void **state)
{
    (void)state;
    struct turn turns[] = {turn(8), turn(9)};
    unsigned visits[2] = {0};
    for (unsigned round = 0; round < 100; round++) {
        assert_true(sonde_measure_schedule_round(turns, 2, 1e-9) >= 1);
        visits[0] += turns[0].joins;
        visits[1] += turns[1].joins;
    }
    assert_true(visits[0] >= 30 && visits[1] >= 30);
    turns[0].open = turns[1].open = false;
    assert_int_equal(sonde_measure_schedule_round(turns, 2, 1), 0);
    assert_true(isinf(sonde_measure_schedule_cheapest(turns, 2)));
}

static void neighbours_are_told_by_the_share(void **state)
{
    (void)state;
    struct quiet *quiet = calloc(1, sizeof *quiet);
    struct sample samples[] = {{.value = 1, .share = 3.9},
                               {.value = 2, .share = 2.0},
                               {.value = 3, .share = NAN},
                               {.value = 4, .share = 3.63}};
    assert_non_null(quiet);
    assert_true(sonde_measure_quiet_now(quiet));
    assert_int_equal(sonde_measure_quiet_count(quiet->enough, samples, 4), 4);
    for (int i = 0; i < 900; i++)
        sonde_measure_quiet_note(quiet, 2.0); /* there most of the time */
    for (int i = 0; i < 100; i++)
        sonde_measure_quiet_note(quiet, 4.0);
    sonde_measure_quiet_note(quiet, NAN);
    sonde_measure_quiet_update(quiet);
    assert_true(fabs(quiet->whole - 4.0) < 0.01);
    assert_true(sonde_measure_quiet_now(quiet)); /* not known is no neighbour */
    sonde_measure_quiet_note(quiet, 2.2);
    assert_false(sonde_measure_quiet_now(quiet));
    assert_int_equal(sonde_measure_quiet_keep(quiet->enough, samples, 4), 3);
    assert_true(samples[0].value == 1 && samples[1].value == 3 && samples[2].value == 4);
    free(quiet);
}

/* A neighbour that waits for memory leaves anything from half to nearly all. */
static void note_waiting_neighbour(struct quiet *quiet, int count)
{
    for (int i = 0; i < count; i++)
        sonde_measure_quiet_note(quiet, 2.0 + 1.7 * i / count);
}

static void a_whole_core_is_a_peak(void **state)
{
    struct quiet *quiet = calloc(1, sizeof *quiet);

    (void)state;
    assert_non_null(quiet);
    quiet->strict = true;
    note_waiting_neighbour(quiet, 5000);
    sonde_measure_quiet_update(quiet);
    assert_false(quiet->peak); /* never had alone: the best of it counts */
    assert_true(quiet->whole > 3.5 && quiet->whole < 3.7);
    assert_true(quiet->enough > 0.96 * quiet->whole);
    for (int i = 0; i < 100; i++)
        sonde_measure_quiet_note(quiet, 3.98 + 0.0004 * i);
    sonde_measure_quiet_update(quiet);
    assert_true(quiet->peak && fabs(quiet->whole - 4.0) < 0.02);
    assert_true(quiet->near > 3.55 && quiet->near < 3.65);
    assert_true(quiet->enough > 3.7 && quiet->enough < 3.95);
    /* What others knew of it is no less, and all but it is shared. */
    memset(&quiet->seen, 0, sizeof quiet->seen);
    quiet->least = 4.0;
    for (int i = 0; i < 1000; i++)
        sonde_measure_quiet_note(quiet, 2.0);
    sonde_measure_quiet_update(quiet);
    assert_true(quiet->enough > 3.8 && quiet->enough < 4.0);
    free(quiet);
}

/* Samples of `rounds` rounds, three each; those of round r had a share of 4 - r / 10. */
static size_t make_rounds(struct sample *samples, uint32_t rounds)
{
    for (uint32_t i = 0; i < 3 * rounds; i++)
        samples[i] = (struct sample){.round = i / 3, .share = 4 - 0.1 * (i / 3)};
    return 3 * rounds;
}

static void the_best_of_enough_rounds_count(void **state)
{
    struct sample samples[90];
    size_t count = make_rounds(samples, 30);

    (void)state;
    /* Six rounds had 3.5 and more: that is enough of them. */
    assert_true(sonde_measure_quiet_most(3.49, samples, count, 5, 21) == 3.49);
    /* Two had 3.9: the seven best rounds make 21 samples. */
    assert_true(fabs(sonde_measure_quiet_most(3.89, samples, count, 5, 21) - 3.4) < 1e-9);
    assert_true(fabs(sonde_measure_quiet_most(3.89, samples, count, 5, 3) - 3.6) < 1e-9);
    assert_int_equal(sonde_measure_quiet_rounds(3.89, samples, count), 2);
    /* Fewer than that there are: all count. */
    assert_true(sonde_measure_quiet_most(3.89, samples, 12, 5, 21) == 0);
}

/* A clock that steps by a twentieth of the chain spreads what is whole. */
static void a_coarse_clock_is_no_neighbour(void **state)
{
    struct quiet *quiet = calloc(1, sizeof *quiet);

    (void)state;
    assert_non_null(quiet);
    quiet->strict = true;
    quiet->blur = 0.05;
    for (int i = 0; i < 1000; i++)
        sonde_measure_quiet_note(quiet, 3.8 + 0.4 * ((i * 37 % 100) / 100.0));
    sonde_measure_quiet_update(quiet);
    assert_true(quiet->whole < 4.2 && quiet->enough < 3.8);
    free(quiet);
}

/* Cores that are smaller, or shared by the threads themselves, are alone with half. */
static void team_is_held_against_itself(void **state)
{
    struct sample samples[40];

    (void)state;
    for (size_t i = 0; i < 40; i++)
        samples[i] = (struct sample){.value = (double)i, .share = i % 4 ? 1.2 : 2.0};
    assert_true(sonde_measure_quiet_own(samples, 40) == 1.8);
    assert_int_equal(sonde_measure_quiet_keep(1.8, samples, 40), 10);
    assert_true(samples[1].value == 4 && samples[9].value == 36);
    samples[0].share = NAN;
    assert_true(sonde_measure_quiet_own(samples, 1) == 0);
    assert_int_equal(sonde_measure_quiet_count(0, samples, 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(team_is_held_against_itself),
        cmocka_unit_test(level_is_poured_evenly),
        cmocka_unit_test(first_round_takes_all),
        cmocka_unit_test(dear_ones_save_up),
        cmocka_unit_test(no_round_is_empty),
        cmocka_unit_test(neighbours_are_told_by_the_share),
        cmocka_unit_test(a_whole_core_is_a_peak),
        cmocka_unit_test(the_best_of_enough_rounds_count),
        cmocka_unit_test(a_coarse_clock_is_no_neighbour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
