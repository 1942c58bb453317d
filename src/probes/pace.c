/* How much of its wish each probe of a session gets.
 *
 *   |<-------------- budget -------------->|
 *   |<- parts in proportion to wishes ->|kept|
 *
 * Who is done before its time leaves the rest to all that follow, up to their whole
 * wishes. Who takes longer (memory that the system is slow to give, a visit that was
 * interrupted) takes it from what is kept; only when that is used up do those that follow
 * get less than their parts, and never less than half: a probe with less has no samples,
 * and its time is lost as well.
 *
 * What can fool it: probes that take far longer than they were given, one after the
 * other; then the budget is exceeded by what the last ones get. */
#include "probes/pace.h"

#include <math.h>

/* Of the budget, for what takes longer than planned. */
static const double kept = 0.06;
static const double least_part = 0.5;

double sonde_probe_pace(const struct pace *pace)
{
    double part = (1 - kept) * pace->budget_s / pace->wish_s;
    double most = fmax(part, 1);
    double early = ((1 - kept) * pace->budget_s - pace->passed_s) / pace->wish_left_s;
    double late = (pace->budget_s - pace->passed_s) / pace->wish_left_s;

    if (!(pace->wish_s > 0) || !(pace->wish_left_s > 0))
        return 1;
    if (early >= part)
        return fmin(early, most);
    return fmax(fmin(late, part), least_part * part);
}
