/* One slice of a memory mountain: where throughput falls off with size, and how far.
 *
 * A drop that the last size alone shows is marked, for nothing behind it says whether it
 * stays. */
#include "report/report.h"

#include "base/units.h"
#include "infer/cliffs.h"
#include "report/canvas.h"
#include "report/table.h"
#include "report/terminal_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum cliff_column {
    COLUMN_FROM,
    COLUMN_BEFORE,
    COLUMN_TO,
    COLUMN_AFTER,
    COLUMN_KEPT,
    COLUMN_NOTE,
    COLUMN_COUNT
};

static const struct table_column columns[COLUMN_COUNT] = {
    [COLUMN_FROM] = {"up to", true, 2, 0}, [COLUMN_BEFORE] = {"", true, 2, 0},
    [COLUMN_TO] = {"from", true, 3, 0},    [COLUMN_AFTER] = {"", true, 2, 0},
    [COLUMN_KEPT] = {"kept", true, 3, 0},  [COLUMN_NOTE] = {"", false, 2, 1},
};

/* The series of the result that has sizes and strides, and is a rate. */
static const struct series *find_mountain(const struct passport *passport)
{
    for (size_t p = 0; p < passport->probe_count; p++)
        for (size_t s = 0; s < passport->probes[p].series.count; s++) {
            const struct series *series = &passport->probes[p].series.rows[s];
            bool size = false, stride = false;

            for (unsigned a = 0; a < series->axis_count; a++) {
                size = size || strcmp(series->axes[a].name, "size") == 0;
                stride = stride || strcmp(series->axes[a].name, "stride") == 0;
            }
            if (size && stride && strcmp(series->unit, "bytes/s") == 0)
                return series;
        }
    return NULL;
}

static const char *stride_unit(const struct series *series)
{
    for (unsigned a = 0; a < series->axis_count; a++)
        if (strcmp(series->axes[a].name, "stride") == 0)
            return series->axes[a].unit;
    return "";
}

/* "stride 16 is not there: 1 to 15"; few strides are named one by one. */
static int name_strides(const struct series *series, double stride, struct message *why)
{
    double *strides;
    size_t count;
    struct text list = {0};
    int error = sonde_infer_strides(series, &strides, &count);

    for (size_t i = 0; !error && i < count; i++)
        sonde_base_text_print(&list, "%s%.6g", i ? ", " : "", strides[i]);
    if (!error)
        error = sonde_base_fail(why, -ENOENT, "stride %.6g is not there, but %.200s",
                                stride, list.failed || !list.data ? "none" : list.data);
    free(strides);
    sonde_base_text_free(&list);
    return error;
}

static void add_cliff(struct table *table, const struct cliff *cliff)
{
    sonde_report_row(table);
    sonde_report_cell(table, COLUMN_FROM, "%s",
                      sonde_report_number(cliff->from, "bytes").text);
    sonde_report_cell(table, COLUMN_BEFORE, "%s",
                      sonde_report_number(cliff->before, "bytes/s").text);
    sonde_report_cell(table, COLUMN_TO, "%s",
                      sonde_report_number(cliff->to, "bytes").text);
    sonde_report_cell(table, COLUMN_AFTER, "%s",
                      sonde_report_number(cliff->after, "bytes/s").text);
    sonde_report_cell(table, COLUMN_KEPT, "%.0f %%", 100 * cliff->after / cliff->before);
    if (cliff->at_end)
        sonde_report_cell(table, COLUMN_NOTE, "the last size: not confirmed");
}

static int draw(const struct slice *slice, const struct cliffs *cliffs,
                struct canvas *canvas)
{
    struct table table;
    int error = sonde_report_table_open(&table, columns, COLUMN_COUNT, true);

    if (!error && !cliffs->count)
        sonde_report_say(
            canvas, "  ", "no cliff: %s at %s, %s at %s",
            sonde_report_number(slice->rate[0], "bytes/s").text,
            sonde_report_number(slice->size[0], "bytes").text,
            sonde_report_number(slice->rate[slice->count - 1], "bytes/s").text,
            sonde_report_number(slice->size[slice->count - 1], "bytes").text);
    for (size_t i = 0; !error && i < cliffs->count; i++)
        add_cliff(&table, &cliffs->rows[i]);
    if (!error)
        sonde_report_table_draw(&table, canvas);
    sonde_report_table_close(&table);
    return error;
}

int sonde_report_slice(const struct passport *passport, double stride,
                       const struct report_style *style, struct text *out,
                       size_t *mountains, struct message *why)
{
    const struct series *mountain = find_mountain(passport);
    struct canvas canvas = sonde_report_canvas(style, out);
    struct cliffs cliffs;
    struct slice slice;
    int error;

    if (!mountain)
        return 0;
    ++*mountains;
    error = sonde_infer_slice(mountain, stride, &slice);
    if (error)
        return error == -ENOENT ? name_strides(mountain, stride, why) : error;
    error = sonde_infer_cliffs(slice.size, slice.rate, slice.count, &cliffs);
    if (!error) {
        sonde_report_say(
            &canvas, "", "%s%sstride %.6g (%s): %zu sizes from %s to %s, noise %.1f %%",
            passport->machine.model ? passport->machine.model : "",
            passport->machine.model ? ", " : "", stride, stride_unit(mountain),
            slice.count, sonde_report_number(slice.size[0], "bytes").text,
            sonde_report_number(slice.size[slice.count - 1], "bytes").text,
            100 * cliffs.noise);
        error = draw(&slice, &cliffs, &canvas);
    }
    sonde_infer_slice_free(&slice);
    return error;
}
