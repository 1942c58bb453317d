/* The harness of libsonde: the rounds of the probes for functions of one's own, in the
 * process of the caller.
 *
 * Each round is a plan of its own with one sample a task; the first sizes the batches.
 * What can fool it: everything that `sonde bench` keeps away by processes of their own,
 * such as a heap whose state the tasks share. */
#include "sonde.h"

#include "base/random.h"
#include "bench/subject.h"
#include "library/problem.h"
#include "machine/machine.h"
#include "measure/harness.h"
#include "measure/meter.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static const double weigh_s = 0.4;
/* A batch that takes longer loses its CPU nearly always: its samples count even so. */
static const double often_switched_ns = 2e6;

struct sonde_meter {
    struct machine machine;
    struct meter meter;
    struct scales scales;
    uint64_t rounds; /* so far: the seed of the next one */
};

struct timed {
    const struct sonde_task *task;
    struct bench_call call;
    struct subject hooks;
    uint64_t steps;
    double batch_ns;
    bool wrong;
};

int sonde_meter_open(struct sonde_meter **meter, int cpu, char *problem,
                     size_t problem_size)
{
    struct sonde_meter *opened = calloc(1, sizeof *opened);
    struct message why = {{0}};
    int error;

    *meter = NULL;
    if (!opened)
        return library_problem(&why, -ENOMEM, problem, problem_size);
    error = sonde_machine_open(&opened->machine, NULL, &why);
    if (error) {
        free(opened);
        return library_problem(&why, error, problem, problem_size);
    }
    if (cpu >= 0 && sonde_machine_pin_proven((unsigned)cpu, &why))
        error = -EINVAL;
    if (!error)
        error = sonde_measure_hardware_open(
            &opened->meter, &opened->machine,
            sonde_machine_memory_allowed(&opened->machine), &why);
    if (!error)
        error = opened->meter.ops->weigh(opened->meter.self, weigh_s, &opened->scales);
    if (error) {
        sonde_meter_close(opened);
        return library_problem(&why, error, problem, problem_size);
    }
    *meter = opened;
    return 0;
}

void sonde_meter_close(struct sonde_meter *meter)
{
    if (!meter)
        return;
    if (meter->meter.ops)
        meter->meter.ops->close(meter->meter.self);
    sonde_machine_close(&meter->machine);
    free(meter);
}

double sonde_meter_core_hz(const struct sonde_meter *meter)
{
    return meter->scales.core_clock_trusted ? meter->scales.core_hz : NAN;
}

int sonde_meter_emulated(const struct sonde_meter *meter)
{
    return meter->scales.emulator_suspected || meter->machine.emulation[0] != '\0';
}

/* --- one round ------------------------------------------------------------------------
 */

static int prepare(void *self, uint64_t seed, void **data)
{
    struct timed *timed = self;

    (void)seed;
    if (timed->task->prepare)
        timed->task->prepare(timed->task->data, timed->task->arguments);
    *data = timed->task->data;
    return 0;
}

static bool check(void *self, uint64_t steps, uint64_t value)
{
    struct timed *timed = self;
    const struct sonde_task *task = timed->task;

    (void)value;
    timed->steps = steps;
    if (task->check && !task->check(task->data, task->arguments, timed->call.last))
        timed->wrong = true;
    return !timed->wrong;
}

static int plan_round(struct timed *timed, size_t count, struct plan *plan)
{
    static const struct series_plan calls = {
        .name = "calls",
        .axes = {{"task", "count", "linear"}},
        .axis_count = 1,
        .quantity = "time",
        .unit = "ns",
        .statistic = STATISTIC_MEDIAN,
    };

    *plan = (struct plan){0};
    if (sonde_measure_plan_series(plan, &calls) < 0)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        struct point *point = sonde_measure_plan_point(plan, 0, &sonde_bench_calls);

        if (!point)
            return -ENOMEM;
        point->subject = &timed[i].hooks;
        point->argument = (uint64_t)(uintptr_t)&timed[i].call;
        point->count = timed[i].steps;
        point->samples = point->per_visit = 1;
        if (timed[i].batch_ns > often_switched_ns)
            point->options = POINT_KEEP_SWITCHED;
    }
    return 0;
}

static void take_results(struct timed *timed, size_t count, const struct series *series,
                         size_t samples, size_t round, const struct sonde_times *times)
{
    for (size_t i = 0; i < count; i++) {
        const struct series_point *point = &series->points[i];
        bool known = point->n > 0;

        if (times->ns)
            times->ns[i * samples + round] = known ? point->samples[0].value : NAN;
        if (times->cycles)
            times->cycles[i * samples + round] = known ? point->samples[0].cycles : NAN;
        if (known)
            timed[i].batch_ns = point->samples[0].value * (double)timed[i].steps;
        else /* every try was interrupted: take the next as it comes */
            timed[i].batch_ns = INFINITY;
    }
}

static int one_round(struct sonde_meter *meter, struct timed *timed, size_t count,
                     size_t samples, size_t round, const struct sonde_times *times,
                     struct message *why)
{
    struct run_control control = {.seed = ++meter->rounds,
                                  .effort = {EFFORT_DEFAULT, 1},
                                  .budget_s = INFINITY,
                                  .keep_samples = true};
    struct series_list list = {0};
    struct plan plan;
    int error = plan_round(timed, count, &plan);

    if (!error)
        error =
            sonde_measure_run(&plan, &meter->meter, &meter->scales, &control, &list, why);
    if (!error)
        take_results(timed, count, &list.rows[0], samples, round, times);
    for (size_t i = 0; i < count && !error; i++)
        if (timed[i].wrong)
            error = sonde_base_fail(why, -EBADMSG,
                                    "task %zu returned %ld, which its check refuses", i,
                                    timed[i].call.last);
    sonde_measure_series_list_free(&list);
    sonde_measure_plan_free(&plan);
    return error;
}

static int ready(struct timed *timed, const struct sonde_task *task, unsigned number,
                 struct message *why)
{
    if (!task->run)
        return sonde_base_fail(why, -EINVAL, "a task without a function");
    timed->task = task;
    timed->call.function = (arch_function *)task->run;
    timed->call.chain = number;
    timed->call.passed = SUBJECT_ARGUMENTS;
    memcpy(timed->call.arguments, task->arguments, sizeof timed->call.arguments);
    timed->hooks = (struct subject){timed, prepare, check};
    return 0;
}

int sonde_meter_time(struct sonde_meter *meter, const struct sonde_task *tasks,
                     size_t count, size_t samples, const struct sonde_times *times,
                     char *problem, size_t problem_size)
{
    struct message why = {{0}};
    struct timed *timed = calloc(count + 1, sizeof *timed);
    int error = timed ? 0 : -ENOMEM;

    if (!error && (!count || !samples))
        error =
            sonde_base_fail(&why, -EINVAL, "no %s to time", count ? "samples" : "tasks");
    for (size_t i = 0; i < count && !error; i++)
        error = ready(&timed[i], &tasks[i], (unsigned)i, &why);
    for (size_t round = 0; round < samples && !error; round++)
        error = one_round(meter, timed, count, samples, round, times, &why);
    free(timed);
    return error ? library_problem(&why, error, problem, problem_size) : 0;
}
