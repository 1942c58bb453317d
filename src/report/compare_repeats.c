/* What the runs of a repeated measurement repeat to: of each finding the median over the
 * runs, how far the runs reach, and how many have it. */
#include "report/compare.h"

#include "infer/names.h"
#include "measure/statistics.h"
#include "report/table.h"
#include "report/terminal_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct table_column columns[] = {
    {"finding", false, 0, 0}, {"median", true, 2, 0}, {"least", true, 2, 2},
    {"most", true, 2, 1},     {"reach", true, 2, 0},  {"runs", true, 2, 0},
};

struct repeat {
    const char *name, *unit, *kind;
    double *values; /* sorted; owned */
    size_t count, of;
};

static bool same_kind(const char *a, const char *b)
{
    return !a || !b ? !a && !b : strcmp(a, b) == 0;
}

static bool first_of_kind(const struct passport_list *list, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (same_kind(list->rows[i].vantage.kind, list->rows[index].vantage.kind))
            return false;
    return true;
}

static int gather(const struct passport_list *list, struct repeat *repeat)
{
    repeat->values = calloc(list->count, sizeof *repeat->values);
    if (!repeat->values)
        return -ENOMEM;
    for (size_t i = 0; i < list->count; i++) {
        const struct finding *finding;

        if (!same_kind(list->rows[i].vantage.kind, repeat->kind))
            continue;
        repeat->of++;
        finding = sonde_passport_finding(&list->rows[i], repeat->name);
        if (sonde_report_known(finding) && !finding->text && isfinite(finding->value))
            repeat->values[repeat->count++] = finding->value;
    }
    sonde_measure_sort(repeat->values, repeat->count);
    return 0;
}

static void put_row(struct table *table, const struct repeat *repeat)
{
    char title[96];
    double least = repeat->values[0], most = repeat->values[repeat->count - 1];

    sonde_report_row(table);
    sonde_infer_title(repeat->name, title, sizeof title);
    if (repeat->kind)
        sonde_report_cell(table, 0, "%s, %s", title, repeat->kind);
    else
        sonde_report_cell(table, 0, "%s", title);
    sonde_report_cell(
        table, 1, "%s",
        sonde_report_number(sonde_measure_median(repeat->values, repeat->count),
                            repeat->unit)
            .text);
    sonde_report_cell(table, 2, "%s", sonde_report_number(least, repeat->unit).text);
    sonde_report_cell(table, 3, "%s", sonde_report_number(most, repeat->unit).text);
    if (least > 0)
        sonde_report_cell(table, 4, "%s" GLUE "%%",
                          sonde_base_format_number(100 * (most / least - 1), 2).text);
    sonde_report_cell(table, 5, "%zu of %zu", repeat->count, repeat->of);
}

static const char *unit_of(const struct finding *finding)
{
    const struct finding_name *name = sonde_infer_name(finding->name);
    const char *unit = finding->unit ? finding->unit : "";

    return name && strcmp(unit, "ratio") == 0 ? name->unit : unit;
}

/* The findings of the first run of each kind stand for all: what only a later run found
 * is no repeatable finding. */
static int put_passport(struct table *table, const struct passport_list *list,
                        const struct passport *passport)
{
    int error = 0;

    for (size_t p = 0; p < passport->probe_count; p++)
        for (size_t f = 0; f < passport->probes[p].findings.count && !error; f++) {
            const struct finding *finding = &passport->probes[p].findings.rows[f];
            struct repeat repeat = {.name = finding->name,
                                    .unit = unit_of(finding),
                                    .kind = passport->vantage.kind};

            if (!finding->name || sonde_infer_circumstance(finding->name) ||
                sonde_passport_finding(passport, finding->name) != finding)
                continue;
            error = gather(list, &repeat);
            if (!error && repeat.count)
                put_row(table, &repeat);
            free(repeat.values);
        }
    return error;
}

int sonde_report_repeats(const struct passport_list *list,
                         const struct report_style *style, struct text *out)
{
    struct canvas canvas = sonde_report_canvas(style, out);
    struct table table;
    int error = sonde_report_table_open(&table, columns,
                                        sizeof columns / sizeof columns[0], true);

    for (size_t i = 0; i < list->count && !error; i++)
        if (first_of_kind(list, i))
            error = put_passport(&table, list, &list->rows[i]);
    if (!error) {
        sonde_report_say(&canvas, "", "%.100s: whole runs in fresh processes",
                         list->count && list->rows[0].machine.model
                             ? list->rows[0].machine.model
                             : "machine unknown");
        sonde_base_text_print(out, "\n");
        sonde_report_table_draw(&table, &canvas);
    }
    sonde_report_table_close(&table);
    return error || out->failed ? -ENOMEM : 0;
}
