/* The results of `sonde bench` as the probe "bench" of a passport.
 *
 * A series per kernel and mode: the first three parameters are its axes, the label of a
 * point has them all, and what is broken or doubtful about it. The code that ran is a
 * finding: the hash of its bytes, its disassembly beside it. Ratios are series too, and
 * controls are controls. */
#include "cli/bench_report.h"

#include "base/text.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct record {
    struct bench *bench;
    struct passport *passport;
    struct probe_result *result;
    bool samples;
};

static const char *quantity(const struct record *record)
{
    return record->passport->environment.emulation ? "emulator's time of a call"
                                                   : "time of a call";
}

/* --- series ---------------------------------------------------------------------------
 */

static int open_series(struct record *record, const struct bench_point *point,
                       const char *prefix, struct series **series)
{
    const struct bench_kernel *kernel = point->kernel;
    struct text name = {0};

    sonde_base_text_print(&name, "%s%s%s%s", prefix, kernel ? kernel->name : "empty call",
                          point->mode ? " mode " : "",
                          sonde_bench_mode_name(point->mode));
    *series =
        name.failed ? NULL : sonde_measure_series_add(&record->result->series, name.data);
    sonde_base_text_free(&name);
    if (!*series)
        return -ENOMEM;
    (*series)->unit = "ns";
    (*series)->quantity = quantity(record);
    (*series)->statistic = STATISTIC_MEDIAN;
    for (size_t i = 0; kernel && i < kernel->parameter_count && i < SERIES_AXES_MAX;
         i++) {
        const char *axis =
            sonde_passport_word(record->passport, kernel->parameters[i].name);

        if (!axis)
            return -ENOMEM;
        (*series)->axes[i] =
            (struct axis){axis, strcmp(axis, "stride") == 0 ? "bytes" : "count", "log2"};
        (*series)->axis_count++;
    }
    return 0;
}

static char *describe(const struct bench_point *point, const char *more)
{
    struct text text = {0};

    sonde_base_text_print(&text, "%s", point->label);
    if (point->kernel && !point->checked)
        sonde_base_text_print(&text, " (unchecked)");
    if (point->broken)
        sonde_base_text_print(&text, ": broken: %s", point->problem);
    if (point->doubts[0])
        sonde_base_text_print(&text, ": doubtful: %s", point->doubts);
    if (more[0])
        sonde_base_text_print(&text, ": %s", more);
    return text.data;
}

static void set_place(const struct bench_point *point, const struct series *series,
                      struct series_point *row)
{
    for (unsigned i = 0; i < series->axis_count; i++)
        row->at[i] = (double)point->arguments[i];
}

static int add_events(const struct record *record, const struct bench_point *point,
                      struct series_point *row)
{
    const struct counter_list *counters = record->bench->options->counters;

    for (size_t k = 0; counters && k < counters->count; k++)
        if (point->counts[k].passes &&
            !sonde_measure_counter_add(row, counters->events[k].name,
                                       sonde_bench_events(point, k)))
            return -ENOMEM;
    return 0;
}

/* The samples move over: the passport owns them from now on. */
static int add_point(struct record *record, struct bench_point *point,
                     struct series *series)
{
    struct series_point *row = sonde_measure_point_add(series);
    struct series_point empty;

    if (!row)
        return -ENOMEM;
    empty = *row;
    *row = point->figures;
    memcpy(row->at, empty.at, sizeof row->at);
    set_place(point, series, row);
    row->samples = NULL;
    if (record->samples && point->figures.n) {
        row->samples = point->samples;
        point->samples = NULL;
        point->sample_count = 0;
    }
    row->label = describe(point, "");
    return row->label ? add_events(record, point, row) : -ENOMEM;
}

static bool begins_series(const struct bench *bench, size_t i)
{
    return i == 0 || bench->points[i].kernel != bench->points[i - 1].kernel ||
           bench->points[i].mode != bench->points[i - 1].mode;
}

static int add_times(struct record *record)
{
    struct series *series = NULL;
    int error = 0;

    for (size_t i = 0; i < record->bench->count && !error; i++) {
        struct bench_point *point = &record->bench->points[i];

        if (begins_series(record->bench, i))
            error = open_series(record, point, "", &series);
        if (!error)
            error = add_point(record, point, series);
    }
    return error;
}

/* --- comparisons ----------------------------------------------------------------------
 */

/* Each duel is a sample. */
static int add_duels(const struct bench_match *match, double fence_ns,
                     struct series_point *row)
{
    row->samples = calloc(match->count + 1, sizeof *row->samples);
    if (!row->samples)
        return -ENOMEM;
    row->n = match->count;
    for (size_t i = 0; i < match->count; i++)
        row->samples[i] = (struct sample){.value = (match->duels[i].point_ns - fence_ns) /
                                                   (match->duels[i].base_ns - fence_ns),
                                          .cycles = NAN,
                                          .overlap = NAN,
                                          .fairness = NAN,
                                          .share = NAN,
                                          .load = NAN,
                                          .round = (uint32_t)i};
    sonde_measure_summarise(row, STATISTIC_MEDIAN);
    return 0;
}

static int add_ratio(const struct record *record, const struct bench_point *point,
                     struct series *series)
{
    const struct bench_match *match = sonde_bench_match_of(record->bench, point);
    const struct bench_comparison *against = &point->against;
    struct series_point *row = sonde_measure_point_add(series);

    if (!row)
        return -ENOMEM;
    set_place(point, series, row);
    if (match && match->count &&
        add_duels(match, sonde_bench_fence_ns(record->bench), row))
        return -ENOMEM;
    row->best = against->ratio;
    row->low = against->low;
    row->high = against->high;
    row->label = describe(point, sonde_bench_verdict_name(against->verdict));
    return row->label ? 0 : -ENOMEM;
}

static int add_ratios(struct record *record)
{
    struct series *series = NULL;
    int error = 0;

    for (size_t i = 1; i < record->bench->count && !error; i++) {
        const struct bench_point *point = &record->bench->points[i];

        if (begins_series(record->bench, i))
            series = NULL;
        if (point->against.verdict == BENCH_NO_VERDICT)
            continue;
        if (!series) {
            error = open_series(record, point, "ratio to the baseline: ", &series);
            if (!error) {
                series->quantity = "ratio of times";
                series->unit = "ratio";
            }
        }
        if (!error)
            error = add_ratio(record, point, series);
    }
    return error;
}

static int add_controls(struct record *record)
{
    const char *name = record->bench->options->control;

    for (size_t i = 1; i < record->bench->count; i++) {
        const struct bench_point *point = &record->bench->points[i];
        const struct bench_comparison *control = &point->control;
        struct text what = {0};
        bool ok =
            control->verdict == BENCH_EQUAL || control->verdict == BENCH_INCONCLUSIVE;

        if (control->verdict == BENCH_NO_VERDICT)
            continue;
        sonde_base_text_print(&what, "%s takes as long as %s with %s", name,
                              point->kernel->name, point->label);
        if (!what.failed)
            sonde_infer_control(&record->result->findings, ok, what.data, "a ratio of 1",
                                "%.3f, %.3f to %.3f", control->ratio, control->low,
                                control->high);
        sonde_base_text_free(&what);
    }
    return 0;
}

/* --- evidence -------------------------------------------------------------------------
 */

static int add_code(struct record *record, const struct bench_kernel *kernel)
{
    struct text name = {0}, hash = {0};
    struct finding *finding;

    sonde_base_text_print(&name, "%s.code", kernel->name);
    sonde_base_text_print(&hash, "fnv1a:%016llx of %zu bytes",
                          (unsigned long long)kernel->hash, kernel->code_bytes);
    finding = name.failed || hash.failed
                  ? NULL
                  : sonde_infer_find(&record->result->findings, name.data, "", NAN, NAN,
                                     NAN, NAN, "the machine code that was called");
    sonde_base_text_free(&name);
    if (!finding) {
        sonde_base_text_free(&hash);
        return -ENOMEM;
    }
    finding->text = hash.data;
    finding->reason =
        sonde_base_copy(kernel->disassembly ? kernel->disassembly
                                            : "no disassembly: objdump is not there");
    return finding->reason ? 0 : -ENOMEM;
}

static int add_overhead(struct record *record)
{
    static const char alone[] = "calls of an empty function by the same loop, while the "
                                "core was had alone: the low quartile",
                      shared[] = "calls of an empty function by the same loop, beside a "
                                 "neighbour on the core, it seems: the low quartile";
    const struct bench_overhead *overhead = &record->bench->overhead;
    const struct series_point *figures = &overhead->figures;
    const char *method = overhead->shared ? shared : alone;
    double cycles = figures->cycles / figures->best;
    struct findings *findings = &record->result->findings;

    if (!figures->n)
        return 0;
    if (!sonde_infer_find(findings, "bench.overhead", "ns", figures->best, figures->low,
                          figures->high, NAN, method))
        return -ENOMEM;
    if (isfinite(cycles) &&
        !sonde_infer_find(findings, "bench.overhead_cycles", "cycles", figures->cycles,
                          figures->low * cycles, figures->high * cycles, NAN, method))
        return -ENOMEM;
    return 0;
}

static int note_status(struct record *record)
{
    size_t broken = 0;
    struct text reason = {0};

    for (size_t i = 1; i < record->bench->count; i++)
        broken += record->bench->points[i].broken;
    record->result->status = PROBE_MEASURED;
    if (!broken && !record->bench->interrupted)
        return 0;
    record->result->status = PROBE_PARTIAL;
    if (record->bench->interrupted)
        sonde_base_text_print(&reason, "interrupted");
    else
        sonde_base_text_print(&reason, "%zu of %zu points are broken", broken,
                              record->bench->count - 1);
    record->result->reason = reason.data;
    return reason.failed ? -ENOMEM : 0;
}

int sonde_cli_bench_record(struct bench *bench, double seconds, bool samples,
                           struct passport *passport)
{
    struct record record = {.bench = bench, .passport = passport, .samples = samples};
    int error;

    record.result = sonde_passport_probe_add(passport, "bench");
    if (!record.result)
        return -ENOMEM;
    record.result->seconds = seconds;
    error = note_status(&record);
    if (!error)
        error = add_overhead(&record);
    for (size_t k = 0; k < bench->files->kernel_count && !error; k++)
        error = add_code(&record, &bench->files->kernels[k]);
    if (!error)
        error = add_ratios(&record);
    if (!error)
        error = add_controls(&record);
    return error ? error : add_times(&record);
}
