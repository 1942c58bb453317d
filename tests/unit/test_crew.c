/* Crews: all members work, each where it was asked to be, and say when. */
#include "support.h"

#include "machine/machine.h"
#include "measure/crew.h"

#include <errno.h>
#include <stdatomic.h>

struct tally {
    atomic_uint calls;
    atomic_ullong members; /* a bit for each that ran */
};

static void count(void *argument, size_t member)
{
    struct tally *tally = argument;

    atomic_fetch_add(&tally->calls, 1);
    atomic_fetch_or(&tally->members, 1ull << member);
}

static void every_member_runs_once_a_turn(void **state)
{
    struct cpulist cpus = {0};
    struct crew *crew;
    size_t size;

    (void)state;
    assert_int_equal(sonde_machine_affinity_get(&cpus), 0);
    while (sonde_base_cpulist_count(&cpus) > 8)
        sonde_base_cpulist_remove(&cpus, (unsigned)sonde_base_cpulist_next(&cpus, 0));
    size = sonde_base_cpulist_count(&cpus);
    assert_int_equal(sonde_measure_crew_open(&crew, &cpus, NULL), 0);
    assert_int_equal(sonde_measure_crew_size(crew), size);
    for (int turn = 0; turn < 20; turn++) {
        struct tally tally = {0};

        sonde_measure_crew_run(crew, count, &tally);
        assert_int_equal(tally.calls, size);
        assert_true(tally.members == (1ull << size) - 1);
        assert_true(sonde_measure_crew_overlap(crew) <= 1);
    }
    assert_true(sonde_measure_crew_in_place(crew));
    for (size_t i = 0; i < size; i++) {
        const struct crew_report *report = sonde_measure_crew_report(crew, i);

        assert_true(sonde_base_cpulist_has(&cpus, (unsigned)report->cpu_before));
        assert_true(report->end_ns >= report->start_ns);
    }
    assert_null(sonde_measure_crew_report(crew, size));
    sonde_measure_crew_close(crew);
    sonde_base_cpulist_free(&cpus);
}

/* A CPU that is not there, or was taken away: the run ends, and it is not in place. */
static void a_missing_cpu_is_told(void **state)
{
    struct cpulist cpus = {0};
    struct tally tally = {0};
    struct crew *crew;

    (void)state;
    assert_int_equal(sonde_base_cpulist_add(&cpus, SONDE_CPU_MAX - 1), 0);
    assert_int_equal(sonde_measure_crew_open(&crew, &cpus, NULL), 0);
    sonde_measure_crew_run(crew, count, &tally);
    assert_int_equal(tally.calls, 1);
    assert_false(sonde_measure_crew_in_place(crew));
    sonde_measure_crew_close(crew);
    sonde_base_cpulist_free(&cpus);
}

static void no_cpu_is_refused(void **state)
{
    struct cpulist none = {0};
    struct message why = {{0}};
    struct crew *crew;

    (void)state;
    assert_int_equal(sonde_measure_crew_open(&crew, &none, &why), -EINVAL);
    assert_null(crew);
    assert_true(why.text[0] != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_runs_once_a_turn),
        cmocka_unit_test(a_missing_cpu_is_told),
        cmocka_unit_test(no_cpu_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
