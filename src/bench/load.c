/* In a child: a kernel is looked up in its file and becomes a point of a plan. */
#include "bench/trial.h"

#include "bench/subject.h"
#include "measure/harness.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* The empty function has the first loop of calls for itself. */
static unsigned choose_chain(const struct bench *bench, const struct bench_kernel *kernel)
{
    size_t number = kernel ? (size_t)(kernel - bench->files->kernels) : 0;

    return kernel ? 1 + (unsigned)(number % (ARCH_CHAINS - 1)) : 0;
}

/* All calls pass alike, the empty one's too: as much as any of the kernels takes. */
static unsigned count_passed(const struct bench *bench)
{
    size_t most = 0;

    for (size_t i = 0; i < bench->files->kernel_count; i++)
        if (bench->files->kernels[i].parameter_count > most)
            most = bench->files->kernels[i].parameter_count;
    return (unsigned)most;
}

int sonde_bench_load(const struct bench *bench, const struct bench_point *point,
                     struct bench_subject *subject)
{
    const struct bench_kernel *kernel = point->kernel;
    void *object;
    int error = 0;

    *subject = (struct bench_subject){.bytes = (size_t)point->buffer_bytes};
    subject->call.alone = bench->options->alone;
    subject->call.chain = choose_chain(bench, kernel);
    subject->call.passed = count_passed(bench);
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

struct point sonde_bench_point(const struct bench_subject *subject, uint64_t steps)
{
    return (struct point){.kernel = &sonde_bench_calls,
                          .subject = &subject->hooks,
                          .argument = (uint64_t)(uintptr_t)&subject->call,
                          .count = steps,
                          .operations = 1,
                          .per_visit = 1};
}

int sonde_bench_plan_add(struct plan *plan, const struct bench_subject *subject,
                         uint64_t steps, unsigned samples)
{
    struct point *point = sonde_measure_plan_point(plan, 0, &sonde_bench_calls);

    if (!point)
        return -ENOMEM;
    *point = sonde_bench_point(subject, steps);
    point->samples = samples;
    return 0;
}

int sonde_bench_plan_open(struct plan *plan)
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

int sonde_bench_plan_run(const struct bench *bench, const struct plan *plan,
                         uint64_t seed, const struct counter_list *counters,
                         struct series_list *list, struct message *why)
{
    struct run_control control = {.seed = seed,
                                  .effort = {EFFORT_DEFAULT, 1},
                                  .budget_s = INFINITY,
                                  .keep_samples = true,
                                  .counters = counters};
    struct meter meter = bench->meter;

    return sonde_measure_run(plan, &meter, bench->scales, &control, list, why);
}
