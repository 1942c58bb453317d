/* What makes figures doubtful: evidence that something else was measured than meant.
 *
 * What can fool it: a function that does little but not nothing, and work that grows with
 * something that is no parameter. */
#include "bench/bench.h"

#include "base/units.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Twice the calls take twice the time, give or take what a busy machine does to a few
 * samples. */
static const double doubling_least = 1.5, doubling_most = 2.7;
/* Within this of an empty call nothing was seen to happen. */
static const double empty_margin = 1.1;
/* Calls that take so much longer one by one did overlap. */
static const double overlap_margin = 1.25;
static const double overlap_least_ns = 20;

__attribute__((format(printf, 2, 3))) static void doubt(struct bench_point *point,
                                                        const char *format, ...)
{
    size_t used = strlen(point->doubts);
    va_list arguments;

    if (used && used + 2 < sizeof point->doubts) {
        strcpy(point->doubts + used, "; ");
        used += 2;
    }
    va_start(arguments, format);
    vsnprintf(point->doubts + used, sizeof point->doubts - used, format, arguments);
    va_end(arguments);
}

static void doubt_point(const struct bench *bench, struct bench_point *point)
{
    double empty_ns = sonde_bench_empty_ns(bench);
    /* The two were timed side by side in the trial, whatever the machine did later. */
    double alone_ns = point->alone_ns - bench->points[0].alone_ns;

    if (point->broken || !point->figures.n)
        return;
    if (point->figures.n < bench->options->samples)
        doubt(point, "only %zu samples were undisturbed", point->figures.n);
    if (point->doubling < doubling_least || point->doubling > doubling_most)
        doubt(point, "twice the calls take %.2g times the time", point->doubling);
    if (!bench->options->alone && !(point->figures.median > empty_margin * empty_ns))
        doubt(point, "takes no more time than an empty call");
    if (bench->options->alone && !(point->figures.median > 0))
        doubt(point, "0 ns: takes no more time than an empty call");
    if (!bench->options->alone && alone_ns > overlap_least_ns &&
        alone_ns > overlap_margin * point->call_ns)
        doubt(point, "calls overlap: one alone takes %s (--alone)",
              sonde_base_format_time(alone_ns).text);
}

/* The same time for different work: something else was measured. */
static void doubt_equal(struct bench *bench, const struct bench_kernel *kernel)
{
    double least = INFINITY, most = 0, least_work = INFINITY, most_work = 0;
    size_t points = 0;

    for (size_t i = 1; i < bench->count; i++) {
        const struct bench_point *point = &bench->points[i];

        if (point->kernel != kernel || point->broken || !(point->figures.median > 0))
            continue;
        points++;
        least = fmin(least, point->figures.median);
        most = fmax(most, point->figures.median);
        least_work = fmin(least_work, point->elements);
        most_work = fmax(most_work, point->elements);
    }
    if (points < 2 || !(most_work >= 2 * least_work) || !(most < 1.02 * least))
        return;
    for (size_t i = 1; i < bench->count; i++)
        if (bench->points[i].kernel == kernel)
            doubt(&bench->points[i], "the same time for any number of elements");
}

void sonde_bench_doubt(struct bench *bench)
{
    for (size_t i = 1; i < bench->count; i++)
        doubt_point(bench, &bench->points[i]);
    for (size_t k = 0; k < bench->files->kernel_count; k++)
        doubt_equal(bench, &bench->files->kernels[k]);
}
