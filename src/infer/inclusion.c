/* A last level that includes the others takes their lines along when it lets go of its
 * copies, however much they are in use.
 *
 *   kept lines, in use all the time        near: a piece of what the last level holds
 *   [second level ######....]              far:  a piece of what it cannot hold
 *
 *   inclusive      far turns out copies:   kept lines come from memory again
 *   not inclusive  near and far pass by alike
 *
 * A piece of a far stretch replaces as many lines of the last level, and of those a share
 * of kept / last are copies of kept ones: each line is lost with a chance of piece /
 * last. A near piece pushes as many lines through the level above and replaces nothing in
 * the last one. The difference is what is looked at, so that whatever the inner levels
 * lose by themselves, and translation, drops out. Half a piece must turn out half as
 * many.
 *
 * What can fool it: a last level that keeps lines of inner levels by other means (it asks
 * them before it evicts), which then does not behave as an inclusive one and is not
 * called one; a declared size that is too small (the loss that is expected is then too
 * large). A smaller share of the level than declared makes the loss larger, never
 * smaller. */
#include "infer/inclusion.h"

#include "infer/bandwidth.h"

#include <errno.h>
#include <math.h>

/* No memory is nearer to a private level than this: 60 ns and more were published. */
static const double memory_least_ns = 50;
/* Below this share of a load nothing is told from noise. */
static const double seen_least = 0.03;
/* A stretch that lies farther away is read slower by so much. */
static const double slower_most = 0.85;
/* What passes by may cost the kept lines so much on its own. */
static const double disturbed_most = 1.7;

/* A load of kept lines, in ns, with its interval. */
struct load {
    double best, low, high;
};

static struct load load_at(const struct series *series, double stretch, double piece)
{
    struct load load = {NAN, NAN, NAN};

    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (point->at[0] == stretch && (!(stretch > 0) || point->at[1] == piece) &&
            point->n && point->best > 0 && !(point->flags & POINT_WRONG))
            load = (struct load){point->best, point->low, point->high};
    }
    return load;
}

static struct load difference(struct load from, struct load what)
{
    return (struct load){from.best - what.best, from.low - what.high,
                         from.high - what.low};
}

/* Smallest and largest value of an axis, but for 0. */
static void bounds(const struct series *series, unsigned axis, double *low, double *high)
{
    *low = *high = NAN;
    for (size_t i = 0; series && i < series->count; i++) {
        double at = series->points[i].at[axis];

        if (at > 0) {
            *low = fmin(*low, at);
            *high = fmax(*high, at);
        }
    }
}

static double rate_at(const struct series *traffic, double footprint)
{
    for (size_t i = 0; traffic && i < traffic->count; i++) {
        const struct series_point *point = &traffic->points[i];

        if (point->at[0] == footprint && point->at[1] == STREAM_READ && point->n)
            return point->best;
    }
    return NAN;
}

static int give_up(struct findings *findings, const char *reason)
{
    return sonde_infer_give_up(findings, "ways.inclusion", "", "%s", reason) ? 0
                                                                             : -ENOMEM;
}

struct evidence {
    const struct inclusion *inclusion;
    double near, far, piece, half; /* bytes */
    struct load quiet, after_near, after_far;
    struct load lost, lost_half; /* what far costs more than near */
    double expected;             /* the least that an inclusive level loses, in ns */
};

static void read_evidence(struct evidence *evidence)
{
    const struct series *series = evidence->inclusion->stirred;

    bounds(series, 0, &evidence->near, &evidence->far);
    bounds(series, 1, &evidence->half, &evidence->piece);
    evidence->quiet = load_at(series, 0, 0);
    evidence->after_near = load_at(series, evidence->near, evidence->piece);
    evidence->after_far = load_at(series, evidence->far, evidence->piece);
    evidence->lost = difference(evidence->after_far, evidence->after_near);
    evidence->lost_half = difference(load_at(series, evidence->far, evidence->half),
                                     load_at(series, evidence->near, evidence->half));
    evidence->expected =
        evidence->piece / evidence->inclusion->last_bytes * memory_least_ns;
}

static int tell(const struct evidence *evidence, const char *text,
                struct findings *findings)
{
    struct finding *finding = sonde_infer_find_text(
        findings, "ways.inclusion", text, 0.75,
        "lines in use, after others passed by from memory and from the last level");

    if (!finding)
        return -ENOMEM;
    sonde_infer_explain(finding,
                        "a load of lines in use costs %.2f ns, %.2f after %.0f KiB from "
                        "the last level passed by, %.2f after as much from memory; at "
                        "least %.2f more would be the price of inclusion",
                        evidence->quiet.best, evidence->after_near.best,
                        evidence->piece / 1024, evidence->after_far.best,
                        evidence->expected);
    return 0;
}

/* Half the piece, half the loss: a loss that does not follow is no eviction. */
static int tell_inclusive(const struct evidence *evidence, struct findings *findings)
{
    double ratio = evidence->lost_half.best / evidence->lost.best;
    bool follows = ratio >= 0.25 && ratio <= 0.8;

    if (!sonde_infer_control(findings, follows,
                             "half as much passing by turns out half as many lines",
                             "0.25 to 0.8 of the loss", "%.2f", ratio))
        return -ENOMEM;
    return follows ? tell(evidence, "inclusive", findings)
                   : give_up(findings, "lines in use get lost as others pass by from "
                                       "memory, but not in proportion to how many do");
}

static int decide(const struct evidence *evidence, struct findings *findings)
{
    double least = seen_least * evidence->after_near.best;

    if (evidence->lost.low > fmax(evidence->expected, least))
        return tell_inclusive(evidence, findings);
    if (evidence->expected >= 1.5 * least && evidence->lost.high < evidence->expected / 2)
        return tell(evidence, "not inclusive", findings);
    return sonde_infer_give_up(
               findings, "ways.inclusion", "",
               "as others pass by from memory a load of lines in use costs %.2f ns more "
               "(%.2f to %.2f): an inclusive level of %.0f MiB would make it %.2f or "
               "more, and that cannot be told apart",
               evidence->lost.best, evidence->lost.low, evidence->lost.high,
               evidence->inclusion->last_bytes / 1048576, evidence->expected)
               ? 0
               : -ENOMEM;
}

int sonde_infer_inclusion(const struct inclusion *inclusion, struct findings *findings)
{
    struct evidence evidence = {.inclusion = inclusion};
    double slower;

    if (inclusion->why)
        return give_up(findings, inclusion->why);
    read_evidence(&evidence);
    slower = rate_at(inclusion->traffic, evidence.far) /
             rate_at(inclusion->traffic, evidence.near);
    if (isnan(evidence.lost.best) || isnan(evidence.quiet.best) || isnan(slower))
        return give_up(findings, "it was not measured in the time there was");
    if (!sonde_infer_control(findings, slower <= slower_most,
                             "reads of what the last level cannot hold are slower",
                             "0.85 times the rate or less", "%.2f times", slower))
        return -ENOMEM;
    if (!(slower <= slower_most))
        return give_up(findings, "what the last level should hold is read no faster than "
                                 "what it cannot: it does not hold it");
    if (evidence.after_near.best > disturbed_most * evidence.quiet.best)
        return give_up(findings, "the inner level does not keep lines in use as others "
                                 "pass by, whatever the last one does");
    if (!(inclusion->last_bytes > 0))
        return give_up(findings, "no size of a last level is declared");
    return decide(&evidence, findings);
}
