/* What an access costs by its distance from the last one.
 *
 * Two designs, since each moves something else along with the stride: with a fixed count
 * of accesses the block grows, with a fixed span their number falls. Where both ask for
 * the same block they are one experiment, and must agree. What can fool it: prefetchers,
 * which follow strides up to some length and give up beyond, so the cost of a long stride
 * holds for walking in order and not for random places. */
#include "infer/stride.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

/* Both designs take the same samples there. */
static const double agree_within = 0.2;
/* The clock of the core may be off by that much over an accepted sample. */
static const double clock_off = 0.02;
/* More accesses to a line cannot cost more each. */
static const double dense_most = 1.1;

double sonde_infer_stride_lines(double stride, double line_bytes)
{
    return line_bytes > 0 ? fmin(1, stride / line_bytes) : NAN;
}

double sonde_infer_stride_vain(double stride, double line_bytes)
{
    return line_bytes > 0 ? fmin(stride, line_bytes) - 1 : NAN;
}

static const struct series_point *at_stride(const struct series *series, double stride)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].n && series->points[i].best > 0 &&
            series->points[i].at[0] == stride)
            return &series->points[i];
    return NULL;
}

static struct finding *find_cost(const struct series *series, double stride,
                                 const char *name, const char *method,
                                 struct findings *findings)
{
    const struct series_point *point = at_stride(series, stride);
    struct finding *finding;

    if (!point)
        return sonde_infer_give_up(findings, name, "ns",
                                   "no figures at a stride of %.0f bytes", stride);
    finding =
        sonde_infer_find(findings, name, "ns", point->best,
                         fmin(point->low, (1 - clock_off) * point->best),
                         fmax(point->high, (1 + clock_off) * point->best), 0.9, method);
    if (finding)
        sonde_infer_explain(finding, "stride %.0f, %.0f accesses over %.0f bytes", stride,
                            point->at[1], point->at[2]);
    return finding;
}

static struct finding *find_power(const struct series *by_count,
                                  struct findings *findings)
{
    const struct series_point *power = at_stride(by_count, 2048);
    const struct series_point *below = at_stride(by_count, 1536);
    const struct series_point *above = at_stride(by_count, 3072);
    struct finding *finding;
    double ratio;

    if (!power || !below || !above)
        return sonde_infer_give_up(findings, "stride.power_of_two", "ratio",
                                   "no figures at 1536, 2048 or 3072 bytes");
    ratio = power->best / sqrt(below->best * above->best);
    finding = sonde_infer_find(findings, "stride.power_of_two", "ratio", ratio,
                               0.95 * ratio, 1.05 * ratio, 0.8,
                               "2048 bytes against the mean of 1536 and 3072");
    if (finding)
        sonde_infer_explain(finding, ratio > 1.2
                                         ? "a power of two uses few sets of each cache"
                                         : "no such penalty was seen at this size");
    return finding;
}

static struct finding *find_vain(double line_bytes, struct findings *findings)
{
    double vain = sonde_infer_stride_vain(line_bytes, line_bytes);
    struct finding *finding;

    if (!(line_bytes > 0))
        return sonde_infer_give_up(findings, "stride.vain", "bytes",
                                   "the line is not known");
    finding = sonde_infer_find(findings, "stride.vain", "bytes", vain, vain, vain, 0.9,
                               "the line less the byte that was asked for");
    /* As text, since sizes are shown as the round ones they are near to. */
    if (finding && asprintf(&finding->text, "%.0f bytes", vain) < 0)
        finding->text = NULL;
    return finding;
}

/* The stride at which both designs walk the same block. */
static bool control_meeting(const struct series *by_count, const struct series *by_span,
                            struct findings *findings)
{
    for (size_t i = 0; i < by_count->count; i++) {
        const struct series_point *one = at_stride(by_count, by_count->points[i].at[0]);
        const struct series_point *other = at_stride(by_span, by_count->points[i].at[0]);

        if (!one || !other || one->at[1] != other->at[1])
            continue;
        return sonde_infer_control(findings,
                                   fabs(one->best / other->best - 1) <= agree_within,
                                   "both designs agree where they walk the same block",
                                   "within 20 %", "%.3g and %.3g ns at stride %.0f",
                                   one->best, other->best, one->at[0]) != NULL;
    }
    return true;
}

static bool control_dense(const struct series *by_span, double line_bytes,
                          struct findings *findings)
{
    const struct series_point *dense = at_stride(by_span, 1);
    const struct series_point *line = at_stride(by_span, line_bytes);

    if (!dense || !line)
        return true;
    return sonde_infer_control(findings, dense->best <= dense_most * line->best,
                               "accesses that share a line cost no more than others",
                               "at most as much", "%.3g and %.3g ns", dense->best,
                               line->best) != NULL;
}

int sonde_infer_stride(const struct series *by_count, const struct series *by_span,
                       double line_bytes, struct findings *findings)
{
    double line = line_bytes > 0 ? line_bytes : 64;
    bool ok = find_cost(by_span, 1, "stride.dense",
                        "an access next to the last one, in order", findings) &&
              find_cost(by_span, line, "stride.line",
                        "an access a line after the last one, in order", findings) &&
              find_cost(by_count, 4096, "stride.page",
                        "an access 4096 bytes after the last one, in order", findings) &&
              find_power(by_count, findings) && find_vain(line_bytes, findings) &&
              control_meeting(by_count, by_span, findings) &&
              control_dense(by_span, line, findings);

    return ok ? 0 : -ENOMEM;
}
