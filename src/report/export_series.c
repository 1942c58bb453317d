/* Every measured point, one a line, for whoever draws or fits curves of their own.
 *
 * All series of all probes share the columns, with up to three axes each; filter by
 * `probe` and `series`. All of it is measured, which is said by the column of samples, n:
 * points that could not be measured have none, and flags that say why. */
#include "report/export_kinds.h"

#include <math.h>
#include <stdio.h>

static void put_axes(struct text *out, const struct series *series,
                     const struct series_point *point)
{
    for (unsigned axis = 0; axis < SERIES_AXES_MAX; axis++) {
        bool has = axis < series->axis_count;

        sonde_report_put_csv(out, has ? series->axes[axis].name : NULL);
        sonde_base_text_print(out, ",");
        sonde_report_put_csv_number(out, has ? point->at[axis] : NAN);
        sonde_base_text_print(out, ",");
    }
}

/* What a place on a category axis is called; empty where the number or the label says it.
 */
static void put_place_name(struct text *out, const struct series *series,
                           const struct series_point *point, unsigned axis)
{
    const char *name;
    size_t length = sonde_measure_place_name(series, point, axis, &name);
    char text[64];

    snprintf(text, sizeof text, "%.*s", (int)length, length ? name : "");
    sonde_base_text_print(out, ",");
    sonde_report_put_csv(out, length ? text : NULL);
}

static void put_point(struct text *out, const char *probe, const struct series *series,
                      const struct series_point *point)
{
    const double numbers[] = {point->best, point->low, point->high,   point->cycles,
                              point->min,  point->q25, point->median, point->q75,
                              point->p99,  point->max};

    sonde_report_put_csv(out, probe);
    sonde_base_text_print(out, ",");
    sonde_report_put_csv(out, series->name);
    sonde_base_text_print(out, ",");
    put_axes(out, series, point);
    sonde_report_put_csv(out, series->quantity);
    sonde_base_text_print(out, ",");
    sonde_report_put_csv(out, series->unit);
    sonde_base_text_print(out, ",%zu", point->n);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        sonde_base_text_print(out, ",");
        sonde_report_put_csv_number(out, numbers[i]);
    }
    sonde_base_text_print(out, ",");
    for (unsigned bit = 0; sonde_measure_flag_name(bit); bit++)
        if (point->flags & (1u << bit))
            sonde_base_text_print(out, "%s ", sonde_measure_flag_name(bit));
    sonde_base_text_print(out, ",");
    sonde_report_put_csv(out, point->label);
    for (unsigned axis = 0; axis < SERIES_AXES_MAX; axis++)
        put_place_name(out, series, point, axis);
    sonde_base_text_print(out, "\n");
}

static void put_probe(struct text *out, const struct passport *passport, size_t number,
                      const struct probe_result *probe, bool *any)
{
    for (size_t s = 0; s < probe->series.count; s++)
        for (size_t i = 0; i < probe->series.rows[s].count; i++) {
            sonde_report_put_csv_lead(out, passport, number);
            put_point(out, probe->name, &probe->series.rows[s],
                      &probe->series.rows[s].points[i]);
            *any = true;
        }
}

int sonde_report_export_series(const struct passport_list *list, struct text *out,
                               struct message *why)
{
    bool any = false;

    sonde_base_text_print(
        out, "passport,host,cpu,kind,probe,series,axis1,at1,axis2,at2,axis3,at3,quantity,"
             "unit,n,best,low,high,cycles,min,q25,median,q75,p99,max,flags,label,"
             "name1,name2,name3\n");
    for (size_t i = 0; i < list->count; i++)
        for (size_t p = 0; p < list->rows[i].probe_count; p++)
            put_probe(out, &list->rows[i], i + 1, &list->rows[i].probes[p], &any);
    return sonde_report_export_end(out, any, "a table of points", why);
}
