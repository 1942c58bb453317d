/* Who gets how much time, when some take longer than they were given and others do not
 * use theirs; and that memory which is slow to come costs no samples. */
#include "support.h"

#include "measure/harness.h"
#include "probes/pace.h"

#include <math.h>

enum { PROBES = 20 };

static const double budget_s = 50;

struct planted {
    double wish_s, takes; /* seconds; of what it is given */
    double late_s;        /* beside that */
};

/* Runs them one after the other; the time at the end, and what each was given of its
 * wish. */
static double play(const struct planted *probes, size_t count, double *given)
{
    double passed_s = 0, wish_s = 0, left_s;

    for (size_t i = 0; i < count; i++)
        wish_s += probes[i].wish_s;
    left_s = wish_s;
    for (size_t i = 0; i < count; i++) {
        given[i] = sonde_probe_pace(&(struct pace){budget_s, wish_s, passed_s, left_s});
        passed_s += given[i] * probes[i].wish_s * probes[i].takes + probes[i].late_s;
        left_s -= probes[i].wish_s;
    }
    return passed_s;
}

static void plant(struct planted *probes)
{
    for (size_t i = 0; i < PROBES; i++)
        probes[i] = (struct planted){.wish_s = 3 + (double)(i % 5), .takes = 1};
}

static void all_get_their_part(void **state)
{
    struct planted probes[PROBES];
    double given[PROBES], end_s;

    (void)state;
    plant(probes);
    end_s = play(probes, PROBES, given);
    assert_true(end_s <= budget_s && end_s > 0.9 * budget_s);
    for (size_t i = 0; i < PROBES; i++)
        assert_true(fabs(given[i] - given[0]) < 1e-9);
}

/* Each takes 0.12 s more than it was given, 2.4 s of 50 in all. */
static void small_delays_cost_nobody(void **state)
{
    struct planted probes[PROBES];
    double given[PROBES];

    (void)state;
    plant(probes);
    for (size_t i = 0; i < PROBES; i++)
        probes[i].late_s = 0.12;
    assert_true(play(probes, PROBES, given) <= budget_s);
    for (size_t i = 0; i < PROBES; i++)
        assert_true(given[i] >= 0.999 * given[0]);
}

/* The third takes 10 s more: those after it share that, and the whole ends in time. */
static void one_that_is_late(void **state)
{
    struct planted probes[PROBES];
    double given[PROBES];

    (void)state;
    plant(probes);
    probes[2].late_s = 10;
    assert_true(play(probes, PROBES, given) <= 1.001 * budget_s);
    for (size_t i = 3; i < PROBES; i++)
        assert_true(given[i] > 0.75 * given[0] && given[i] < 0.95 * given[0]);
}

/* All take twice what they are given: the last ones still have half of their part. */
static void all_are_late(void **state)
{
    struct planted probes[PROBES];
    double given[PROBES];

    (void)state;
    plant(probes);
    for (size_t i = 0; i < PROBES; i++)
        probes[i].takes = 2;
    play(probes, PROBES, given);
    for (size_t i = 0; i < PROBES; i++)
        assert_true(given[i] >= 0.499 * given[0]);
}

/* Half of them use a tenth: the others get up to all they wish, never more. */
static void what_is_left_is_passed_on(void **state)
{
    struct planted probes[PROBES];
    double given[PROBES];

    (void)state;
    plant(probes);
    for (size_t i = 0; i < PROBES; i += 2)
        probes[i].takes = 0.1;
    assert_true(play(probes, PROBES, given) <= budget_s);
    assert_true(given[PROBES - 1] > 1.2 * given[0]);
    for (size_t i = 0; i < PROBES; i++)
        assert_true(given[i] <= 1);
}

/* --- a machine whose memory is slow to come ------------------------------------------
 */

struct slow {
    double now_s, reserve_s;
    double sample_s; /* 0: what its steps take */
    /* For so long after a large block, and in another place than the last one, 4 ns a
     * byte there, steps take half as long again. */
    double chill_s;
    double warm_s, last_bytes;
    uint64_t last_place;
    size_t falls; /* visits of a smaller point than the last one */
};

static int slow_reserve(void *self, enum page_kind pages, uint64_t bytes,
                        uint64_t *granted)
{
    struct slow *slow = self;

    (void)pages;
    slow->now_s += bytes ? slow->reserve_s : 0;
    *granted = bytes;
    return 0;
}

static int slow_place(void *self, const struct point *point, uint64_t seed,
                      struct placement *placement, struct message *why)
{
    struct slow *slow = self;

    (void)why;
    slow->falls += (double)point->layout.bytes < slow->last_bytes;
    slow->last_bytes = (double)point->layout.bytes;
    if (seed != slow->last_place)
        slow->warm_s =
            fmax(slow->warm_s,
                 slow->now_s + fmin(slow->chill_s, 4e-9 * (double)point->layout.bytes));
    slow->last_place = seed;
    *placement = (struct placement){.bytes = point->layout.bytes};
    return 0;
}

static int slow_sample(void *self, const struct point *point, struct placement *placement,
                       uint64_t steps, struct reading *reading)
{
    struct slow *slow = self;
    double ns = (slow->now_s < slow->warm_s ? 1.5 : 1) * (double)steps;

    (void)placement;
    *reading = (struct reading){.ns = ns, .correct = true, .overlap = NAN};
    slow->now_s += slow->sample_s > 0 ? slow->sample_s : ns * 1e-9;
    if (point->layout.bytes > 16 << 20)
        slow->warm_s = slow->now_s + slow->chill_s;
    return 0;
}

static double slow_elapsed(void *self)
{
    return ((struct slow *)self)->now_s;
}

static const struct meter_ops slow_ops = {.name = "slow",
                                          .reserve = slow_reserve,
                                          .place = slow_place,
                                          .sample = slow_sample,
                                          .elapsed = slow_elapsed};

static void plan_two(struct plan *plan)
{
    struct series_plan series = {.name = "walks",
                                 .axes = {{"size", "bytes", "log2"}},
                                 .axis_count = 1,
                                 .quantity = "latency",
                                 .unit = "ns"};

    assert_int_equal(0, sonde_measure_plan_series(plan, &series));
    for (uint64_t bytes = 1 << 20; bytes <= 2 << 20; bytes *= 2) {
        struct point *point =
            sonde_measure_plan_point(plan, 0, sonde_kernel_find("chase"));

        assert_non_null(point);
        point->layout.kind = LAYOUT_BLOCK;
        point->layout.bytes = bytes;
    }
}

/* Samples that two points get in 0.6 s when their memory takes `reserve_s`. */
static size_t samples_of(double reserve_s)
{
    struct slow slow = {.reserve_s = reserve_s, .sample_s = 1e-3};
    struct meter meter = {&slow_ops, &slow};
    struct scales scales = {.timer_step_ns = 1};
    struct run_control control = {.seed = 1, .budget_s = 0.6};
    struct series_list list = {0};
    struct plan plan = {0};
    struct message why;
    size_t samples = 0;

    plan_two(&plan);
    assert_int_equal(0, sonde_measure_run(&plan, &meter, &scales, &control, &list, &why));
    for (size_t i = 0; i < list.rows[0].count; i++)
        samples += list.rows[0].points[i].n;
    sonde_measure_series_list_free(&list);
    sonde_measure_plan_free(&plan);
    return samples;
}

static void slow_memory_costs_no_samples(void **state)
{
    (void)state;
    assert_true(samples_of(0) > 40);
    assert_int_equal(samples_of(0), samples_of(0.5));
    assert_int_equal(samples_of(0), samples_of(5));
}

/* --- a core that is slow for a while after it waited for memory, a shared cache that
 *     takes as long until it keeps what is used ---------------------------------------
 */

static void plan_throughputs(struct plan *plan)
{
    struct series_plan series = {.name = "rates",
                                 .axes = {{"size", "bytes", "log2"}},
                                 .axis_count = 1,
                                 .quantity = "throughput",
                                 .unit = "1/s",
                                 .statistic = STATISTIC_Q90,
                                 .rate = true};

    assert_int_equal(0, sonde_measure_plan_series(plan, &series));
    for (unsigned i = 0; i < 12; i++) {
        struct point *point =
            sonde_measure_plan_point(plan, 0, sonde_kernel_find("load_wide"));

        assert_non_null(point);
        point->layout.kind = LAYOUT_BLOCK;
        point->layout.bytes = (32 << 20) >> 3 * (i % 4); /* three of each size */
        point->at[0] = (double)point->layout.bytes;
    }
}

/* Each round goes by size, in one place a size, and the first of each size goes on until
 * the core has its pace. */
static void throughputs_begin_at_full_pace(void **state)
{
    struct slow slow = {.chill_s = 2e-3};
    struct meter meter = {&slow_ops, &slow};
    struct scales scales = {.timer_step_ns = 1};
    struct run_control control = {.seed = 1, .budget_s = 0.5};
    struct series_list list = {0};
    struct plan plan = {0};
    struct message why;
    size_t rounds = 0;

    (void)state;
    plan_throughputs(&plan);
    assert_int_equal(0, sonde_measure_run(&plan, &meter, &scales, &control, &list, &why));
    for (size_t i = 0; i < list.rows[0].count; i++) {
        const struct series_point *point = &list.rows[0].points[i];

        assert_true(point->n >= 21);
        for (size_t k = 0; k < point->n && point->at[0] < 16 << 20; k++)
            assert_true(fabs(point->samples[k].value / 1e9 - 1) < 1e-9);
        rounds = point->samples[point->n - 1].round > rounds
                     ? point->samples[point->n - 1].round
                     : rounds;
    }
    assert_true(slow.falls <= rounds);
    sonde_measure_series_list_free(&list);
    sonde_measure_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(throughputs_begin_at_full_pace),
        cmocka_unit_test(all_get_their_part),
        cmocka_unit_test(small_delays_cost_nobody),
        cmocka_unit_test(one_that_is_late),
        cmocka_unit_test(all_are_late),
        cmocka_unit_test(what_is_left_is_passed_on),
        cmocka_unit_test(slow_memory_costs_no_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
