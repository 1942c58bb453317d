/* Whether a write miss brings its line in first, from three streams over memory.
 *
 *   read                 one line comes
 *   write                allocating: one line comes, one goes
 *   write past caches                             one goes
 *
 * So a write that allocates takes what the other two take together, and one that does not
 * takes what the last takes alone. Both are asked for: the rate against that of writes
 * past the caches, and the time against the sum.
 *
 * What can fool it: stores "past the caches" that stay in them (hence the small block,
 * which such stores must not fill as fast as normal ones); cores that allocate as a rule
 * and leave it when whole lines are written in order: the answer is for such streams; a
 * reading rate that is limited by what one core keeps in flight, not by memory. */
#include "infer/write_miss.h"

#include "infer/bandwidth.h"

#include <errno.h>
#include <math.h>

/* A write that spares the read of its line saves half of its traffic; a third is seen. */
static const double spared_least = 1.3, spared_none = 1.15;
/* Time of a write over that of a read and a write past the caches: 1 and 0.5, but for
 * what overlaps. */
static const double sum_least = 0.65, sum_most = 1.5;
/* Past the caches a small block is filled at the rate of memory. */
static const double past_most = 0.5;

static bool usable(const struct series_point *point)
{
    return point && point->n > 0 && point->best > 0 &&
           !(point->flags & (POINT_WRONG | POINT_UNLAWFUL));
}

/* The point of an operation with the smallest (-1) or the largest (1) footprint. */
static const struct series_point *point_of(const struct series *traffic,
                                           unsigned operation, double sign)
{
    const struct series_point *found = NULL;

    for (size_t i = 0; traffic && i < traffic->count; i++) {
        const struct series_point *point = &traffic->points[i];

        if (point->at[1] == operation && usable(point) &&
            (!found || sign * point->at[0] > sign * found->at[0]))
            found = point;
    }
    return found;
}

static int give_up(struct findings *findings, const char *reason)
{
    return sonde_infer_give_up(findings, "ways.write_miss", "", "%s", reason) ? 0
                                                                              : -ENOMEM;
}

struct streams {
    const struct series_point *read, *write, *past, *small_write, *small_past;
    double ratio, low, high; /* of writes past the caches over normal ones */
    double of_sum;           /* time of a write over that of a read and a write past */
};

static struct streams read_streams(const struct series *traffic)
{
    struct streams streams = {
        .read = point_of(traffic, STREAM_READ, 1),
        .write = point_of(traffic, STREAM_WRITE, 1),
        .past = point_of(traffic, STREAM_NT_WRITE, 1),
        .small_write = point_of(traffic, STREAM_WRITE, -1),
        .small_past = point_of(traffic, STREAM_NT_WRITE, -1),
    };

    if (!streams.read || !streams.write || !streams.past ||
        streams.write->at[0] != streams.read->at[0] ||
        streams.past->at[0] != streams.read->at[0])
        return streams;
    streams.ratio = streams.past->best / streams.write->best;
    streams.low = streams.past->low / streams.write->high;
    streams.high = streams.past->high / streams.write->low;
    streams.of_sum =
        1 / streams.write->best / (1 / streams.read->best + 1 / streams.past->best);
    return streams;
}

static int tell(const struct streams *streams, const char *text,
                struct findings *findings)
{
    struct finding *finding = sonde_infer_find_text(
        findings, "ways.write_miss", text, 0.8,
        "streams of reads, writes, and writes past the caches over memory");

    if (!finding)
        return -ENOMEM;
    sonde_infer_explain(
        finding,
        "of lines written whole and in order: %.3g GB/s read, %.3g written, %.3g written "
        "past the caches",
        streams->read->best * 1e-9, streams->write->best * 1e-9,
        streams->past->best * 1e-9);
    return 0;
}

static int decide(const struct streams *streams, struct findings *findings)
{
    bool spared = streams->low > spared_least, none = streams->high < spared_none;
    bool sum = streams->of_sum >= sum_least && streams->of_sum <= sum_most;

    if ((spared || none) &&
        !sonde_infer_control(findings, spared == sum,
                             "time of a write over that of a read and a write past the "
                             "caches",
                             spared ? "0.65 to 1.5" : "below 0.65", "%.2f",
                             streams->of_sum))
        return -ENOMEM;
    if (spared && sum)
        return tell(streams, "allocates", findings);
    if (none && !sum)
        return tell(streams, "does not allocate", findings);
    return sonde_infer_give_up(findings, "ways.write_miss", "",
                               "writes past the caches are %.2f times as fast as normal "
                               "ones (%.2f to %.2f), and a normal one takes %.2f of a "
                               "read and a write past the caches: that fits neither",
                               streams->ratio, streams->low, streams->high,
                               streams->of_sum)
               ? 0
               : -ENOMEM;
}

int sonde_infer_write_miss(const struct series *traffic, const char *why,
                           struct findings *findings)
{
    struct streams streams;
    double past;

    if (why)
        return give_up(findings, why);
    streams = read_streams(traffic);
    if (!(streams.ratio > 0))
        return give_up(findings, "reads, writes and writes past the caches were not all "
                                 "measured: there was no time, or the core has none");
    if (streams.small_write == streams.write || streams.small_past == streams.past ||
        !streams.small_write || !streams.small_past)
        return give_up(findings, "a small block was not measured beside memory");
    past = streams.small_past->best / streams.small_write->best;
    if (!sonde_infer_control(findings, past < past_most,
                             "stores past the caches do not fill a small block fast",
                             "less than half the rate of normal ones", "%.2f times",
                             past))
        return -ENOMEM;
    if (!(past < past_most))
        return give_up(findings,
                       "stores past the caches stay in them on this core: there "
                       "is nothing to compare with");
    return decide(&streams, findings);
}
