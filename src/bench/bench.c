/* Trials, passes, and what they add up to.
 *
 * A point that breaks is set aside with one clause that says how; the others go on. If
 * one that was sound in its trial breaks in a pass, that pass is repeated without it, and
 * what earlier passes measured is kept.
 *
 * What can fool it: a function that behaves in the trial and not in the passes without
 * being noticed (unchecked ones), and calls that overlap, of which a doubt tells. */
#include "bench/bench.h"

#include "bench/subject.h"
#include "bench/trial.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool stop_wanted(const struct bench *bench)
{
    return bench->options->interrupted && *bench->options->interrupted;
}

__attribute__((format(printf, 2, 3))) static void break_point(struct bench_point *point,
                                                              const char *format, ...)
{
    va_list arguments;

    point->broken = true;
    va_start(arguments, format);
    vsnprintf(point->problem, sizeof point->problem, format, arguments);
    va_end(arguments);
}

/* --- how a child ended ----------------------------------------------------------------
 */

static const char *signal_name(int number)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGILL, "SIGILL"},   {SIGFPE, "SIGFPE"},
                 {SIGBUS, "SIGBUS"},   {SIGABRT, "SIGABRT"}, {SIGTRAP, "SIGTRAP"},
                 {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}, {SIGSYS, "SIGSYS"}};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].number == number)
            return names[i].name;
    return "a signal";
}

static void describe_fault(struct bench_point *point, int number,
                           const struct trial *trial)
{
    struct bench_subject subject = {.bytes = (size_t)point->buffer_bytes};
    long distance = 0;

    if (trial && trial->trace.fault_known && trial->phase == TRIAL_CALL) {
        subject.buffer = (char *)(uintptr_t)trial->buffer_from;
        distance = sonde_bench_subject_distance(&subject, trial->trace.fault_address);
    }
    if (distance > 0)
        break_point(point,
                    "touches memory past the end of its buffer of %llu bytes, %ld bytes "
                    "on (%s)",
                    (unsigned long long)point->buffer_bytes, distance,
                    signal_name(number));
    else if (distance < 0)
        break_point(point,
                    "touches memory before the start of its buffer, %ld bytes ahead (%s)",
                    -distance, signal_name(number));
    else
        break_point(point, "crashes: %s (%s)", signal_name(number), strsignal(number));
}

static void describe_end(struct bench_point *point, const struct child_outcome *outcome,
                         const struct trial *trial, double timeout_s)
{
    switch (outcome->end) {
    case CHILD_SIGNALLED:
        describe_fault(point, outcome->number, trial);
        return;
    case CHILD_EXITED:
        break_point(point, "ends the process with status %d", outcome->number);
        return;
    case CHILD_TIMED_OUT:
        break_point(point, "hangs: a batch did not end within %g s", timeout_s);
        return;
    case CHILD_DONE:
    case CHILD_INTERRUPTED:
        return;
    }
}

/* --- trials ---------------------------------------------------------------------------
 */

static int try_point(struct bench *bench, size_t index, struct trial *trial,
                     struct message *why)
{
    struct bench_point *point = &bench->points[index];
    struct child_outcome outcome;
    int error;

    memset(trial, 0, sizeof *trial);
    trial->bench = bench;
    trial->point = index;
    trial->call_ns = trial->alone_ns = trial->doubling = NAN;
    error = sonde_bench_child(sonde_bench_trial, trial, &trial->trace,
                              bench->options->timeout_s, bench->options->interrupted,
                              &outcome);
    if (error)
        return sonde_base_fail(why, error, "no process to try a kernel in: %s",
                               strerror(-error));
    if (outcome.end == CHILD_INTERRUPTED)
        return -EINTR;
    if (outcome.end != CHILD_DONE)
        describe_end(point, &outcome, trial, bench->options->timeout_s);
    else if (trial->problem[0])
        break_point(point, "%s", trial->problem);
    else if (trial->phase != TRIAL_ENDED || !trial->steps)
        break_point(point, "could not be tried");
    point->steps = trial->steps;
    point->call_ns = trial->call_ns;
    point->alone_ns = trial->alone_ns;
    point->doubling = trial->doubling;
    return 0;
}

static void show(const struct bench *bench, const char *what, double done)
{
    if (bench->options->progress)
        bench->options->progress(bench->options->self, what, done, NAN);
}

static int try_all(struct bench *bench, struct message *why)
{
    struct trial *trial = sonde_bench_shared_open(sizeof *trial);
    int error = trial ? 0 : sonde_base_fail(why, -ENOMEM, "out of memory");

    for (size_t i = 0; i < bench->count && !error; i++) {
        show(bench, "trials", (double)i / (double)bench->count);
        error = try_point(bench, i, trial, why);
        if (!error && stop_wanted(bench))
            error = -EINTR;
    }
    sonde_bench_shared_close(trial, sizeof *trial);
    return error;
}

/* --- passes ---------------------------------------------------------------------------
 */

static size_t set_wishes(const struct bench *bench, struct pass *pass)
{
    size_t wishes = 0;

    for (size_t i = 0; i < bench->count; i++) {
        const struct bench_point *point = &bench->points[i];
        size_t wish = bench->options->samples,
               left = wish > point->sample_count ? wish - point->sample_count : 0;

        memset(&pass->points[i], 0, sizeof pass->points[i]);
        if (!point->broken)
            pass->points[i].wanted =
                (unsigned)(left < PASS_ROUNDS ? left : (size_t)PASS_ROUNDS);
        wishes += pass->points[i].wanted > 0;
    }
    for (size_t i = 0; i < bench->match_count; i++) {
        pass->matches[i] = (struct pass_match){
            .wanted = sonde_bench_match_wants(bench, &bench->matches[i])};
        wishes += pass->matches[i].wanted;
    }
    return wishes;
}

static void collect_events(const struct bench *bench, const struct pass_point *from,
                           struct bench_point *point)
{
    const struct counter_list *counters = bench->options->counters;

    for (size_t k = 0; counters && k < counters->count; k++)
        if (isfinite(from->events[k])) {
            point->counts[k].sum += from->events[k];
            point->counts[k].passes++;
        }
}

static int collect_duels(struct bench *bench, const struct pass *pass)
{
    for (size_t i = 0; i < bench->match_count; i++) {
        struct bench_match *match = &bench->matches[i];
        struct bench_duel *grown;

        if (!pass->matches[i].fought)
            continue;
        grown = realloc(match->duels, (match->count + 1) * sizeof *grown);
        if (!grown)
            return -ENOMEM;
        match->duels = grown;
        grown[match->count++] = pass->matches[i].duel;
    }
    return 0;
}

static int collect(struct bench *bench, const struct pass *pass)
{
    for (size_t i = 0; i < bench->count; i++) {
        struct bench_point *point = &bench->points[i];
        const struct pass_point *from = &pass->points[i];
        struct sample *grown;

        if (from->wrong)
            break_point(point, "returned a wrong value after %zu good samples",
                        point->sample_count);
        if (!from->count)
            continue;
        grown =
            realloc(point->samples, (point->sample_count + from->count) * sizeof *grown);
        if (!grown)
            return -ENOMEM;
        point->samples = grown;
        memcpy(grown + point->sample_count, from->samples, from->count * sizeof *grown);
        point->sample_count += from->count;
        collect_events(bench, from, point);
    }
    if (sonde_bench_overhead_add(&bench->overhead, pass->number, pass->empties.samples,
                                 pass->empties.count))
        return -ENOMEM;
    return collect_duels(bench, pass);
}

/* One pass; after a crash the culprit is set aside and the pass has not been. */
static int one_pass(struct bench *bench, struct pass *pass, struct message *why)
{
    struct child_outcome outcome;
    int error =
        sonde_bench_child(sonde_bench_pass, pass, &pass->trace, bench->options->timeout_s,
                          bench->options->interrupted, &outcome);

    if (error)
        return sonde_base_fail(why, error, "no process to measure in: %s",
                               strerror(-error));
    if (outcome.end == CHILD_INTERRUPTED)
        return -EINTR;
    if (outcome.end != CHILD_DONE) {
        describe_end(&bench->points[pass->current], &outcome, NULL,
                     bench->options->timeout_s);
        return 0;
    }
    if (pass->problem[0])
        return sonde_base_fail(why, -EIO, "a pass failed: %s", pass->problem);
    bench->passes++;
    return collect(bench, pass);
}

/* --- what they add up to --------------------------------------------------------------
 */

static void summarise(struct bench *bench, struct bench_point *point)
{
    struct series_point *figures = &point->figures;
    double nan = NAN;

    memset(figures, 0, sizeof *figures);
    figures->min = figures->q25 = figures->median = figures->q75 = figures->p99 = nan;
    figures->max = figures->mean = figures->iqr = figures->low = figures->high = nan;
    figures->best = figures->cycles = figures->autocorrelation = nan;
    figures->mode_low = figures->mode_high = nan;
    for (unsigned i = 0; i < SERIES_AXES_MAX; i++)
        figures->at[i] = nan;
    if (!point->sample_count)
        return;
    figures->n = point->sample_count;
    figures->samples = point->samples;
    sonde_measure_summarise(figures, STATISTIC_MEDIAN);
    if (figures->n < bench->options->samples)
        figures->flags |= POINT_CUT;
}

/* Waiting for each call costs what it costs an empty one. */
static void take_off_fence(struct bench *bench)
{
    double fence_ns = bench->points[0].figures.median;

    for (size_t i = 1; i < bench->count && fence_ns > 0; i++) {
        struct bench_point *point = &bench->points[i];

        for (size_t k = 0; k < point->sample_count; k++) {
            struct sample *sample = &point->samples[k];
            double part = fmax(0, 1 - fence_ns / sample->value);

            sample->cycles *= part;
            sample->value *= part;
        }
    }
}

/* Passes until nobody wishes for more, from `*number` on. */
static int pass_some(struct bench *bench, struct pass *pass, size_t *number,
                     struct message *why)
{
    size_t needed = (bench->options->samples + PASS_ROUNDS - 1) / PASS_ROUNDS;
    size_t duels = bench->match_count ? bench->target : 0;
    /* A disturbed machine refuses samples: thrice the need bounds the tries. */
    size_t most = 3 * (needed > duels ? needed : duels) + bench->count;
    int error = 0;

    needed = needed > duels ? needed : duels;
    for (; *number < most && !error && set_wishes(bench, pass); (*number)++) {
        show(bench, "samples", (double)bench->passes / (double)(needed ? needed : 1));
        pass->bench = bench;
        pass->number = (uint32_t)*number;
        pass->seed = bench->options->seed + 0x9e3779b97f4a7c15 * (*number + 1);
        error = one_pass(bench, pass, why);
        if (!error && stop_wanted(bench))
            error = -EINTR;
    }
    return error;
}

static int pass_all(struct bench *bench, struct message *why)
{
    size_t points = sizeof(struct pass) + bench->count * sizeof(struct pass_point);
    size_t bytes = points + bench->match_count * sizeof(struct pass_match);
    struct pass *pass = sonde_bench_shared_open(bytes);
    int error = pass ? 0 : sonde_base_fail(why, -ENOMEM, "out of memory");
    size_t number = 0;

    if (pass)
        pass->matches = (struct pass_match *)((char *)pass + points);
    /* Looked at after each full set only: peeking is optimistic. */
    for (unsigned set = 1; set <= BENCH_SETS_MOST && !error; set++) {
        bench->target = set * bench->options->samples;
        error = pass_some(bench, pass, &number, why);
        summarise(bench, &bench->points[0]);
        if (!sonde_bench_match_open(bench))
            break;
    }
    sonde_bench_shared_close(pass, bytes);
    return error;
}

static int conclude(struct bench *bench)
{
    int error = sonde_bench_overhead_conclude(&bench->overhead, bench->scales);

    summarise(bench, &bench->points[0]);
    if (bench->options->alone)
        take_off_fence(bench);
    for (size_t i = 1; i < bench->count; i++)
        summarise(bench, &bench->points[i]);
    sonde_bench_doubt(bench);
    sonde_bench_match_conclude(bench);
    return error;
}

int sonde_bench_measure(struct bench *bench, struct message *why)
{
    int error = try_all(bench, why);

    if (!error && sonde_bench_match_all(bench))
        error = sonde_base_fail(why, -ENOMEM, "out of memory");
    if (!error)
        error = pass_all(bench, why);
    bench->interrupted = error == -EINTR;
    if ((!error || error == -EINTR) && conclude(bench))
        error = sonde_base_fail(why, -ENOMEM, "out of memory");
    return error;
}

double sonde_bench_empty_ns(const struct bench *bench)
{
    return bench->count ? bench->points[0].figures.q25 : NAN;
}

double sonde_bench_events(const struct bench_point *point, size_t counter)
{
    const struct bench_count *count = &point->counts[counter];

    return count->passes ? count->sum / (double)count->passes : NAN;
}

void sonde_bench_free(struct bench *bench)
{
    sonde_bench_match_free(bench);
    sonde_bench_overhead_free(&bench->overhead);
    for (size_t i = 0; i < bench->count; i++) {
        free(bench->points[i].samples);
        free(bench->points[i].figures.label);
    }
    free(bench->points);
    bench->points = NULL;
    bench->count = 0;
}
