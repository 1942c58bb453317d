/* The memory mountain: {hardware, date, sizes, strides, throughput, caches, sources}.
 *
 * Sizes and strides ascend, in bytes; throughput is a row for each size and a column for
 * each stride, in MB/s (10^6), as lessons on the memory mountain have it; a point that
 * was not measured is null. `caches` are in bytes, and `sources` says of each, and of the
 * throughput, whether it was measured or is declared. Several passports with a mountain
 * make an array. */
#include "report/export_kinds.h"

#include "measure/statistics.h"
#include "passport/json_emit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int axis_of(const struct series *series, const char *name)
{
    for (unsigned i = 0; i < series->axis_count; i++)
        if (series->axes[i].name && strcmp(series->axes[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* MB/s of a point's statistic; 0 for a series in another quantity. */
static double factor_of(const struct series *series)
{
    if (!series->unit)
        return 0;
    return strcmp(series->unit, "bytes/s") == 0 ? 1e-6
           : strcmp(series->unit, "MB/s") == 0  ? 1
                                                : 0;
}

static const struct series *find_mountain(const struct passport *passport)
{
    for (size_t p = 0; p < passport->probe_count; p++) {
        const struct series *series =
            sonde_measure_series_find(&passport->probes[p].series, "mountain");

        if (series && series->count && axis_of(series, "size") >= 0 &&
            axis_of(series, "stride") >= 0 && factor_of(series) > 0)
            return series;
    }
    return NULL;
}

/* The distinct values of an axis, ascending; owned by the caller. NULL: out of memory. */
static double *values_of(const struct series *series, int axis, size_t *count)
{
    double *values = malloc(series->count * sizeof *values);

    *count = 0;
    if (!values)
        return NULL;
    for (size_t i = 0; i < series->count; i++)
        values[i] = series->points[i].at[axis];
    sonde_measure_sort(values, series->count);
    for (size_t i = 0; i < series->count; i++)
        if (*count == 0 || values[i] != values[*count - 1])
            values[(*count)++] = values[i];
    return values;
}

static double throughput_at(const struct series *series, double size, double stride)
{
    int size_axis = axis_of(series, "size"), stride_axis = axis_of(series, "stride");

    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].at[size_axis] == size &&
            series->points[i].at[stride_axis] == stride)
            return series->points[i].best * factor_of(series);
    return NAN;
}

static void put_numbers(struct json_emitter *emitter, const char *key,
                        const double *values, size_t count)
{
    sonde_passport_emit_flow(emitter, key, '[');
    for (size_t i = 0; i < count; i++)
        sonde_passport_emit_number(emitter, NULL, values[i]);
    sonde_passport_emit_close(emitter);
}

static int put_grid(struct json_emitter *emitter, const struct series *series)
{
    size_t size_count, stride_count;
    double *sizes = values_of(series, axis_of(series, "size"), &size_count);
    double *strides = values_of(series, axis_of(series, "stride"), &stride_count);
    int error = sizes && strides ? 0 : -ENOMEM;

    if (!error) {
        put_numbers(emitter, "sizes", sizes, size_count);
        put_numbers(emitter, "strides", strides, stride_count);
        sonde_passport_emit_open(emitter, "throughput", '[');
        for (size_t i = 0; i < size_count; i++) {
            sonde_passport_emit_flow(emitter, NULL, '[');
            for (size_t k = 0; k < stride_count; k++)
                sonde_passport_emit_number(emitter, NULL,
                                           throughput_at(series, sizes[i], strides[k]));
            sonde_passport_emit_close(emitter);
        }
        sonde_passport_emit_close(emitter);
    }
    free(sizes);
    free(strides);
    return error;
}

static const struct {
    const char *name, *key; /* of the sheet */
} caches[] = {
    {"line", "line_size"}, {"L1d", "l1d_size"},      {"L2", "l2_size"},
    {"L3", "l3_size"},     {"LLC", "llc_effective"},
};

static void put_caches(struct json_emitter *emitter, const struct passport_list *one)
{
    enum { COUNT = sizeof caches / sizeof caches[0] };
    struct sheet_value values[COUNT];

    sonde_passport_emit_open(emitter, "caches", '{');
    for (size_t i = 0; i < COUNT; i++) {
        values[i] = sonde_report_sheet_find(one, caches[i].key);
        if (isfinite(values[i].value))
            sonde_passport_emit_number(emitter, caches[i].name, floor(values[i].value));
    }
    sonde_passport_emit_close(emitter);
    sonde_passport_emit_open(emitter, "sources", '{');
    sonde_passport_emit_string(emitter, "throughput", "measured, MB/s");
    for (size_t i = 0; i < COUNT; i++)
        if (isfinite(values[i].value))
            sonde_passport_emit_string(emitter, caches[i].name, values[i].source);
    sonde_passport_emit_close(emitter);
}

static int put_mountain(struct json_emitter *emitter, struct passport *passport,
                        const struct series *series)
{
    const struct passport_list one = {passport, 1};
    int error;

    sonde_passport_emit_open(emitter, NULL, '{');
    sonde_passport_emit_string(emitter, "hardware", passport->machine.model);
    sonde_passport_emit_string(emitter, "date", passport->machine.date);
    error = put_grid(emitter, series);
    put_caches(emitter, &one);
    sonde_passport_emit_close(emitter);
    return error;
}

int sonde_report_export_mountain(const struct passport_list *list, struct text *out,
                                 struct message *why)
{
    struct json_emitter emitter = {.out = out};
    size_t mountains = 0;
    int error = 0;

    for (size_t i = 0; i < list->count; i++)
        mountains += find_mountain(&list->rows[i]) != NULL;
    if (!mountains)
        return sonde_base_fail(
            why, -ENODATA,
            "no mountain is in it: a series of that name over size and stride, in bytes "
            "per second");
    if (mountains > 1)
        sonde_passport_emit_open(&emitter, NULL, '[');
    for (size_t i = 0; i < list->count && !error; i++)
        if (find_mountain(&list->rows[i]))
            error = put_mountain(&emitter, &list->rows[i], find_mountain(&list->rows[i]));
    if (mountains > 1)
        sonde_passport_emit_close(&emitter);
    sonde_base_text_print(out, "\n");
    if (error)
        return sonde_base_fail(why, error, "out of memory for the mountain");
    return sonde_report_export_end(out, true, "a mountain", why);
}
