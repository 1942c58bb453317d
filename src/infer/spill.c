/* The capacity of a level from the whole of its edge, where pages fall by chance.
 *
 *   share lost                 ____  A level of C bytes and w ways has C / (w pages)
 *              16 ways .-'""'        colours. The pages of a ring share theirs with a
 *                    .' .' 8 ways    binomial number of others; where w or more others
 *                   / .'             are there, a cyclic walk finds none of its lines
 *   _____......--'--'                again.
 *   ------------- C ------- log size
 *
 * A half-rise is read off two points and depends on which cost is taken for the level
 * that follows; the law is held against every point from a quarter of the capacity, where
 * nothing is lost, to twice of it, where nearly all is, and the cost beyond is whatever
 * fits best. Deviations count by their amount, so that a few disturbed points bend
 * nothing.
 *
 * How many ways there are is not told by it: fewer ways and more capacity look much the
 * same, and all that were tried speak for their capacity by how well they fit.
 *
 * What can fool it: a neighbour that takes a part of every set (less is found), and
 * replacement that is cleverer than least recently used (up to a tenth more is found). A
 * large misfit says that the law does not hold; a small one does not prove it. */
#include "infer/spill.h"

#include <math.h>
#include <stddef.h>

/* What private levels have; the shapes between differ too little to be told apart. */
static const double ways_tried[] = {4, 8, 16};

/* In octaves. */
static const double step = 1.0 / 32, reach = 1, before = 2, after = 1;

/* No law of so few ways holds better than this. */
static const double misfit_least = 0.01;

/* On either side of the capacity: fewer show no law. */
enum { POINTS_EACH = 4 };

double sonde_infer_spill_share(double bytes, double capacity, double ways, double granule)
{
    double others = bytes / granule - 1;
    double share = fmin(1, ways * granule / capacity);
    double term, fewer = 0;

    if (others < ways)
        return 0;
    if (share >= 1)
        return 1;
    term = exp(others * log1p(-share));
    for (double k = 0; k < ways; k++) {
        fewer += term;
        term *= (others - k) / (k + 1) * share / (1 - share);
    }
    return fmax(0, 1 - fewer);
}

/* The points that a capacity is held against: [first, last). */
struct span {
    size_t first, last;
};

static struct span span_of(const struct shape *shape, double at)
{
    struct span span = {0, 0};

    while (span.first < shape->count && shape->x[span.first] < at - before)
        span.first++;
    span.last = span.first;
    while (span.last < shape->count && shape->x[span.last] <= at + after)
        span.last++;
    return span;
}

static bool enough(const struct shape *shape, struct span span, double at)
{
    size_t below = 0;

    for (size_t i = span.first; i < span.last; i++)
        below += shape->x[i] <= at;
    return below >= POINTS_EACH && span.last - span.first - below >= POINTS_EACH &&
           shape->x[shape->count - 1] >= at + after;
}

/* The mean deviation when everything lost costs `rise` more. */
static double deviation(const struct shape *shape, struct span span, double bottom,
                        const double *lost, double rise)
{
    double sum = 0;

    for (size_t i = span.first; i < span.last; i++)
        sum += fabs(exp(shape->raw[i]) - bottom - rise * lost[i]);
    return sum / (double)(span.last - span.first);
}

/* The least deviation in amounts goes exactly through one of the points. */
static double misfit_of(const struct shape *shape, double at, double ways, double bottom,
                        double granule)
{
    struct span span = span_of(shape, at);
    double *lost = shape->scratch, best = INFINITY;

    if (!enough(shape, span, at))
        return INFINITY;
    for (size_t i = span.first; i < span.last; i++)
        lost[i] = sonde_infer_spill_share(exp2(shape->x[i]), exp2(at), ways, granule);
    for (size_t i = span.first; i < span.last; i++) {
        double rise = (exp(shape->raw[i]) - bottom) / lost[i];

        /* From the upper half of the law only: below, noise is divided by little. */
        if (lost[i] >= 0.5 && rise > 0.2 * bottom)
            best = fmin(best, deviation(shape, span, bottom, lost, rise) / rise);
    }
    return best;
}

/* Each capacity and number of ways counts by how well it explains the curve: as if so
 * many of its points spoke independently, with deviations that fall off exponentially. */
static const double independent = 8;

bool sonde_infer_spill_fit(const struct shape *shape, double near, double bottom,
                           double granule, struct spill *spill)
{
    double weights = 0, sum = 0;

    *spill = (struct spill){.misfit = INFINITY};
    for (size_t k = 0; k < sizeof ways_tried / sizeof ways_tried[0]; k++)
        for (double at = near - reach; at <= near + reach; at += step) {
            double misfit = misfit_of(shape, at, ways_tried[k], bottom, granule);
            double weight = pow(misfit + misfit_least, -independent);

            spill->misfit = fmin(spill->misfit, misfit);
            weights += weight;
            sum += weight * at;
        }
    spill->at = sum / weights;
    return isfinite(spill->misfit);
}
