/* In the children: one point is tried, or all sound ones are measured.
 *
 * A trial goes from what breaks most to what takes longest: load, two watched calls (the
 * buffer at either guard), then batches that size themselves, twice as many calls, and
 * calls behind fences. A pass loads the files behind a gap of random size, so that code
 * and data lie elsewhere each time: what is luck of addresses becomes part of the spread.
 */
#include "bench/trial.h"

#include "base/pages.h"
#include "base/random.h"
#include "bench/subject.h"
#include "measure/harness.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GAP_PAGES = 1024, TRIAL_SAMPLES = 5 };

/* A batch that takes longer is interrupted by somebody nearly always: its samples are
 * kept even so, as the outliers that they are. */
static const double often_switched_ns = 2e6;

/* --- loading --------------------------------------------------------------------------
 */

static int find_sum(const struct bench_point *point, struct bench_subject *subject)
{
    const struct bench_kernel *kernel = point->kernel;

    subject->sum_count = -1;
    subject->sum_stride = (long)sizeof(long);
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        if (strcmp(kernel->parameters[i].name, "n") == 0)
            subject->sum_count = point->arguments[i];
        if (strcmp(kernel->parameters[i].name, "stride") == 0)
            subject->sum_stride = point->arguments[i];
    }
    return subject->sum_count < 0 ? -EINVAL : 0;
}

static int load_declared(void *object, const struct bench_kernel *kernel,
                         struct bench_subject *subject)
{
    char name[BENCH_NAME_MAX + 16];
    const struct sonde_kernel *declared;

    snprintf(name, sizeof name, "sonde_kernel_%s", kernel->name);
    declared = dlsym(object, name);
    if (!declared || !declared->run)
        return -ENOENT;
    subject->call.function = (arch_function *)declared->run;
    subject->setup = declared->setup;
    subject->check = declared->check;
    return 0;
}

/* Functions are looked up as data by POSIX, and only by it. */
static arch_function *as_function(void *address)
{
    arch_function *function;

    memcpy(&function, &address, sizeof function);
    return function;
}

static int load(const struct bench *bench, const struct bench_point *point,
                struct bench_subject *subject)
{
    const struct bench_kernel *kernel = point->kernel;
    void *object;
    int error = 0;

    *subject = (struct bench_subject){.bytes = (size_t)point->buffer_bytes};
    subject->call.alone = bench->options->alone;
    memcpy(subject->call.arguments, point->arguments, sizeof subject->call.arguments);
    sonde_bench_subject_ready(subject);
    if (!kernel) {
        subject->call.function = sonde_bench_empty;
        return 0;
    }
    object = dlopen(bench->files->files[kernel->file].object, RTLD_NOW | RTLD_LOCAL);
    if (!object)
        return -ENOEXEC;
    if (kernel->declared)
        error = load_declared(object, kernel, subject);
    else
        subject->call.function = as_function(dlsym(object, kernel->name));
    subject->sum = bench->options->check_sum && !subject->check;
    if (!error && subject->sum)
        error = find_sum(point, subject);
    return error || !subject->call.function ? -ENOENT : 0;
}

/* --- running a few points -------------------------------------------------------------
 */

static int add_to_plan(struct plan *plan, const struct bench_subject *subject,
                       uint64_t steps, unsigned samples)
{
    struct point *point = sonde_measure_plan_point(plan, 0, &sonde_bench_calls);

    if (!point)
        return -ENOMEM;
    point->subject = &subject->hooks;
    point->argument = (uint64_t)(uintptr_t)&subject->call;
    point->count = steps;
    point->samples = samples;
    point->per_visit = 1;
    return 0;
}

static int open_plan(struct plan *plan)
{
    static const struct series_plan calls = {
        .name = "calls",
        .axes = {{"point", "count", "linear"}},
        .axis_count = 1,
        .quantity = "time",
        .unit = "ns",
        .statistic = STATISTIC_MEDIAN,
    };

    *plan = (struct plan){0};
    return sonde_measure_plan_series(plan, &calls) < 0 ? -ENOMEM : 0;
}

static int run_plan(const struct bench *bench, const struct plan *plan, uint64_t seed,
                    struct series_list *list, struct message *why)
{
    struct run_control control = {.seed = seed,
                                  .effort = {EFFORT_DEFAULT, 1},
                                  .budget_s = INFINITY,
                                  .keep_samples = true};
    struct meter meter = bench->meter;

    return sonde_measure_run(plan, &meter, bench->scales, &control, list, why);
}

/* --- a trial --------------------------------------------------------------------------
 */

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
    int error = open_plan(&plan);

    if (!error)
        error = add_to_plan(&plan, subject, steps, TRIAL_SAMPLES);
    if (!error && steps)
        error = add_to_plan(&plan, subject, 2 * steps, TRIAL_SAMPLES);
    for (size_t i = 0; i < plan.count; i++) /* a trial judges no clock */
        plan.points[i].options = POINT_KEEP_SWITCHED;
    if (!error)
        error = run_plan(trial->bench, &plan, trial->bench->options->seed, &list, &why);
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
    if (load(trial->bench, point, &subject)) {
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

/* --- a pass ---------------------------------------------------------------------------
 */

struct visitor {
    struct pass *pass;
    uint32_t point;
    struct bench_subject subject;
};

static void beat_pass(void *self, uint64_t steps)
{
    struct visitor *visitor = self;

    (void)steps;
    visitor->pass->current = visitor->point;
    visitor->pass->trace.beat++;
}

/* Moves what is mapped from now on. */
static void leave_gap(uint64_t seed)
{
    struct random_source random;
    size_t page = sonde_base_page_bytes();

    sonde_base_random_seed(&random, seed);
    (void)mmap(NULL, (1 + sonde_base_random_below(&random, GAP_PAGES)) * page, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static int add_visitor(struct pass *pass, size_t index, struct visitor *visitor,
                       struct plan *plan)
{
    const struct bench_point *point = &pass->bench->points[index];
    int error;

    visitor->pass = pass;
    visitor->point = (uint32_t)index;
    error = load(pass->bench, point, &visitor->subject);
    if (error)
        return error;
    visitor->subject.beat = beat_pass;
    visitor->subject.self = visitor;
    error =
        add_to_plan(plan, &visitor->subject, point->steps, pass->points[index].wanted);
    if (!error && point->call_ns * (double)point->steps > often_switched_ns)
        plan->points[plan->count - 1].options |= POINT_KEEP_SWITCHED;
    return error;
}

static void hand_over(struct pass *pass, const struct series *series)
{
    size_t at = 0;

    for (size_t i = 0; i < pass->bench->count; i++) {
        struct pass_point *to = &pass->points[i];
        const struct series_point *from;

        if (!to->wanted)
            continue;
        from = &series->points[at++];
        to->wrong = (from->flags & POINT_WRONG) != 0;
        to->count = (unsigned)(from->n < PASS_ROUNDS ? from->n : PASS_ROUNDS);
        for (unsigned k = 0; k < to->count; k++) {
            to->samples[k] = from->samples[k];
            to->samples[k].round +=
                pass->number * 3 * 7; /* rounds of a pass: 21 at most */
        }
    }
}

void sonde_bench_pass(void *argument)
{
    struct pass *pass = argument;
    struct visitor *visitors = calloc(pass->bench->count, sizeof *visitors);
    struct series_list list = {0};
    struct message why = {{0}};
    struct plan plan;
    int error = visitors ? open_plan(&plan) : -ENOMEM;

    leave_gap(pass->seed);
    for (size_t i = 0; i < pass->bench->count && !error; i++)
        if (pass->points[i].wanted)
            error = add_visitor(pass, i, &visitors[i], &plan);
    if (!error)
        error = run_plan(pass->bench, &plan, pass->seed, &list, &why);
    if (error)
        snprintf(pass->problem, sizeof pass->problem, "%.150s",
                 why.text[0] ? why.text : strerror(-error));
    else
        hand_over(pass, &list.rows[0]);
    /* Everything else goes with the process. */
}
