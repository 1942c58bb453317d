/* One slice of a memory mountain: where throughput falls off with size, and how far.
 *
 * Strides are told in words of 8 bytes, as mountains are drawn. A drop that the last size
 * alone shows is marked, for nothing behind it says whether it stays. */
#include "report/report.h"

#include "base/units.h"
#include "infer/mountain.h"
#include "infer/slice.h"
#include "report/canvas.h"
#include "report/table.h"
#include "report/terminal_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double word_bytes = 8;

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

static bool is_mountain(const struct series *series)
{
    bool size = false, stride = false;

    for (unsigned a = 0; a < series->axis_count; a++) {
        size = size || strcmp(series->axes[a].name, "size") == 0;
        stride = stride || (strcmp(series->axes[a].name, "stride") == 0 &&
                            strcmp(series->axes[a].unit, "bytes") == 0);
    }
    return size && stride && strcmp(series->unit, "bytes/s") == 0;
}

static const struct series *find_mountain(const struct passport *passport)
{
    for (size_t p = 0; p < passport->probe_count; p++)
        for (size_t s = 0; s < passport->probes[p].series.count; s++)
            if (is_mountain(&passport->probes[p].series.rows[s]))
                return &passport->probes[p].series.rows[s];
    return NULL;
}

/* "stride 16 is not there, but 1, 2, 3". */
static int name_strides(const struct series *series, double words, struct message *why)
{
    double *strides;
    size_t count;
    struct text list = {0};
    int error = sonde_infer_strides(series, &strides, &count);

    for (size_t i = 0; !error && i < count; i++)
        sonde_base_text_print(&list, "%s%.6g", i ? ", " : "", strides[i] / word_bytes);
    if (!error)
        error = sonde_base_fail(why, -ENOENT, "stride %.6g is not there, but %.200s",
                                words, list.failed || !list.data ? "none" : list.data);
    free(strides);
    sonde_base_text_free(&list);
    return error;
}

static void add_cliff(struct table *table, const struct cliff *cliff, double last)
{
    sonde_report_row(table);
    sonde_report_cell(table, COLUMN_FROM, "%s",
                      sonde_report_number(cliff->low, "bytes").text);
    sonde_report_cell(table, COLUMN_BEFORE, "%s",
                      sonde_report_number(cliff->before, "bytes/s").text);
    sonde_report_cell(table, COLUMN_TO, "%s",
                      sonde_report_number(cliff->high, "bytes").text);
    sonde_report_cell(table, COLUMN_AFTER, "%s",
                      sonde_report_number(cliff->after, "bytes/s").text);
    sonde_report_cell(table, COLUMN_KEPT, "%.0f %%", 100 * cliff->after / cliff->before);
    if (cliff->high >= last)
        sonde_report_cell(table, COLUMN_NOTE, "the last size: not confirmed");
}

static void say_flat(struct canvas *canvas, const struct slice *slice)
{
    size_t last = slice->count - 1;

    sonde_report_say(canvas, "  ", "no cliff: %s at %s, %s at %s",
                     sonde_report_number(slice->rate[0], "bytes/s").text,
                     sonde_report_number(slice->size[0], "bytes").text,
                     sonde_report_number(slice->rate[last], "bytes/s").text,
                     sonde_report_number(slice->size[last], "bytes").text);
}

static int draw(const struct slice *slice, struct canvas *canvas)
{
    struct cliff cliffs[CLIFFS_MAX];
    size_t count = sonde_infer_cliffs(slice->size, slice->rate, slice->count, cliffs);
    struct table table;
    int error = sonde_report_table_open(&table, columns, COLUMN_COUNT, true);

    if (!error && !count)
        say_flat(canvas, slice);
    for (size_t i = 0; !error && i < count; i++)
        add_cliff(&table, &cliffs[i], slice->size[slice->count - 1]);
    if (!error && count)
        sonde_report_table_draw(&table, canvas);
    sonde_report_table_close(&table);
    return error;
}

int sonde_report_slice(const struct passport *passport, double words,
                       const struct report_style *style, struct text *out,
                       size_t *mountains, struct message *why)
{
    const struct series *mountain = find_mountain(passport);
    const char *model = passport->machine.model;
    struct canvas canvas = sonde_report_canvas(style, out);
    struct slice slice;
    int error;

    if (!mountain)
        return 0;
    ++*mountains;
    error = sonde_infer_slice(mountain, words * word_bytes, &slice);
    if (error)
        return error == -ENOENT ? name_strides(mountain, words, why) : error;
    sonde_report_say(&canvas, "", "%s%sstride %.6g (words of 8 bytes), %zu sizes",
                     model ? model : "", model ? ", " : "", words, slice.count);
    error = draw(&slice, &canvas);
    sonde_infer_slice_free(&slice);
    return error;
}
