/* Why a point has no figures.
 *
 * One wording for all probes, from the flags that the harness sets, the gravest first.
 * What can fool it: a point may have lost its samples for several reasons; only one is
 * told. */
#include "infer/figures.h"

static const struct {
    unsigned flag;
    const char *why;
} reasons[] = {
    {POINT_WRONG, "the loop returned a wrong value"},
    {POINT_UNREACHED, "not enough memory was granted"},
    {POINT_APART, "the threads ran at the same time for less than 90 % of it, or not on "
                  "their CPUs"},
};

static const char out_of_time[] = "it was not measured in the time there was";

const char *sonde_infer_why_no_figures(const struct series_point *point)
{
    for (unsigned i = 0; point && i < sizeof reasons / sizeof reasons[0]; i++)
        if (point->flags & reasons[i].flag)
            return reasons[i].why;
    return out_of_time;
}

const char *sonde_infer_why_shared(const struct series_point *point)
{
    return point && point->flags & POINT_SHARED
               ? "core shared: too few samples had the core to themselves, and a "
                 "throughput with a neighbour on it is not the core's"
               : NULL;
}

const char *sonde_infer_why_no_series(const struct series *series)
{
    for (size_t i = 0; series && i < series->count; i++) {
        const char *why = sonde_infer_why_no_figures(&series->points[i]);

        if (!series->points[i].n && why != out_of_time)
            return why;
    }
    return out_of_time;
}
