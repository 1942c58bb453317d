/* The law of the ports: no stream starts more accesses of a width in a cycle than the
 * same core starts at places that stay.
 *
 *   ports    load  load  load ...  at the same sixteen places, counted by loops of their
 *            own: accesses a cycle, by width
 *   streams  bytes a cycle  <=  the scarcer of loads and stores  x  what a step moves
 *
 * Both are measured in the same run, each with the core's clock around its own samples,
 * so a count that is wrong in a stream shows against a count that is not its own. What
 * can fool it: a count that is wrong in both by the same factor (accesses that are no
 * whole number a cycle show most of those), and a stream far below its ports, whose wrong
 * count still leaves it below them. */
#include "infer/bandwidth.h"
#include "measure/quiet.h"

#include <math.h>
#include <stdio.h>

/* Two figures of the clock and of the rate, each within a percent or so. */
static const double law_slack = 1.03;
/* Shapes that differ by less are one as fast as the other: on Zen 3 all of a width write
 * the first level within a percent, and two streams the second 5 % slower than one. */
static const double as_fast = 0.98;
/* So many samples with the core alone make a figure. */
static const size_t quiet_least = 3;
/* Accesses that start in a cycle are a whole number, or one in a whole number of cycles;
 * the loop's own end and a refresh of the clock take some percent. */
static const double whole_within = 0.08;

/* Accesses of one step. */
static const struct {
    double loads, stores;
} steps[STREAM_OPERATIONS] = {
    [STREAM_READ] = {1, 0},     [STREAM_WRITE] = {0, 1},    [STREAM_COPY] = {1, 1},
    [STREAM_TRIAD] = {2, 1},    [STREAM_NT_WRITE] = {0, 1}, [STREAM_NT_COPY] = {1, 1},
    [STREAM_NT_TRIAD] = {2, 1},
};

bool sonde_infer_stream_usable(const struct series_point *point)
{
    return point && point->n > 0 && point->best > 0 &&
           !(point->flags & (POINT_WRONG | POINT_UNLAWFUL));
}

bool sonde_infer_stream_shared(const struct series_point *point, double best)
{
    size_t known = 0, quiet = 0;

    if (point->flags & POINT_SHARED)
        return true;

    for (size_t k = 0; point->samples && k < point->n; k++) {
        known += point->samples[k].share > 0;
        quiet += point->samples[k].share >= SONDE_MEASURE_WHOLE_CORE * best;
    }
    return known >= quiet_least && best > 0 && (quiet < quiet_least || 2 * quiet < known);
}

/* --- what starts in a cycle ----------------------------------------------------------
 */

static double per_cycle(const struct series *ports, unsigned operation, double width,
                        double parallelism)
{
    for (size_t i = 0; ports && i < ports->count; i++) {
        const struct series_point *point = &ports->points[i];

        if (point->at[0] == operation && point->at[1] == width &&
            sonde_infer_stream_usable(point) && !(point->flags & POINT_FEW) &&
            !sonde_infer_stream_shared(point, parallelism))
            return point->cycles / width;
    }
    return NAN;
}

struct stream_ports sonde_infer_stream_ports(const struct series *ports,
                                             double parallelism)
{
    struct stream_ports found;

    for (unsigned i = 0; i < STREAM_WIDTHS; i++) {
        found.loads[i] = per_cycle(ports, STREAM_READ, 8u << i, parallelism);
        found.stores[i] = per_cycle(ports, STREAM_WRITE, 8u << i, parallelism);
    }
    return found;
}

double sonde_infer_stream_accesses(const double known[STREAM_WIDTHS], double width)
{
    double found = NAN;

    for (unsigned i = 0; i < STREAM_WIDTHS && 8u << i <= width; i++)
        if (known[i] > 0)
            found = known[i];
    return found;
}

double sonde_infer_stream_most(const double known[STREAM_WIDTHS], double width)
{
    double accesses = sonde_infer_stream_accesses(known, width);
    double whole = accesses < 1 ? 1 / floor(1 / accesses) : ceil(accesses);

    return accesses >= (1 - whole_within) * whole ? whole : accesses;
}

double sonde_infer_stream_limit(const struct stream_ports *ports, unsigned operation,
                                double width)
{
    double loads = steps[operation].loads, stores = steps[operation].stores;
    double at_once = INFINITY;

    if (loads > 0)
        at_once = fmin(at_once, sonde_infer_stream_most(ports->loads, width) / loads);
    if (stores > 0)
        at_once = fmin(at_once, sonde_infer_stream_most(ports->stores, width) / stores);
    return isinf(at_once) ? NAN : at_once * (loads + stores) * width;
}

/* --- the fastest that keeps the law --------------------------------------------------
 */

static double clock_of(const struct series_point *point)
{
    return sonde_infer_stream_usable(point) && point->cycles > 0
               ? point->best / point->cycles
               : NAN;
}

/* The clock that the middle one of all points was measured by; NaN without any. */
static double usual_clock(const struct series *shapes)
{
    for (size_t i = 0; i < shapes->count; i++) {
        double clock = clock_of(&shapes->points[i]);
        size_t below = 0, above = 0, equal = 0;

        for (size_t k = 0; k < shapes->count; k++) {
            double other = clock_of(&shapes->points[k]);

            below += other < clock;
            above += other > clock;
            equal += other == clock;
        }
        if (equal && below <= above + equal && above <= below + equal)
            return clock;
    }
    return NAN;
}

/* By its own clock and by that of most: where a chain was interrupted the own one runs
 * away from a rate that is right. */
static bool breaks_law(const struct series_point *point, const struct stream_ports *ports,
                       double clock)
{
    double per_cycle = fmin(point->cycles, point->best / clock);
    double limit =
        ports ? sonde_infer_stream_limit(ports, (unsigned)point->at[0], point->at[1])
              : NAN;

    return (point->flags & POINT_UNLAWFUL) || per_cycle > law_slack * limit;
}

/* Rates of one operation that keep the law. */
static bool may_count(const struct series_point *point, const struct stream_ports *ports,
                      double clock, unsigned operation)
{
    return point->at[0] == operation && !breaks_law(point, ports, clock) &&
           sonde_infer_stream_usable(point);
}

static double fastest(const struct series *shapes, const struct stream_ports *ports,
                      double clock, unsigned operation)
{
    double best = 0;

    for (size_t i = 0; i < shapes->count; i++)
        if (may_count(&shapes->points[i], ports, clock, operation))
            best = fmax(best, shapes->points[i].best);
    return best;
}

/* Unrolled by 16, by 4, in two streams, in C. */
static double rank_of(double shape)
{
    return shape < 2 ? 1 - shape : shape;
}

/* The wider, and then the plainer one, of two that are as fast in the first level:
 * elsewhere they need not be. */
static bool is_preferred(const struct series_point *point, struct stream_choice than)
{
    if (isnan(than.width) || point->at[1] != than.width)
        return !(point->at[1] < than.width);
    return rank_of(point->at[2]) < rank_of(than.shape);
}

struct stream_choice sonde_infer_stream_choice(const struct series *shapes,
                                               const struct stream_ports *ports,
                                               unsigned operation)
{
    struct stream_choice choice = {NAN, 0, false};
    double clock = shapes ? usual_clock(shapes) : NAN,
           best = shapes ? fastest(shapes, ports, clock, operation) : 0;

    for (size_t i = 0; shapes && i < shapes->count; i++) {
        const struct series_point *point = &shapes->points[i];

        if (point->at[0] == operation && breaks_law(point, ports, clock))
            choice.unlawful = true;
        if (!may_count(point, ports, clock, operation) || point->best < as_fast * best ||
            !is_preferred(point, choice))
            continue;
        choice.width = point->at[1];
        choice.shape = (unsigned)point->at[2];
    }
    return choice;
}

/* --- what is said of them ------------------------------------------------------------
 */

static int report(struct findings *findings, const char *name, double value,
                  const char *method)
{
    return !(value > 0) || sonde_infer_find(findings, name, "per cycle", value,
                                            value * 0.97, value * 1.03, 0.8, method)
               ? 0
               : -1;
}

/* How far the worst of them is from a whole number a cycle, or of cycles. */
static double worst_of(const double known[STREAM_WIDTHS], double worst)
{
    for (unsigned i = 0; i < STREAM_WIDTHS; i++) {
        double number = known[i] < 1 ? 1 / known[i] : known[i];

        if (known[i] > 0)
            worst = fmax(worst, fabs(number - fmax(1, round(number))) / number);
    }
    return worst;
}

int sonde_infer_stream_report_ports(const struct stream_ports *ports,
                                    struct stream_choice read,
                                    const struct series_point *point,
                                    struct findings *findings)
{
    double limit =
        read.width > 0 ? sonde_infer_stream_limit(ports, STREAM_READ, read.width) : NAN;
    double worst = worst_of(ports->stores, worst_of(ports->loads, NAN));
    int error = report(findings, "bandwidth.ports.loads", ports->loads[0],
                       "loads of 8 bytes at places that stay");

    if (!error)
        error = report(findings, "bandwidth.ports.stores", ports->stores[0],
                       "stores of 8 bytes at places that stay");
    if (!error && read.width > 0)
        error = report(findings, "bandwidth.ports.wide_loads",
                       sonde_infer_stream_accesses(ports->loads, read.width),
                       "loads of the width that reads fastest, at places that stay");
    if (!error && read.width > 0)
        error = report(findings, "bandwidth.ports.wide_stores",
                       sonde_infer_stream_accesses(ports->stores, read.width),
                       "stores of the width that reads fastest, at places that stay");
    if (!error && !isnan(worst))
        sonde_infer_control(findings, worst <= whole_within,
                            "accesses that start in a cycle are a whole number",
                            "or one in a whole number of cycles, within 8 %",
                            "%.0f %% off at most", 100 * worst);
    if (!error && limit > 0 && sonde_infer_stream_usable(point) && point->cycles > 0)
        sonde_infer_control(findings, point->cycles <= law_slack * limit,
                            "the first level moves no more than its ports can",
                            "loads of this width at places that stay, at most",
                            "%.1f bytes a cycle of %.1f", point->cycles, limit);
    return error;
}
