/* The effective granule of translation.
 *
 *   cost of spread over packed
 *     |            ______   more pages than the first translation level holds:
 *     |___________/         the pages are small, whatever was granted
 *     +-----------+-----    lines (= pages touched)
 *
 * With pages that are really huge, hundreds of lines 4 KiB apart need one or two entries
 * and the ratio stays at 1. What can fool it: a first translation level with more entries
 * than lines were tried (then nothing rises and the pages only look huge), so the answer
 * is then a lower bound; and packed lines that leave the first level themselves, which
 * the control excludes. */
#include "infer/granule.h"

#include <errno.h>
#include <math.h>

/* A first-level translation miss costs 5 to 8 cycles on a load of 3 to 5: a quarter more
 * is far below that and far above the noise of low quartiles. */
static const double rise = 1.25;
/* The packed walk must stay within this of its smallest. */
static const double flat = 1.10;

static double cost_of(const struct series_point *point)
{
    return point->cycles > 0 ? point->cycles : point->best;
}

static const struct series_point *same_lines(const struct series *series, double lines)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].at[0] == lines && series->points[i].n)
            return &series->points[i];
    return NULL;
}

struct spread_result {
    double first_rise; /* lines at which spreading first costs; NaN: never */
    double last_even;  /* lines up to which it costs nothing */
    double worst_ratio;
    double packed_low, packed_high;
};

static struct spread_result compare(const struct series *spread,
                                    const struct series *packed)
{
    struct spread_result result = {NAN, NAN, NAN, NAN, NAN};

    for (size_t i = 0; i < spread->count; i++) {
        const struct series_point *far = &spread->points[i];
        const struct series_point *near = same_lines(packed, far->at[0]);
        double ratio;

        if (!far->n || !near)
            continue;
        result.packed_low = fmin(result.packed_low, cost_of(near));
        if (cost_of(near) > flat * result.packed_low)
            break;
        result.packed_high = fmax(result.packed_high, cost_of(near));
        ratio = cost_of(far) / cost_of(near);
        result.worst_ratio = fmax(result.worst_ratio, ratio);
        if (ratio > rise && isnan(result.first_rise))
            result.first_rise = far->at[0];
        else if (isnan(result.first_rise))
            result.last_even = far->at[0];
    }
    return result;
}

static void report_small(const struct spread_result *result, double page_bytes,
                         double granted_huge, struct findings *findings)
{
    struct finding *finding = sonde_infer_find(
        findings, "page.granule", "bytes", page_bytes, page_bytes, page_bytes * 4, 0.9,
        "lines spread one to a page against the same lines packed");

    if (granted_huge > 0.5)
        sonde_infer_explain(
            finding,
            "huge pages were granted by this system and are not huge below "
            "it: from %.0f pages on, spreading lines over small pages costs "
            "%.1f times as much",
            result->first_rise, result->worst_ratio);
    else
        sonde_infer_explain(
            finding,
            "from %.0f pages on, spreading lines over pages costs %.1f times "
            "as much",
            result->first_rise, result->worst_ratio);
}

int sonde_infer_granule(const struct series *spread, const struct series *packed,
                        double page_bytes, double granted_huge, struct findings *findings)
{
    struct spread_result result = compare(spread, packed);
    struct finding *finding;

    if (isnan(result.worst_ratio)) {
        finding = sonde_infer_give_up(findings, "page.granule", "bytes",
                                      "no point of the spread walk was measured");
        return finding ? 0 : -ENOMEM;
    }
    if (!isnan(result.first_rise)) {
        report_small(&result, page_bytes, granted_huge, findings);
    } else if (result.last_even >= 256) {
        finding = sonde_infer_find(findings, "page.granule", "bytes", NAN,
                                   result.last_even * page_bytes / 2, NAN, 0.7,
                                   "lines spread one to a page cost no more than packed");
        sonde_infer_explain(finding,
                            "%.0f small pages cost nothing: either they are parts of "
                            "huge ones, or the first translation level holds more",
                            result.last_even);
    } else {
        sonde_infer_give_up(findings, "page.granule", "bytes",
                            "the packed walk left the first level after %.0f lines",
                            result.last_even);
    }
    sonde_infer_control(findings, result.packed_high <= flat * result.packed_low,
                        "the packed walk stays in the first level", "flat within 10 %",
                        "%.2f to %.2f", result.packed_low, result.packed_high);
    return 0;
}
