/* Structures against arrays, as ratios of costs per element.
 *
 *                    one field, in order     all fields, scattered
 *   structures       a line for each         a line for each
 *   arrays           a line for several      a line for each field
 *
 * What can fool it: small structures, of which a line holds several, and prefetchers,
 * which make scattered elements of large caches look like ordered ones. Control: where
 * all elements fit the first level, the order of their bytes matters little. */
#include "infer/layout.h"

#include <errno.h>
#include <math.h>

/* In the first level both forms take the same loads; pages and ways differ a little. */
static const double near_even = 1.5;

static const struct series_point *find_point(const struct series *series, double elements,
                                             double form, double visit)
{
    for (size_t i = 0; i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (point->n && point->best > 0 && point->at[0] == elements &&
            point->at[1] == form && (series->axis_count < 3 || point->at[2] == visit))
            return point;
    }
    return NULL;
}

static double extreme(const struct series *series, bool largest)
{
    double found = NAN;

    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].n)
            found = largest ? fmax(found, series->points[i].at[0])
                            : fmin(found, series->points[i].at[0]);
    return found;
}

/* What `loser` costs over the other form. */
static struct finding *find_ratio(const struct series *series, enum layout_form loser,
                                  enum layout_visit visit, const char *name,
                                  const char *method, struct findings *findings)
{
    double elements = extreme(series, true);
    const struct series_point *worse = find_point(series, elements, loser, visit);
    const struct series_point *better = find_point(
        series, elements, loser == FORM_ARRAYS ? FORM_STRUCTURES : FORM_ARRAYS, visit);
    struct finding *finding;
    double ratio;

    if (!worse || !better)
        return sonde_infer_give_up(findings, name, "ratio", "no figures of both forms");
    ratio = worse->best / better->best;
    finding = sonde_infer_find(
        findings, name, "ratio", ratio, fmin(0.95 * ratio, worse->low / better->high),
        fmax(1.05 * ratio, worse->high / better->low), 0.8, method);
    if (finding)
        sonde_infer_explain(finding, "%.3g against %.3g ns an element, of %.0f elements",
                            worse->best, better->best, elements);
    return finding;
}

/* A structure that is a line or more long: what one field uses of it. */
static struct finding *find_used(double structure_bytes, double field_bytes,
                                 double line_bytes, struct findings *findings)
{
    double used = field_bytes * fmax(1, line_bytes / structure_bytes);
    struct finding *finding;

    if (!(line_bytes > 0))
        return sonde_infer_give_up(findings, "layout.bytes_used", "bytes",
                                   "the line is not known");
    finding = sonde_infer_find(findings, "layout.bytes_used", "bytes", used, used, used,
                               0.9, "fields of that kind in a line of structures");
    if (finding)
        sonde_infer_explain(finding,
                            "%.0f of %.0f bytes; all of them where the field has "
                            "an array of its own",
                            used, line_bytes);
    return finding;
}

static bool control_near(const struct series *one, struct findings *findings)
{
    double elements = extreme(one, false);
    const struct series_point *structures =
        find_point(one, elements, FORM_STRUCTURES, VISIT_IN_ORDER);
    const struct series_point *arrays =
        find_point(one, elements, FORM_ARRAYS, VISIT_IN_ORDER);

    if (!structures || !arrays)
        return true;
    return sonde_infer_control(
               findings, structures->best <= near_even * arrays->best,
               "in the first level one field costs the same in both forms",
               "at most half as much again", "%.3g and %.3g ns", structures->best,
               arrays->best) != NULL;
}

int sonde_infer_layout(const struct series *one, const struct series *all,
                       double structure_bytes, double field_bytes, double line_bytes,
                       struct findings *findings)
{
    bool ok;

    if (isnan(extreme(one, true)) && isnan(extreme(all, true)))
        return -ENODATA;
    ok =
        find_ratio(one, FORM_STRUCTURES, VISIT_IN_ORDER, "layout.one_field",
                   "one field out of structures over its own array", findings) &&
        find_ratio(all, FORM_ARRAYS, VISIT_SCATTERED, "layout.all_scattered",
                   "all fields of scattered elements, arrays over structures",
                   findings) &&
        find_ratio(all, FORM_ARRAYS, VISIT_IN_ORDER, "layout.all_in_order",
                   "all fields of elements in order, arrays over structures", findings) &&
        find_used(structure_bytes, field_bytes, line_bytes, findings) &&
        control_near(one, findings);
    return ok ? 0 : -ENOMEM;
}
