/* From kernels and lists of values to points.
 *
 * A kernel with the parameters `n` and `stride` has two modes. In mode n every stride
 * makes the same number of accesses, so larger strides touch more memory; in mode span
 * every stride goes over the same n * 8 bytes, so larger strides make fewer accesses. One
 * alone is misread: time that falls with the stride may only mean less work. */
#include "bench/bench.h"

#include "bench/formula.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 8 };

const char *sonde_bench_mode_name(enum bench_mode mode)
{
    static const char *const names[] = {"", "n", "span"};

    return names[mode];
}

static int parameter_index(const struct bench_kernel *kernel, const char *name)
{
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (strcmp(kernel->parameters[i].name, name) == 0)
            return (int)i;
    return -1;
}

static const char *list_of(const struct bench_options *options,
                           const struct bench_parameter *parameter)
{
    const char *list = parameter->defaults;

    for (size_t i = 0; i < options->list_count; i++)
        if (strcmp(options->lists[i].name, parameter->name) == 0)
            list = options->lists[i].list;
    return list;
}

static int check_lists(const struct bench *bench, struct message *why)
{
    for (size_t i = 0; i < bench->options->list_count; i++) {
        const char *name = bench->options->lists[i].name;
        bool known = false;

        for (size_t k = 0; k < bench->files->kernel_count; k++)
            known |= parameter_index(&bench->files->kernels[k], name) >= 0;
        if (!known)
            return sonde_base_fail(why, -EINVAL, "no kernel has a parameter '%.40s'",
                                   name);
    }
    return 0;
}

static struct bench_point *add_point(struct bench *bench, struct message *why)
{
    struct bench_point *grown, *point;

    if (bench->count > BENCH_POINTS_MAX) {
        sonde_base_fail(why, -E2BIG, "more than %d points to measure", BENCH_POINTS_MAX);
        return NULL;
    }
    grown = realloc(bench->points, (bench->count + 1) * sizeof *grown);
    if (!grown) {
        sonde_base_fail(why, -ENOMEM, "out of memory");
        return NULL;
    }
    bench->points = grown;
    point = &grown[bench->count++];
    memset(point, 0, sizeof *point);
    point->call_ns = point->alone_ns = point->doubling = NAN;
    return point;
}

static int work_out(const struct bench_kernel *kernel, const char *formula,
                    const struct bench_point *point, double *value, struct message *why)
{
    struct formula_name names[BENCH_PARAMETERS_MAX];
    struct message what = {{0}};

    for (size_t i = 0; i < kernel->parameter_count; i++)
        names[i] = (struct formula_name){kernel->parameters[i].name,
                                         (double)point->arguments[i]};
    if (sonde_bench_formula(formula, names, kernel->parameter_count, value, &what))
        return sonde_base_fail(why, -EINVAL, "kernel %s: %s", kernel->name, what.text);
    if (!(*value >= 0) || *value > 0x1p50)
        return sonde_base_fail(why, -EINVAL,
                               "kernel %s: formula '%.80s' gives %g with %s",
                               kernel->name, formula, *value, point->label);
    return 0;
}

static void name_point(struct bench_point *point)
{
    size_t used = 0;

    for (size_t i = 0; i < point->kernel->parameter_count; i++) {
        int wrote = snprintf(point->label + used, sizeof point->label - used, "%s%s=%ld",
                             i ? " " : "", point->kernel->parameters[i].name,
                             point->arguments[i]);

        if (wrote < 0 || used + (size_t)wrote >= sizeof point->label)
            return;
        used += (size_t)wrote;
    }
}

/* In mode span the value of n is the span in words, and the kernel gets what the stride
 * leaves of it. */
static int apply_mode(struct bench_point *point, int n, int stride, struct message *why)
{
    long count;

    if (point->mode != MODE_SPAN)
        return 0;
    count = point->arguments[n] * WORD / point->arguments[stride];
    if (count < 1)
        return sonde_base_fail(
            why, -EINVAL, "a span of %ld words is shorter than a stride of %ld bytes",
            point->arguments[n], point->arguments[stride]);
    point->arguments[n] = count;
    return 0;
}

static int finish_point(const struct bench *bench, struct bench_point *point,
                        struct message *why)
{
    const struct bench_kernel *kernel = point->kernel;
    double buffer;
    int error;

    name_point(point);
    error = work_out(kernel, kernel->buffer, point, &buffer, why);
    if (!error)
        error = work_out(kernel, kernel->elements, point, &point->elements, why);
    if (!error)
        error = work_out(kernel, kernel->bytes, point, &point->bytes, why);
    if (!error)
        error = work_out(kernel, kernel->operations, point, &point->operations, why);
    if (error)
        return error;
    if (bench->options->check_sum && !kernel->own_check &&
        parameter_index(kernel, "n") < 0)
        return sonde_base_fail(why, -EINVAL,
                               "kernel %s has no parameter n: --check sum does not know "
                               "how much it adds",
                               kernel->name);
    point->buffer_bytes = (uint64_t)ceil(buffer);
    point->checked = kernel->own_check || bench->options->check_sum;
    return 0;
}

struct sweep {
    struct bench *bench;
    const struct bench_kernel *kernel;
    long *values[BENCH_PARAMETERS_MAX];
    size_t counts[BENCH_PARAMETERS_MAX];
    int n, stride; /* indices, or -1 */
};

/* Combination number `index` of all values, the last parameter changing fastest. */
static int sweep_point(struct sweep *sweep, enum bench_mode mode, size_t index,
                       struct message *why)
{
    struct bench_point *point = add_point(sweep->bench, why);
    int error;

    if (!point)
        return -ENOMEM;
    point->kernel = sweep->kernel;
    point->mode = mode;
    for (size_t i = sweep->kernel->parameter_count; i-- > 0;) {
        point->arguments[i] = sweep->values[i][index % sweep->counts[i]];
        index /= sweep->counts[i];
    }
    error = apply_mode(point, sweep->n, sweep->stride, why);
    return error ? error : finish_point(sweep->bench, point, why);
}

static int sweep_all(struct sweep *sweep, struct message *why)
{
    const struct bench_options *options = sweep->bench->options;
    bool modes = sweep->n >= 0 && sweep->stride >= 0;
    size_t total = 1;
    int error = 0;

    for (size_t i = 0; i < sweep->kernel->parameter_count; i++)
        total *= sweep->counts[i];
    if (total > BENCH_POINTS_MAX)
        return sonde_base_fail(why, -E2BIG, "kernel %s has more than %d points",
                               sweep->kernel->name, BENCH_POINTS_MAX);
    for (int mode = modes ? MODE_N : MODE_NONE; mode <= (modes ? MODE_SPAN : MODE_NONE);
         mode++)
        for (size_t i = 0; i < total && !error; i++)
            if (!modes || options->modes[mode])
                error = sweep_point(sweep, (enum bench_mode)mode, i, why);
    return error;
}

static int sweep_kernel(struct bench *bench, const struct bench_kernel *kernel,
                        struct message *why)
{
    struct sweep sweep = {.bench = bench, .kernel = kernel};
    int error = 0;

    sweep.n = parameter_index(kernel, "n");
    sweep.stride = parameter_index(kernel, "stride");
    for (size_t i = 0; i < kernel->parameter_count && !error; i++)
        error = sonde_bench_values(&kernel->parameters[i],
                                   list_of(bench->options, &kernel->parameters[i]),
                                   &sweep.values[i], &sweep.counts[i], why);
    if (!error)
        error = sweep_all(&sweep, why);
    for (size_t i = 0; i < kernel->parameter_count; i++)
        free(sweep.values[i]);
    return error;
}

int sonde_bench_sweep(struct bench *bench, struct message *why)
{
    struct bench_point *empty = add_point(bench, why);
    int error = empty ? check_lists(bench, why) : -ENOMEM;

    for (size_t k = 0; k < bench->files->kernel_count && !error; k++)
        error = sweep_kernel(bench, &bench->files->kernels[k], why);
    return error;
}
