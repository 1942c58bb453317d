/* Rates of streams: which to give, which to hold back.
 *
 *   first level   the law of the ports (ports.c)
 *   memory        three footprints up to the largest, of which the last is no slower
 *   write miss    past the caches / normal > 1.3: a normal write reads its line first
 *
 * Figures count bytes that the program reads plus those it writes; what a write miss
 * reads beside is counted apart. What can fool it: a neighbour on the same core (its
 * samples are set aside; if too few are left nothing is claimed), a last level beyond the
 * largest footprint (the plateau is then the level's), and caches that drop writes of
 * full lines without reading them (nothing is spared past them, and it is said). */
#include "infer/bandwidth.h"

#include "infer/figures.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* So many samples with the core alone make a figure. */
static const size_t quiet_least = 3;
/* The plateau: no more is lost to the largest footprint. */
static const double plateau_least = 0.95;
/* More threads that gain less than this gain nothing. */
static const double gain_least = 1.05;
/* A write that spares the read of its line saves half of its traffic; a third is seen. */
static const double spared_least = 1.3, spared_none = 1.1;

static const char *const names[] = {"read",     "write",   "copy",    "triad",
                                    "nt_write", "nt_copy", "nt_triad"};

const char *sonde_infer_stream_name(unsigned operation)
{
    return operation < STREAM_OPERATIONS ? names[operation] : NULL;
}

/* --- reading the series --- */

/* Of two points of the same, the one that was disturbed less. */
static const struct series_point *faster(const struct series_point *one,
                                         const struct series_point *other, double share)
{
    if ((one->flags & (POINT_WRONG | POINT_UNLAWFUL)) ||
        !sonde_infer_stream_usable(other) || sonde_infer_stream_shared(other, share))
        return one;
    if (!sonde_infer_stream_usable(one) || sonde_infer_stream_shared(one, share))
        return other;
    return other->best > one->best ? other : one;
}

/* The point of a level and an operation at the largest footprint. */
static const struct series_point *at_level(const struct series *series, const char *level,
                                           unsigned operation)
{
    const struct series_point *found = NULL;

    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (point->label && strcmp(point->label, level) == 0 &&
            point->at[1] == operation && (!found || point->at[0] > found->at[0]))
            found = point;
    }
    return found;
}

static const struct series_point *at_threads(const struct series *series, double threads,
                                             double placement, unsigned operation)
{
    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (point->at[0] == threads && point->at[1] == placement &&
            point->at[2] == operation)
            return point;
    }
    return NULL;
}

static double most_threads(const struct series *series)
{
    double most = NAN;

    for (size_t i = 0; series && i < series->count; i++)
        most = fmax(most, series->points[i].at[0]);
    return most;
}

/* --- the share of the core --- */

static double best_share(const struct bandwidth *bandwidth)
{
    const struct series *all[] = {bandwidth->shapes, bandwidth->rates};
    double best = bandwidth->parallelism;

    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; all[s] && i < all[s]->count; i++) {
            const struct series_point *point = &all[s]->points[i];
            double sum = 0;
            size_t known = 0;

            /* The mean of a point: a single pulse may show too much. */
            for (size_t k = 0; point->samples && k < point->n; k++)
                if (point->samples[k].share > 0) {
                    sum += point->samples[k].share;
                    known++;
                }
            if (known >= quiet_least)
                best = fmax(best, sum / (double)known);
        }
    return best;
}

/* --- one rate --- */

struct rate {
    const char *level;
    unsigned operation;
    const char *suffix; /* "" or ".threads" */
    const struct series_point *point;
    const char *why; /* there can be none; NULL */
    double share;    /* the best of the core */
};

static double confidence_of(const struct series_point *point)
{
    if (point->flags & (POINT_NOISY | POINT_BIMODAL))
        return 0.6;
    return point->flags & (POINT_UNSTABLE | POINT_FEW | POINT_CUT) ? 0.7 : 0.9;
}

static const char unlawful[] =
    "most samples moved more bytes a cycle than the ports can: the clock or the count is "
    "wrong";

static const char *why_unusable(const struct series_point *point)
{
    if (point && point->flags & POINT_UNLAWFUL)
        return unlawful;
    return sonde_infer_why_no_figures(point);
}

/* The threads of a team may share a core among them, or some have smaller ones: that is
 * what all of them move, and cannot be told from a neighbour of one. */
static const double threads_shared = 0.7;

static const char *const how[2][2] = {
    {"90th percentile; bytes that the program reads plus writes",
     "90th percentile; bytes read plus written; cores were shared, by others or by the "
     "threads"},
    {"90th percentile; bytes read plus written, past the caches",
     "90th percentile; bytes read plus written, past the caches; cores were shared, by "
     "others or by the threads"},
};

static struct finding *give(struct findings *findings, const struct rate *rate,
                            const char *name)
{
    const struct series_point *point = rate->point;
    bool threads = *rate->suffix, shared, past = rate->operation >= STREAM_NT_WRITE;

    if (rate->why)
        return sonde_infer_give_up(findings, name, "bytes/s", "%s", rate->why);
    if (!sonde_infer_stream_usable(point))
        return sonde_infer_give_up(findings, name, "bytes/s", "%s", why_unusable(point));
    shared = sonde_infer_stream_shared(point, rate->share);
    if (shared && !threads)
        return sonde_infer_give_up(findings, name, "bytes/s",
                                   "core shared: too few of %zu samples had the core to "
                                   "themselves; %.3g to %.3g "
                                   "GB/s were seen",
                                   point->n, point->min * 1e-9, point->max * 1e-9);
    return sonde_infer_find(
        findings, name, "bytes/s", point->best, point->low, point->high,
        (shared ? threads_shared : 1) * confidence_of(point), how[past][shared]);
}

static int report(struct findings *findings, const struct rate *rate)
{
    char name[64];

    snprintf(name, sizeof name, "bandwidth.%s.%s%s", rate->level, names[rate->operation],
             rate->suffix);
    return give(findings, rate, name) ? 0 : -ENOMEM;
}

/* --- levels --- */

/* One thread in a level. The first was measured twice, by the shape that was chosen in an
 * earlier stage: cores that lower their pace for wide accesses while others draw power do
 * so for seconds. */
static const struct series_point *rate_of(const struct bandwidth *bandwidth,
                                          const char *level, unsigned operation,
                                          double share)
{
    const struct series_point *point = at_level(bandwidth->rates, level, operation);
    struct stream_ports ports =
        sonde_infer_stream_ports(bandwidth->ports, bandwidth->parallelism);
    struct stream_choice choice =
        sonde_infer_stream_choice(bandwidth->shapes, &ports, operation);

    for (size_t i = 0; point && strcmp(level, "l1d") == 0 && bandwidth->shapes &&
                       i < bandwidth->shapes->count;
         i++) {
        const struct series_point *shape = &bandwidth->shapes->points[i];

        if (shape->at[0] == operation && shape->at[1] == choice.width &&
            shape->at[2] == choice.shape)
            point = faster(point, shape, share);
    }
    return point;
}

static int report_level(const struct bandwidth *bandwidth, const char *level,
                        double share, struct findings *findings)
{
    struct stream_ports ports =
        sonde_infer_stream_ports(bandwidth->ports, bandwidth->parallelism);
    bool one = !(bandwidth->cpus > 1);
    int error = 0;

    for (unsigned i = 0; i <= STREAM_TRIAD && !error; i++) {
        bool broken = sonde_infer_stream_choice(bandwidth->shapes, &ports, i).unlawful;
        struct rate rate = {.level = level, .operation = i, .suffix = ""};

        rate.point = rate_of(bandwidth, level, i, share);
        rate.why = broken ? unlawful : NULL;
        rate.share = share;
        error = report(findings, &rate);
        rate.suffix = ".threads";
        rate.point = at_level(bandwidth->rates_all, level, i);
        if (one)
            rate.why = "needs two CPUs; one is allowed";
        if (!error)
            error = report(findings, &rate);
    }
    return error;
}

static int report_levels(const struct bandwidth *bandwidth, double share,
                         struct findings *findings)
{
    const struct series *rates = bandwidth->rates;
    int error = 0;

    if (!at_level(rates, "l1d", STREAM_READ))
        error = report_level(bandwidth, "l1d", share, findings);
    /* Each level once: where its read is, at its largest footprint. */
    for (size_t i = 0; rates && i < rates->count && !error; i++) {
        const struct series_point *point = &rates->points[i];

        if (point->label && strcmp(point->label, "memory") != 0 &&
            point == at_level(rates, point->label, STREAM_READ))
            error = report_level(bandwidth, point->label, share, findings);
    }
    return error;
}

static int report_cycles(const struct bandwidth *bandwidth, struct findings *findings)
{
    for (unsigned i = 0; i <= STREAM_TRIAD; i++) {
        const struct series_point *point =
            rate_of(bandwidth, "l1d", i, best_share(bandwidth));
        double scale =
            sonde_infer_stream_usable(point) ? point->cycles / point->best : NAN;
        char name[48];

        if (!(scale > 0) || sonde_infer_stream_shared(point, best_share(bandwidth)))
            continue;
        snprintf(name, sizeof name, "bandwidth.l1d.%s_cycle", names[i]);
        if (!sonde_infer_find(findings, name, "bytes/cycle", point->cycles,
                              point->low * scale, point->high * scale,
                              confidence_of(point),
                              "90th percentile; the core's clock around each sample"))
            return -ENOMEM;
    }
    return 0;
}

static int report_ports(const struct bandwidth *bandwidth, struct findings *findings)
{
    struct stream_ports ports =
        sonde_infer_stream_ports(bandwidth->ports, bandwidth->parallelism);
    struct stream_choice choice =
        sonde_infer_stream_choice(bandwidth->shapes, &ports, STREAM_READ);

    if (choice.width > 0 &&
        !sonde_infer_find(findings, "bandwidth.width", "bytes", choice.width,
                          choice.width, choice.width, 0.8,
                          "the width of access that reads the first level fastest"))
        return -ENOMEM;
    return sonde_infer_stream_report_ports(
               &ports, choice, at_level(bandwidth->rates, "l1d", STREAM_READ), findings)
               ? -ENOMEM
               : 0;
}

/* --- memory --- */

/* Smallest and largest footprint of reads labelled memory's. */
static const struct series_point *memory_read(const struct series *rates, double sign)
{
    const struct series_point *found = NULL;

    for (size_t i = 0; rates && i < rates->count; i++) {
        const struct series_point *point = &rates->points[i];

        if (point->label && strcmp(point->label, "memory") == 0 &&
            point->at[1] == STREAM_READ && sonde_infer_stream_usable(point) &&
            (!found || sign * point->at[0] > sign * found->at[0]))
            found = point;
    }
    return found;
}

/* Is the largest footprint large enough, and no slower than half of it? */
static bool memory_reached(const struct bandwidth *bandwidth, char *why, size_t size,
                           struct findings *findings)
{
    const struct series_point *small = memory_read(bandwidth->rates, -1);
    const struct series_point *large = memory_read(bandwidth->rates, 1);
    bool flat;

    if (bandwidth->why_memory) {
        snprintf(why, size, "%s", bandwidth->why_memory);
        return false;
    }
    if (!large || small == large || large->at[0] < SONDE_INFER_MEMORY_FROM) {
        snprintf(why, size, "fewer than two footprints up to 256 MiB were read: %s",
                 why_unusable(at_level(bandwidth->rates, "memory", STREAM_READ)));
        return false;
    }
    flat = large->high >= plateau_least * small->low;
    sonde_infer_control(findings, flat, "reading more memory is no slower",
                        "within 5 % at twice the footprint", "%.2f times the rate",
                        large->best / small->best);
    if (!flat)
        snprintf(why, size,
                 "no plateau: reads fall from %.3g GB/s over %.0f MiB to %.3g over %.0f",
                 small->best * 1e-9, small->at[0] / 1048576, large->best * 1e-9,
                 large->at[0] / 1048576);
    return flat;
}

static int report_memory(const struct bandwidth *bandwidth, const char *why, double share,
                         struct findings *findings)
{
    double most = most_threads(bandwidth->threads);
    const char *alone = bandwidth->cpus > 1 ? why : "needs two CPUs; one is allowed";
    int error = 0;

    for (unsigned i = 0; i < STREAM_OPERATIONS && !error; i++) {
        struct rate rate = {"memory", i,    "", at_level(bandwidth->rates, "memory", i),
                            why,      share};

        error = report(findings, &rate);
        rate = (struct rate){"memory",   i,
                             ".threads", at_threads(bandwidth->threads, most, 0, i),
                             alone,      share};
        if (!error)
            error = report(findings, &rate);
    }
    return error;
}

/* What a write miss reads beside, in bytes moved for each byte of the program. */
static const struct {
    unsigned operation;
    double factor;
} allocating[] = {{STREAM_WRITE, 2}, {STREAM_COPY, 1.5}, {STREAM_TRIAD, 4.0 / 3}};

static int report_traffic(const struct bandwidth *bandwidth, const char *why,
                          double share, struct findings *findings)
{
    const struct series_point *normal =
        at_level(bandwidth->rates, "memory", STREAM_WRITE);
    const struct series_point *past =
        at_level(bandwidth->rates, "memory", STREAM_NT_WRITE);
    double ratio =
        sonde_infer_stream_usable(normal) && sonde_infer_stream_usable(past) && !why
            ? past->best / normal->best
            : NAN;

    if (!isnan(ratio))
        sonde_infer_control(
            findings, ratio > spared_least || ratio < spared_none,
            "a write past the caches spares the read of its line",
            "above 1.3 times the rate of a normal write, or nothing to spare (below 1.1)",
            "%.2f times", ratio);
    for (size_t i = 0; i < sizeof allocating / sizeof allocating[0]; i++) {
        const struct series_point *point =
            at_level(bandwidth->rates, "memory", allocating[i].operation);
        double factor = allocating[i].factor;
        struct finding *finding;
        char name[48];

        snprintf(name, sizeof name, "bandwidth.memory.%s.traffic",
                 names[allocating[i].operation]);
        if (sonde_infer_stream_usable(point) && sonde_infer_stream_shared(point, share))
            finding =
                sonde_infer_give_up(findings, name, "bytes/s",
                                    "core shared: the rate itself is not measurable");
        else if (ratio > spared_least && sonde_infer_stream_usable(point))
            finding = sonde_infer_find(
                findings, name, "bytes/s", point->best * factor, point->low * factor,
                point->high * factor, confidence_of(point) - 0.1,
                "program bytes, and the read of each line that is written");
        else
            finding = sonde_infer_give_up(
                findings, name, "bytes/s", "%s",
                why ? why
                    : "writes past the caches gain too little to tell whether normal "
                      "writes read their lines first");
        if (!finding)
            return -ENOMEM;
    }
    return 0;
}

/* --- threads --- */

/* Threads from which more gain less than 5 %; `all` when every step gained. */
static double saturation_of(const struct series *threads, double *most)
{
    double at = NAN, best = 0;

    *most = most_threads(threads);
    for (size_t i = 0; threads && i < threads->count; i++) {
        const struct series_point *point = &threads->points[i];

        if (point->at[1] == 0 && point->at[2] == STREAM_READ &&
            sonde_infer_stream_usable(point))
            best = fmax(best, point->best);
    }
    for (size_t i = 0; threads && i < threads->count; i++) {
        const struct series_point *point = &threads->points[i];

        if (point->at[1] == 0 && point->at[2] == STREAM_READ &&
            sonde_infer_stream_usable(point) && point->best * gain_least >= best)
            at = fmin(at, point->at[0]);
    }
    return at;
}

static int report_saturation(const struct bandwidth *bandwidth, const char *why,
                             struct findings *findings)
{
    const char *name = "bandwidth.memory.saturation";
    double most, at = saturation_of(bandwidth->threads, &most);
    struct finding *finding;

    if (!(bandwidth->cpus > 1))
        return sonde_infer_give_up(findings, name, "count",
                                   "needs two CPUs; one is allowed")
                   ? 0
                   : -ENOMEM;
    if (why || isnan(at))
        return sonde_infer_give_up(findings, name, "count", "%s",
                                   why ? why
                                       : "it was not measured in the time there was")
                   ? 0
                   : -ENOMEM;
    finding = at < most ? sonde_infer_find(findings, name, "count", at, at, at, 0.8,
                                           "reads; more threads gain less than 5 %")
                        : sonde_infer_give_up(findings, name, "count",
                                              "not reached: %.0f threads, all that are "
                                              "allowed, still gain",
                                              most);
    if (finding && at == most)
        finding->low = most;
    return finding ? 0 : -ENOMEM;
}

/* --- all of it --- */

static void check_order(const struct bandwidth *bandwidth, struct findings *findings)
{
    const struct series *rates = bandwidth->rates;
    double worst = NAN, before = NAN, size = 0;

    for (;;) {
        const struct series_point *next = NULL;

        for (size_t i = 0; rates && i < rates->count; i++) {
            const struct series_point *point = &rates->points[i];

            if (point->at[1] == STREAM_READ && sonde_infer_stream_usable(point) &&
                point->at[0] > size && (!next || point->at[0] < next->at[0]))
                next = point;
        }
        if (!next)
            break;
        if (before > 0)
            worst = fmax(worst, next->best / before);
        before = next->best;
        size = next->at[0];
    }
    if (!isnan(worst))
        sonde_infer_control(findings, worst <= 1.15,
                            "no level is faster than one before it", "at most 1.15 times",
                            "%.2f times", worst);
}

int sonde_infer_bandwidth(const struct bandwidth *bandwidth, struct findings *findings)
{
    double share = best_share(bandwidth);
    char text[160];
    const char *why =
        memory_reached(bandwidth, text, sizeof text, findings) ? NULL : text;
    int error = report_levels(bandwidth, share, findings);

    if (!error)
        error = report_memory(bandwidth, why, share, findings);
    if (!error)
        error = report_traffic(bandwidth, why, share, findings);
    if (!error)
        error = report_saturation(bandwidth, why, findings);
    if (!error)
        error = report_cycles(bandwidth, findings);
    if (!error)
        error = report_ports(bandwidth, findings);
    check_order(bandwidth, findings);
    return error;
}
