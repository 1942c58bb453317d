/* By what the hardware translates, from strides.
 *
 * Half as many lines again as the first level holds entries, one every stride: while
 * several of them lie in one granule they need fewer entries than there are, and cost
 * nothing. The smallest stride that costs is the granule. On memory that was asked for as
 * huge pages it tells whether those are huge below this system too.
 *
 * What can fool it: a first level with fewer entries for huge pages (the granule then
 * looks smaller by that factor), which is why anything from an eighth of a huge page up
 * is taken for one; a first level whose sets conflict at large strides only matters where
 * small ones cost nothing. */
#include "infer/translation.h"

#include <math.h>

static const double huge_part = 8;

static double cost_of(const struct series_point *point)
{
    return point->cycles > 0 ? point->cycles : point->best;
}

double sonde_infer_translation_granule(const struct series *strides, double half_cost)
{
    double granule = NAN, largest_held = 0;

    for (size_t i = 0; i < strides->count; i++)
        if (strides->points[i].n && cost_of(&strides->points[i]) <= half_cost)
            largest_held = fmax(largest_held, strides->points[i].at[0]);
    for (size_t i = 0; i < strides->count; i++)
        if (strides->points[i].n && strides->points[i].at[0] > largest_held)
            granule = fmin(granule, strides->points[i].at[0]);
    return granule;
}

static double largest_stride(const struct series *strides)
{
    double largest = NAN;

    for (size_t i = 0; i < strides->count; i++)
        if (strides->points[i].n)
            largest = fmax(largest, strides->points[i].at[0]);
    return largest;
}

static bool find_granule(const struct translation *translation, double granule,
                         struct findings *findings)
{
    static const char method[] =
        "more lines than the first translation level has entries, at growing strides";
    double page = translation->page_bytes, huge = translation->huge_bytes;
    double tried = largest_stride(translation->strides);
    bool small = granule <= page, granted = translation->huge_share > 0.5;
    double low = granule >= huge / huge_part ? granule : fmax(page, granule / 2);
    struct finding *finding;

    if (isnan(granule)) {
        finding = sonde_infer_find(findings, "page.granule", "bytes", NAN, tried, NAN,
                                   0.7, method);
        if (finding)
            sonde_infer_explain(finding, "no stride up to %.0f KiB cost anything",
                                tried / 1024);
        return finding != NULL;
    }
    if (granule >= huge / huge_part)
        granule = huge;
    finding = sonde_infer_find(findings, "page.granule", "bytes", granule,
                               small ? page : fmin(low, granule), granule, 0.95, method);
    if (!finding)
        return false;
    if (small && granted)
        sonde_infer_explain(finding, "huge pages were granted by this system and are not "
                                     "huge below it");
    else if (small && translation->huge_share <= 0.5)
        sonde_infer_explain(finding, "no huge pages were granted");
    else if (granule >= huge)
        sonde_infer_explain(finding, "huge pages are huge for translation too");
    else if (!small)
        sonde_infer_explain(finding, "an entry serves several small pages");
    return true;
}

static bool find_huge(const struct translation *translation, double granule,
                      double half_cost, struct findings *findings)
{
    double low, high;
    struct finding *finding;

    if (!isnan(granule) && granule < translation->huge_bytes / huge_part)
        return sonde_infer_give_up(findings, "tlb.huge.entries", "count",
                                   "memory is translated by %.0f KiB here, whatever was "
                                   "granted",
                                   granule / 1024);
    if (!translation->huge)
        return sonde_infer_give_up(findings, "tlb.huge.entries", "count",
                                   "not enough memory for as many huge pages");
    sonde_infer_translation_edge(translation->huge, half_cost, &low, &high);
    if (isnan(low))
        return sonde_infer_give_up(findings, "tlb.huge.entries", "count",
                                   "no number of huge pages was free of cost");
    finding =
        sonde_infer_find(findings, "tlb.huge.entries", "count", isnan(high) ? NAN : low,
                         low, high, 0.9, "lines spread one to a huge page");
    if (finding && isnan(high))
        sonde_infer_explain(finding, "as many huge pages as memory allowed cost nothing");
    return finding != NULL;
}

bool sonde_infer_translation_pages(const struct translation *translation,
                                   const struct translation_knee *knee,
                                   struct findings *findings)
{
    double granule;

    if (!translation->strides)
        return true;
    if (isnan(largest_stride(translation->strides)))
        return sonde_infer_give_up(findings, "page.granule", "bytes",
                                   "no stride was measured") != NULL;
    granule = sonde_infer_translation_granule(translation->strides, knee->half_cost);
    return find_granule(translation, granule, findings) &&
           find_huge(translation, granule, knee->half_cost, findings);
}
