/* A thread that somebody else moved is bound again, and says that it was away. */
#include "support.h"

#include "kernels/kernel.h"
#include "machine/machine.h"
#include "measure/home.h"
#include "measure/meter.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Somebody who moves the thread between its binding and its look at where it is: as many
 * times as said, to the CPU said. The program's own definition goes before the library's.
 */
static unsigned intrusions, intruder_cpu;

int sched_getcpu(void)
{
    cpu_set_t away;
    unsigned cpu;

    if (intrusions > 0) {
        intrusions--;
        CPU_ZERO(&away);
        CPU_SET(intruder_cpu, &away);
        assert_int_equal(sched_setaffinity(0, sizeof away, &away), 0);
    }
    return syscall(SYS_getcpu, &cpu, NULL, NULL) == 0 ? (int)cpu : -1;
}

/* The first two allowed CPUs; skips where there are not as many. */
static void two_cpus(struct cpulist *all, unsigned *first, unsigned *second)
{
    assert_int_equal(sonde_machine_affinity_get(all), 0);
    if (sonde_base_cpulist_count(all) < 2) {
        printf("skipped: only one CPU is allowed\n");
        sonde_base_cpulist_free(all);
        skip();
    }
    *first = (unsigned)sonde_base_cpulist_next(all, 0);
    *second = (unsigned)sonde_base_cpulist_next(all, *first + 1);
}

static bool bound_to(unsigned cpu)
{
    struct cpulist now = {0};
    bool there;

    assert_int_equal(sonde_machine_affinity_get(&now), 0);
    there = sonde_base_cpulist_count(&now) == 1 && sonde_base_cpulist_has(&now, cpu);
    sonde_base_cpulist_free(&now);
    return there;
}

/* On the second of two CPUs. */
static struct home settle(struct cpulist *all, unsigned *first, unsigned *second)
{
    two_cpus(all, first, second);
    assert_int_equal(sonde_machine_pin(*second), 0);
    return sonde_measure_home_here();
}

static void test_moved_thread_returns(void **state)
{
    struct cpulist all = {0};
    struct home home;
    unsigned first, second;

    (void)state;
    home = settle(&all, &first, &second);
    assert_int_equal(home.cpu, second);
    assert_true(sonde_measure_home_keep(&home));
    /* Moved away. */
    assert_int_equal(sonde_machine_pin(first), 0);
    assert_false(sonde_measure_home_keep(&home));
    assert_false(home.lost);
    assert_true(bound_to(second));
    assert_true(sonde_measure_home_keep(&home));
    /* Given all CPUs, as a cpuset leaves it that was made smaller and larger again. */
    assert_int_equal(sonde_machine_affinity_set(&all), 0);
    assert_false(sonde_measure_home_keep(&home));
    assert_true(bound_to(second));
    assert_int_equal(sonde_machine_affinity_set(&all), 0);
    sonde_base_cpulist_free(&all);
}

/* Once more, while it was being bound: it is bound again. Each time: it is elsewhere. */
static void test_moved_again_at_once(void **state)
{
    struct cpulist all = {0};
    struct home home;
    unsigned first, second;

    (void)state;
    home = settle(&all, &first, &second);
    assert_int_equal(sonde_machine_pin(first), 0);
    intruder_cpu = first;
    intrusions = 1;
    assert_false(sonde_measure_home_keep(&home));
    assert_int_equal(intrusions, 0);
    assert_false(home.lost);
    assert_true(bound_to(second));
    intrusions = 1000;
    assert_int_equal(sonde_machine_pin(second), -EXDEV);
    intrusions = 0;
    assert_int_equal(sonde_machine_affinity_set(&all), 0);
    sonde_base_cpulist_free(&all);
}

static void test_free_thread_stays_free(void **state)
{
    struct cpulist all = {0}, now = {0};
    struct home home;
    unsigned first, second;

    (void)state;
    two_cpus(&all, &first, &second);
    home = sonde_measure_home_here();
    assert_int_equal(home.cpu, -1);
    assert_true(sonde_measure_home_keep(&home));
    assert_true(sonde_measure_home_is(&home, (int)second));
    assert_int_equal(sonde_machine_affinity_get(&now), 0);
    assert_true(sonde_base_cpulist_equal(&all, &now));
    sonde_base_cpulist_free(&now);
    sonde_base_cpulist_free(&all);
}

/* No such CPU is allowed to anybody. */
static void test_lost_home_is_told(void **state)
{
    struct home home = {.cpu = SONDE_CPU_MAX - 1};

    (void)state;
    assert_false(sonde_measure_home_keep(&home));
    assert_true(home.lost);
    assert_false(bound_to(SONDE_CPU_MAX - 1));
}

/* Between two samples of a visit: the first one after it counts for nothing. */
static void test_sample_after_a_move_is_refused(void **state)
{
    struct cpulist all = {0};
    struct machine machine;
    struct meter meter;
    struct message why = {{0}};
    struct point point = {.kernel = sonde_kernel_find("add_chain"), .argument = 1};
    struct placement placement;
    struct reading reading;
    unsigned first, second;

    (void)state;
    two_cpus(&all, &first, &second);
    assert_int_equal(sonde_machine_open(&machine, NULL, &why), 0);
    assert_int_equal(sonde_machine_pin(second), 0);
    assert_int_equal(sonde_measure_hardware_open(&meter, &machine, 1 << 20, &why), 0);
    assert_int_equal(meter.ops->place(meter.self, &point, 1, &placement, &why), 0);
    assert_int_equal(sonde_machine_pin(first), 0);
    assert_int_equal(meter.ops->sample(meter.self, &point, &placement, 3200, &reading),
                     0);
    assert_true(reading.switched);
    assert_false(reading.elsewhere);
    assert_true(bound_to(second));
    /* Given all CPUs it may stay where it is; the next visit binds it again. */
    assert_int_equal(sonde_machine_affinity_set(&all), 0);
    assert_int_equal(meter.ops->place(meter.self, &point, 2, &placement, &why), 0);
    assert_true(bound_to(second));
    meter.ops->close(meter.self);
    sonde_machine_close(&machine);
    assert_int_equal(sonde_machine_affinity_set(&all), 0);
    sonde_base_cpulist_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moved_thread_returns),
        cmocka_unit_test(test_moved_again_at_once),
        cmocka_unit_test(test_free_thread_stays_free),
        cmocka_unit_test(test_lost_home_is_told),
        cmocka_unit_test(test_sample_after_a_move_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
