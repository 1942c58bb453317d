/* First touches: medians, 90th percentiles, and what they are beside each other.
 *
 * A page's first touch is a distribution with a tail (tables that are missing too, memory
 * that has to be cleared or fetched from a host), so its median comes with the percentile
 * that nine pages in ten stay below, never with a mean.
 *
 * What can fool it: two modes (a host backs part of the pages only now): the median then
 * lies in one of them, which is said. */
#include "infer/fault.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A fault enters the kernel, a second touch does not: that is a factor of 100; a tenth
 * leaves room for a slow clock. */
static const double second_most = 0.1;
/* What calling a kernel once takes, and a quarter percent for the clocks. */
static const double call_ns = 15, clock_error = 0.0025;
/* A median of fewer pages says little. */
enum { PAGES_LEAST = 21 };

static const struct series_point *labelled(const struct series *series, const char *label)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].label && strcmp(series->points[i].label, label) == 0)
            return series->points[i].n ? &series->points[i] : NULL;
    return NULL;
}

static void explain(struct finding *finding, const struct series_point *point,
                    const char *label, const struct series_point *first)
{
    bool zeroed = strcmp(label, "calloc") == 0 && first;

    if (point->flags & POINT_BIMODAL)
        sonde_infer_explain(finding, "two modes: %.0f and %.0f ns", point->mode_low,
                            point->mode_high);
    else if (zeroed && point->median > first->median / 2)
        sonde_infer_explain(finding, "its zeros are paid for here, not by calloc()");
    else if (zeroed)
        sonde_infer_explain(finding, "calloc() wrote the zeros itself");
}

static int find_touch(const struct series *series, const char *label,
                      struct findings *findings)
{
    const struct series_point *point = labelled(series, label);
    double confidence, lowest;
    char name[32];
    struct finding *finding;

    snprintf(name, sizeof name, "fault.%s", label);
    if (!point)
        return sonde_infer_give_up(findings, name, "ns", "no page was measured")
                   ? 0
                   : -ENOMEM;
    lowest = fmin(point->low, point->q25);
    confidence = point->n >= PAGES_LEAST ? 0.95 : 0.5;
    finding = sonde_infer_find(findings, name, "ns", point->median,
                               fmax(0, lowest * (1 - clock_error) - call_ns),
                               fmax(point->high, point->q75), confidence,
                               "one store to each page, one page a sample");
    if (!finding)
        return -ENOMEM;
    explain(finding, point, label, labelled(series, "first"));
    snprintf(name, sizeof name, "fault.%s_q90", label);
    if (isnan(point->q90))
        return 0;
    return sonde_infer_find(findings, name, "ns", point->q90, NAN, NAN, confidence,
                            "90th percentile of the same pages")
               ? 0
               : -ENOMEM;
}

static int find_huge(const struct series *series, double page_bytes, double huge_bytes,
                     double huge_share, struct findings *findings)
{
    bool absent = series->count && !labelled(series, "huge");
    const struct series_point *small = labelled(series, "recycled");
    const struct series_point *huge = labelled(series, "huge");
    double pages = huge_bytes / page_bytes;
    int error;

    if (absent)
        return sonde_infer_give_up(findings, "fault.huge", "ns",
                                   "too little memory for huge pages of %.0f MiB",
                                   huge_bytes / (1 << 20))
                   ? 0
                   : -ENOMEM;
    if (huge && huge_share < 0.5)
        return sonde_infer_give_up(findings, "fault.huge", "ns",
                                   "huge pages were asked for and %.0f %% granted",
                                   100 * huge_share)
                   ? 0
                   : -ENOMEM;
    error = find_touch(series, "huge", findings);
    if (error || !small || !huge)
        return error;
    return sonde_infer_find(findings, "fault.huge_saving", "ratio",
                            pages * small->median / huge->median,
                            pages * fmax(0, small->q25 - call_ns) / huge->q75,
                            pages * small->q75 / huge->q25, 0.9,
                            "first touch of the same bytes, small pages over huge ones")
               ? 0
               : -ENOMEM;
}

static int find_second(const struct series *series, struct findings *findings)
{
    const struct series_point *second = labelled(series, "second");
    const struct series_point *first = labelled(series, "recycled");
    bool ok;

    if (!second)
        return 0;
    if (!sonde_infer_find(findings, "fault.second", "ns", second->median, second->low,
                          second->high, 0.9, "one store to each page of a block"))
        return -ENOMEM;
    if (!first)
        return 0;
    ok = second->median < second_most * first->median;
    return sonde_infer_control(findings, ok, "the same pages touched again",
                               "less than a tenth of a first touch",
                               "%.1f against %.0f ns", second->median, first->median)
               ? 0
               : -ENOMEM;
}

int sonde_infer_fault(const struct series *series, double page_bytes, double huge_bytes,
                      double huge_share, struct findings *findings)
{
    static const char *const labels[] = {"first", "recycled", "calloc"};
    int error = 0;

    for (size_t i = 0; !error && i < sizeof labels / sizeof labels[0]; i++)
        error = find_touch(series, labels[i], findings);
    if (!error)
        error = find_huge(series, page_bytes, huge_bytes, huge_share, findings);
    return error ? error : find_second(series, findings);
}
