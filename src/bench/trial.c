/* In a child: one point is tried, from what breaks most to what takes longest: load, two
 * watched calls (the buffer at either guard), then batches that size themselves, twice as
 * many calls, and calls behind fences. */
#include "bench/trial.h"

#include "bench/subject.h"
#include "measure/harness.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIAL_SAMPLES = 5 };

static void beat_trial(void *self, uint64_t steps)
{
    struct trial *trial = self;

    trial->trace.beat++;
    if (steps)
        trial->steps = steps;
}

static void describe_broken(struct trial *trial, uint64_t broken)
{
    size_t used = 0, size = sizeof trial->problem;

    for (unsigned bit = 0; sonde_arch_preserved_name(bit) && used < size; bit++)
        if (broken >> bit & 1)
            used += (size_t)snprintf(trial->problem + used, size - used, "%s%s",
                                     used ? ", " : "spoils registers it must preserve: ",
                                     sonde_arch_preserved_name(bit));
}

static void describe_wrong(struct trial *trial, const struct bench_subject *subject)
{
    if (subject->sum)
        snprintf(trial->problem, sizeof trial->problem,
                 "returned %ld where the sum is %ld", subject->call.last,
                 subject->expected);
    else
        snprintf(trial->problem, sizeof trial->problem, "returned %ld: its check says no",
                 subject->call.last);
}

/* One call, looked at from all sides; false: something is wrong with it. */
static bool watch(struct trial *trial, struct bench_subject *subject)
{
    uint64_t broken = 0;
    size_t spilt;
    bool correct;

    trial->trace.beat++;
    if (sonde_bench_subject_prepare(subject, trial->bench->options->seed)) {
        snprintf(trial->problem, sizeof trial->problem, "no memory for %zu bytes",
                 subject->bytes);
        return false;
    }
    trial->buffer_from = (uintptr_t)subject->buffer;
    correct = sonde_bench_subject_watch(subject, &broken);
    spilt = sonde_bench_subject_spilt(subject);
    if (spilt)
        snprintf(trial->problem, sizeof trial->problem,
                 "wrote %zu bytes outside its buffer of %zu", spilt, subject->bytes);
    else if (broken)
        describe_broken(trial, broken);
    else if (!correct)
        describe_wrong(trial, subject);
    return !trial->problem[0];
}

/* Times batches of `steps` (0: sized by the harness) and of twice as many; their medians
 * per call. NaN where nothing came. */
static int time_batches(struct trial *trial, struct bench_subject *subject,
                        uint64_t steps, double *once_ns, double *twice_ns)
{
    struct series_list list = {0};
    struct message why = {{0}};
    struct plan plan;
    int error = sonde_bench_plan_open(&plan);

    if (!error)
        error = sonde_bench_plan_add(&plan, subject, steps, TRIAL_SAMPLES);
    if (!error && steps)
        error = sonde_bench_plan_add(&plan, subject, 2 * steps, TRIAL_SAMPLES);
    for (size_t i = 0; i < plan.count; i++) /* a trial judges no clock */
        plan.points[i].options = POINT_KEEP_SWITCHED;
    if (!error)
        error = sonde_bench_plan_run(trial->bench, &plan, trial->bench->options->seed,
                                     NULL, &list, &why);
    if (!error) {
        if (list.rows[0].points[0].flags & POINT_WRONG)
            describe_wrong(trial, subject);
        *once_ns = list.rows[0].points[0].min;
        *twice_ns = steps ? list.rows[0].points[1].min : NAN;
    } else {
        snprintf(trial->problem, sizeof trial->problem, "could not be timed: %.120s",
                 why.text[0] ? why.text : strerror(-error));
    }
    sonde_measure_series_list_free(&list);
    sonde_measure_plan_free(&plan);
    return trial->problem[0] ? -ECANCELED : 0;
}

static void time_trial(struct trial *trial, struct bench_subject *subject)
{
    double once_ns, twice_ns, ignored;
    uint64_t steps;

    subject->beat = beat_trial;
    subject->self = trial;
    if (time_batches(trial, subject, 0, &once_ns, &ignored))
        return;
    steps = trial->steps;
    trial->call_ns = once_ns;
    if (time_batches(trial, subject, steps, &once_ns, &twice_ns))
        return;
    trial->call_ns = fmin(trial->call_ns, once_ns);
    trial->doubling = 2 * twice_ns / once_ns;
    trial->steps = steps;
    subject->call.alone = true;
    if (time_batches(trial, subject, steps, &trial->alone_ns, &ignored))
        return;
    trial->steps = steps;
    trial->phase = TRIAL_ENDED;
}

void sonde_bench_trial(void *argument)
{
    struct trial *trial = argument;
    const struct bench_point *point = &trial->bench->points[trial->point];
    struct bench_subject subject;

    trial->phase = TRIAL_LOAD;
    if (sonde_bench_load(trial->bench, point, &subject)) {
        snprintf(trial->problem, sizeof trial->problem, "is not found in its file");
        return;
    }
    trial->phase = TRIAL_CALL;
    subject.at_end = true;
    if (!watch(trial, &subject))
        return;
    subject.at_end = false;
    if (!watch(trial, &subject))
        return;
    trial->phase = TRIAL_TIME;
    time_trial(trial, &subject);
    sonde_bench_subject_close(&subject);
}
