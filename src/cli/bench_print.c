/* The report of `sonde bench` on a terminal: what a call takes, how samples spread, what
 * compares how, what is doubtful, and what is broken. */
#include "cli/bench_report.h"

#include "base/units.h"
#include "report/canvas.h"
#include "report/table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BINS = 24 };

static const char *name_of(const struct bench_point *point)
{
    return point->kernel ? point->kernel->name : "(empty)";
}

static double per_element_cycles(const struct bench_point *point)
{
    if (!(point->elements > 0))
        return NAN;
    return point->figures.cycles / point->elements;
}

static void put_time(struct table *table, unsigned column, double ns)
{
    if (isnan(ns))
        sonde_report_cell(table, column, "-");
    else
        sonde_report_cell(table, column, "%s", sonde_base_format_time(ns).text);
}

static void put_number(struct table *table, unsigned column, double value)
{
    if (isnan(value))
        sonde_report_cell(table, column, "-");
    else
        sonde_report_cell(table, column, "%s", sonde_base_format_number(value, 3).text);
}

static void put_names(struct table *table, const struct bench_point *point)
{
    sonde_report_cell(table, 0, "%s", name_of(point));
    sonde_report_cell(table, 1, "%s", sonde_bench_mode_name(point->mode));
    sonde_report_cell(table, 2, "%s", point->label);
}

static void put_ratio(struct table *table, unsigned column,
                      const struct bench_comparison *against)
{
    if (against->verdict == BENCH_NO_VERDICT)
        return;
    if (isnan(against->ratio))
        sonde_report_cell(table, column, "%s",
                          sonde_bench_verdict_name(against->verdict));
    else
        sonde_report_cell(table, column, "%.3f %s", against->ratio,
                          sonde_bench_verdict_name(against->verdict));
}

static int draw_times(const struct bench *bench, struct canvas *canvas)
{
    static const struct table_column columns[] = {
        {"kernel", false, 0, 0}, {"mode", false, 2, 0},    {"parameters", false, 2, 0},
        {"buffer", true, 2, 0},  {"median", true, 2, 0},   {"mean", true, 2, 0},
        {"IQR", true, 2, 0},     {"cyc/elem", true, 2, 1}, {"ratio", false, 2, 0},
        {"value", false, 2, 2},
    };
    struct table table;
    int error = sonde_report_table_open(&table, columns,
                                        sizeof columns / sizeof columns[0], true);

    for (size_t i = 1; i < bench->count && !error; i++) {
        const struct bench_point *point = &bench->points[i];

        sonde_report_row(&table);
        put_names(&table, point);
        sonde_report_cell(&table, 3, "%s",
                          sonde_base_format_bytes((double)point->buffer_bytes).text);
        put_time(&table, 4, point->figures.median);
        put_time(&table, 5, point->figures.mean);
        put_time(&table, 6, point->figures.iqr);
        put_number(&table, 7, per_element_cycles(point));
        put_ratio(&table, 8, &point->against);
        sonde_report_cell(&table, 9, "%s",
                          point->broken    ? "broken"
                          : point->checked ? "checked"
                                           : "unchecked");
    }
    if (!error)
        sonde_report_table_draw(&table, canvas);
    sonde_report_table_close(&table);
    return error;
}

/* --- histograms -----------------------------------------------------------------------
 */

/* Counts of samples in bins from the least to the 99th percentile; what lies beyond is
 * in the last. */
static void count_bins(const struct bench_point *point, unsigned counts[BINS])
{
    double from = point->figures.min, width = (point->figures.p99 - from) / BINS;

    memset(counts, 0, BINS * sizeof *counts);
    for (size_t i = 0; i < point->sample_count; i++) {
        double place = width > 0 ? (point->samples[i].value - from) / width : 0;

        counts[place < BINS - 1 ? (size_t)fmax(0, place) : BINS - 1]++;
    }
}

static void draw_bins(const struct bench_point *point, bool utf8, struct text *out)
{
    static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const ascii[] = {" ", ".", ":", "-", "=", "+", "*", "%", "#"};
    unsigned counts[BINS], most = 1;

    count_bins(point, counts);
    for (size_t i = 0; i < BINS; i++)
        most = counts[i] > most ? counts[i] : most;
    for (size_t i = 0; i < BINS; i++) {
        size_t height = counts[i] ? 1 + counts[i] * 7 / most : 0;

        sonde_base_text_print(out, "%s", utf8 ? blocks[height] : ascii[height]);
    }
}

static void put_spread(struct table *table, const struct bench_point *point, bool utf8)
{
    struct text bins = {0};

    sonde_report_row(table);
    put_names(table, point);
    put_time(table, 3, point->figures.min);
    draw_bins(point, utf8, &bins);
    sonde_report_cell(table, 4, "%s", bins.failed ? "" : bins.data);
    sonde_base_text_free(&bins);
    put_time(table, 5, point->figures.p99);
    put_time(table, 6, point->figures.q25);
    put_time(table, 7, point->figures.q75);
    sonde_report_cell(table, 8, "%zu+%zu", point->figures.outliers_mild,
                      point->figures.outliers_severe);
    sonde_report_cell(table, 9, "%zu", point->figures.n);
}

static int draw_spreads(const struct bench *bench, struct canvas *canvas)
{
    static const struct table_column columns[] = {
        {"kernel", false, 0, 0}, {"mode", false, 2, 0}, {"parameters", false, 2, 0},
        {"min", true, 2, 0},     {"", false, 1, 0},     {"99 %", true, 1, 0},
        {"25 %", true, 2, 3},    {"75 %", true, 2, 4},  {"outliers", true, 2, 1},
        {"samples", true, 2, 2},
    };
    struct table table;
    int error = sonde_report_table_open(&table, columns,
                                        sizeof columns / sizeof columns[0], true);

    for (size_t i = 1; i < bench->count && !error; i++)
        if (bench->points[i].figures.n)
            put_spread(&table, &bench->points[i], canvas->utf8);
    if (!error)
        sonde_report_table_draw(&table, canvas);
    sonde_report_table_close(&table);
    return error;
}

/* --- sentences ------------------------------------------------------------------------
 */

/* "1.55 ns (4.78 cyc)", of an empty call. */
static void tell_overhead(const struct bench *bench, const char *emulation,
                          struct canvas *canvas)
{
    const struct bench_overhead *overhead = &bench->overhead;
    double cycles = overhead->figures.cycles;
    char in_cycles[SONDE_NUMBER_TEXT + 16] = "";

    if (isfinite(cycles) && !emulation)
        snprintf(in_cycles, sizeof in_cycles, " (%s" GLUE "cyc)",
                 sonde_base_format_number(cycles, 3).text);
    sonde_report_say(
        canvas, "", "%stime of a call; an empty one takes %s%s%s, which is included",
        emulation ? "emulator's " : "",
        sonde_base_format_time(overhead->figures.best).text, in_cycles,
        overhead->shared && !emulation ? " beside a neighbour on the core, it seems"
                                       : "");
}

static void draw_header(const struct bench *bench, const char *emulation,
                        struct canvas *canvas)
{
    if (emulation)
        sonde_report_say(canvas, "! ",
                         "these are an emulator's times (%s): they say nothing about "
                         "hardware",
                         emulation);
    if (bench->options->alone)
        sonde_report_say(canvas, "",
                         "time of a call made alone, behind a fence; the %s "
                         "of an empty call are taken off",
                         sonde_base_format_time(sonde_bench_fence_ns(bench)).text);
    else
        tell_overhead(bench, emulation, canvas);
}

/* Where it was measured, and why there. */
static void draw_choice(const struct cpu_choice *choice, struct canvas *canvas)
{
    const struct cpu_quiet *taken = &choice->taken, *first = &choice->first;
    unsigned cpu = taken->cpu;

    if (!choice->looked_at)
        sonde_report_say(canvas, "", "measured on CPU %u, as asked", cpu);
    else if (choice->looked_at == 1)
        sonde_report_say(canvas, "", "measured on CPU %u, the only one of its kind", cpu);
    else if (cpu == first->cpu)
        sonde_report_say(canvas, "",
                         "measured on CPU %u: of %zu none is clearly less disturbed "
                         "(whole core in %s pulses a millisecond)",
                         cpu, choice->looked_at,
                         sonde_base_format_number(taken->quiet, 2).text);
    else
        sonde_report_say(canvas, "",
                         "measured on CPU %u, the least disturbed of %zu (whole core in "
                         "%s pulses a millisecond, on CPU %u in %s)",
                         cpu, choice->looked_at,
                         sonde_base_format_number(taken->quiet, 2).text, first->cpu,
                         sonde_base_format_number(first->quiet, 2).text);
}

/* A kernel without a check runs, and is called what it is. */
static void draw_unchecked(const struct bench *bench, struct canvas *canvas)
{
    struct text names = {0};

    for (size_t i = 1; i < bench->count; i++) {
        const struct bench_point *point = &bench->points[i];

        if (!point->checked && point->kernel != bench->points[i - 1].kernel)
            sonde_base_text_print(&names, "%s%s", names.length ? ", " : "",
                                  name_of(point));
    }
    if (names.length && !names.failed)
        sonde_report_say(canvas, "",
                         "unchecked (nothing says whether the value is right): %s",
                         names.data);
    sonde_base_text_free(&names);
}

static void draw_comparisons(const struct bench *bench, struct canvas *canvas)
{
    bool any = false;

    for (size_t i = 1; i < bench->count; i++) {
        const struct bench_point *point = &bench->points[i];
        const struct bench_comparison *against = &point->against,
                                      *control = &point->control;

        if (!any && (against->verdict || control->verdict))
            sonde_report_heading(canvas, "compared");
        any |= against->verdict || control->verdict;
        if (against->verdict)
            sonde_report_say(canvas, "- ", "%s %s is %s: %.3f (%.3f to %.3f) times %s",
                             name_of(point), point->label,
                             sonde_bench_verdict_name(against->verdict), against->ratio,
                             against->low, against->high, bench->options->baseline);
        if (control->verdict)
            sonde_report_say(
                canvas, "- ", "control %s beside %s %s: %.3f (%.3f to %.3f), %s",
                bench->options->control, name_of(point), point->label, control->ratio,
                control->low, control->high,
                control->verdict == BENCH_FASTER || control->verdict == BENCH_SLOWER
                    ? "NOT equal: believe none of these"
                    : sonde_bench_verdict_name(control->verdict));
    }
}

static void draw_remarks(const struct bench *bench, bool broken, const char *heading,
                         struct canvas *canvas)
{
    bool any = false;

    for (size_t i = 1; i < bench->count; i++) {
        const struct bench_point *point = &bench->points[i];
        const char *text = broken ? point->problem : point->doubts;

        if (!text[0])
            continue;
        if (!any)
            sonde_report_heading(canvas, heading);
        any = true;
        sonde_report_say(canvas, "- ", "%s%s%s%s%s: %s", name_of(point),
                         point->mode ? " mode " : "", sonde_bench_mode_name(point->mode),
                         point->label[0] ? " " : "", point->label, text);
    }
}

/* --- counters -------------------------------------------------------------------------
 */

static void put_event(struct table *table, const struct bench_point *point,
                      const char *name, double events)
{
    sonde_report_row(table);
    put_names(table, point);
    sonde_report_cell(table, 3, "%s", name);
    put_number(table, 4, point->elements > 0 ? events / point->elements : NAN);
    put_number(table, 5, events);
}

static int draw_counters(const struct bench *bench, struct canvas *canvas)
{
    static const struct table_column columns[] = {
        {"kernel", false, 0, 0}, {"mode", false, 2, 0},       {"parameters", false, 2, 0},
        {"event", false, 2, 0},  {"per element", true, 2, 0}, {"per call", true, 2, 1},
    };
    const struct counter_list *counters = bench->options->counters;
    struct table table;
    int error;

    if (!counters)
        return 0;
    sonde_report_heading(canvas, "events counted");
    error = sonde_report_table_open(&table, columns, sizeof columns / sizeof columns[0],
                                    true);
    for (size_t i = 1; i < bench->count && !error; i++)
        for (size_t k = 0; k < counters->count; k++)
            if (bench->points[i].counts[k].passes)
                put_event(&table, &bench->points[i], counters->events[k].name,
                          sonde_bench_events(&bench->points[i], k));
    if (!error)
        sonde_report_table_draw(&table, canvas);
    sonde_report_table_close(&table);
    return error;
}

/* Counters that were asked for and are not there, in one line. */
static void draw_uncounted(const struct passport *passport, struct canvas *canvas)
{
    for (size_t i = 0; i < passport->warning_count; i++)
        if (strcmp(passport->warnings[i].code, "no-counters") == 0)
            sonde_report_say(canvas, "! ", "%s", passport->warnings[i].message);
}

int sonde_cli_bench_print(const struct bench *bench, const struct passport *passport,
                          const struct cpu_choice *choice,
                          const struct report_style *style, struct text *out)
{
    struct canvas canvas = sonde_report_canvas(style, out);
    int error;

    draw_choice(choice, &canvas);
    draw_header(bench, passport->environment.emulation, &canvas);
    draw_uncounted(passport, &canvas);
    draw_unchecked(bench, &canvas);
    sonde_report_line(&canvas, "");
    error = draw_times(bench, &canvas);
    if (!error) {
        sonde_report_heading(&canvas, "how the samples spread");
        error = draw_spreads(bench, &canvas);
    }
    if (!error)
        error = draw_counters(bench, &canvas);
    draw_comparisons(bench, &canvas);
    draw_remarks(bench, false, "doubtful", &canvas);
    draw_remarks(bench, true, "broken", &canvas);
    return error ? error : out->failed ? -ENOMEM : 0;
}
