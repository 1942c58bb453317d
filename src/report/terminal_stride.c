/* Costs by stride on the terminal: both designs side by side, a row a stride.
 *
 * Every row of either design is in the passport; here stand the powers of four and the
 * strides between powers of two that are asked for most. It is drawn of any two series
 * named fixed_count and fixed_span whose axes are stride, accesses and size. */
#include "report/table.h"
#include "report/terminal_parts.h"

#include <math.h>

enum stride_column {
    COLUMN_STRIDE,
    COLUMN_COUNT_SIZE,
    COLUMN_COUNT_COST,
    COLUMN_SPAN_ACCESSES,
    COLUMN_SPAN_COST,
    COLUMN_LINES,
    COLUMN_VAIN,
    STRIDE_COLUMNS
};

static const struct table_column columns[STRIDE_COLUMNS] = {
    [COLUMN_STRIDE] = {"stride", true, 2, 0},
    [COLUMN_COUNT_SIZE] = {"fixed count", true, 2, 1},
    [COLUMN_COUNT_COST] = {"each", true, 2, 0},
    [COLUMN_SPAN_ACCESSES] = {"fixed span", true, 2, 2},
    [COLUMN_SPAN_COST] = {"each", true, 2, 0},
    [COLUMN_LINES] = {"lines", true, 2, 3},
    [COLUMN_VAIN] = {"in vain", true, 2, 4},
};

static const double shown[] = {1, 4, 16, 64, 96, 128, 160, 256, 1024, 1536, 2048, 4096};

static const struct series_point *find_row(const struct series_list *list,
                                           const char *name, double stride)
{
    const struct series *series = sonde_measure_series_find(list, name);

    for (size_t i = 0; series && i < series->count; i++)
        if (series->points[i].at[0] == stride && series->points[i].best >= 0)
            return &series->points[i];
    return NULL;
}

static void put(struct table *table, enum stride_column column, double value,
                const char *unit)
{
    sonde_report_cell(table, column, "%s", sonde_report_number(value, unit).text);
}

static void add_row(struct table *table, const struct series_list *list, double stride)
{
    const struct series_point *count = find_row(list, "fixed_count", stride);
    const struct series_point *span = find_row(list, "fixed_span", stride);
    const struct series_point *lines = find_row(list, "lines", stride);
    const struct series_point *vain = find_row(list, "vain", stride);

    if (!count && !span)
        return;
    sonde_report_row(table);
    put(table, COLUMN_STRIDE, stride, "bytes");
    if (count) {
        put(table, COLUMN_COUNT_SIZE, count->at[2], "bytes");
        put(table, COLUMN_COUNT_COST, count->best, "ns");
    }
    if (span) {
        put(table, COLUMN_SPAN_ACCESSES, span->at[1], "count");
        put(table, COLUMN_SPAN_COST, span->best, "ns");
    }
    if (lines)
        put(table, COLUMN_LINES, lines->best, "count");
    if (vain)
        sonde_report_cell(table, COLUMN_VAIN, "%.0f" GLUE "B", vain->best);
}

static void draw_strides(struct canvas *canvas, const struct series_list *list)
{
    struct table table;

    if (!sonde_measure_series_find(list, "fixed_count") ||
        !sonde_measure_series_find(list, "fixed_span"))
        return;
    if (sonde_report_table_open(&table, columns, STRIDE_COLUMNS, true)) {
        canvas->out->failed = true;
    } else {
        for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
            add_row(&table, list, shown[i]);
        if (table.rows > 0) {
            sonde_report_heading(canvas, "stride: cost of an access");
            sonde_report_table_draw(&table, canvas);
        }
    }
    sonde_report_table_close(&table);
}

void sonde_report_strides(struct canvas *canvas, const struct vantages *vantages)
{
    for (size_t v = 0; v < vantages->count; v++)
        for (size_t p = 0; p < vantages->rows[v].probe_count; p++)
            draw_strides(canvas, &vantages->rows[v].probes[p].series);
}
