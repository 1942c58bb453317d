/* Latency under load: the curve latency(bandwidth) and its knee.
 *
 *   latency                    x
 *      |                     x            the loads count what they moved while the
 *  1.5 u|. . . . . . . . x . . . . .      latency was measured: both axes are measured,
 *    u |  x  x  x  x  x                   neither is what was asked for
 *      +------------------|----- load     knee
 *
 * Few CPUs cannot keep memory busy: the curve then ends before it bends, and what was
 * reached is called the most reached and not the peak. What can fool it: others who load
 * the same memory and are not counted (latency then rises without load, which the control
 * of monotony shows), and a last level that answers part of the walk. */
#include "infer/loaded.h"

#include "infer/figures.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The knee: latency is that many times the unloaded one. */
static const double knee_ratio = 1.5;
/* Memory is at its peak where a queue doubles the latency. */
static const double peak_ratio = 2;
/* The same walk without loads, against the least load: no more apart than this. */
static const double quiet_ratio = 1.25;

enum { POINTS_MAX = 64 };

struct place {
    double load, load_low, load_high;
    double latency, low, high;
};

struct bend {
    struct place place[POINTS_MAX]; /* in ascending order of load */
    size_t count;
};

static int by_load(const void *left, const void *right)
{
    const struct place *a = left, *b = right;

    return (a->load > b->load) - (a->load < b->load);
}

static const struct series_point *same_place(const struct series *series,
                                             const struct series_point *point)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].at[0] == point->at[0] &&
            series->points[i].at[1] == point->at[1] && series->points[i].n)
            return &series->points[i];
    return NULL;
}

static struct bend bend_of(const struct series *latency, const struct series *load,
                           double reads)
{
    struct bend bend = {.count = 0};

    for (size_t i = 0; latency && load && i < latency->count; i++) {
        const struct series_point *point = &latency->points[i];
        const struct series_point *moved = same_place(load, point);

        if (point->at[1] != reads || !point->n || !moved || !(moved->best > 0) ||
            (point->flags & (POINT_WRONG | POINT_UNLAWFUL)) || bend.count == POINTS_MAX)
            continue;
        bend.place[bend.count++] = (struct place){moved->best, moved->low, moved->high,
                                                  point->best, point->low, point->high};
    }
    qsort(bend.place, bend.count, sizeof bend.place[0], by_load);
    return bend;
}

/* Where the curve first stays above `level`: between two places, in proportion. */
static double crossing(const struct bend *bend, double level, double *low, double *high)
{
    size_t i = bend->count;

    while (i > 0 && bend->place[i - 1].latency >= level)
        i--;
    if (i == bend->count || i == 0)
        return NAN;
    *low = bend->place[i - 1].load;
    *high = bend->place[i].load;
    return *low + (*high - *low) * (level - bend->place[i - 1].latency) /
                      (bend->place[i].latency - bend->place[i - 1].latency);
}

/* Pairs of places of which the one with more load is surely faster. */
static size_t falls(const struct bend *bend)
{
    size_t count = 0;

    for (size_t i = 0; i < bend->count; i++)
        for (size_t j = i + 1; j < bend->count; j++)
            count += bend->place[j].high < bend->place[i].low &&
                     bend->place[j].load_low > bend->place[i].load_high;
    return count;
}

static struct finding *add_knee(struct findings *findings, const char *name,
                                const struct bend *bend, double unloaded)
{
    const struct place *last = &bend->place[bend->count - 1];
    double low, high, knee = crossing(bend, knee_ratio * unloaded, &low, &high);
    struct finding *finding;

    if (!isnan(knee))
        return sonde_infer_find(findings, name, "bytes/s", knee, low, high, 0.8,
                                "latency 1.5 times the unloaded one");
    if (bend->place[0].latency >= knee_ratio * unloaded)
        return sonde_infer_give_up(findings, name, "bytes/s",
                                   "latency is %.2f times the unloaded one at the least "
                                   "load already",
                                   bend->place[0].latency / unloaded);
    finding = sonde_infer_give_up(findings, name, "bytes/s",
                                  "not reached: at the most, %.3g GB/s, latency is %.2f "
                                  "times the unloaded one",
                                  last->load * 1e-9, last->latency / unloaded);
    if (finding)
        finding->low = last->load;
    return finding;
}

static int report(const struct bend *bend, double reads, double unloaded,
                  struct findings *findings)
{
    const struct place *last = &bend->place[bend->count - 1];
    bool peak = last->latency >= peak_ratio * unloaded;
    struct finding *finding;
    char name[48];

    snprintf(name, sizeof name, "loaded.reads%.0f.most", reads);
    finding = sonde_infer_find(findings, name, "bytes/s", last->load, last->load_low,
                               last->load_high, 0.8,
                               peak ? "peak: counted by the loads themselves"
                                    : "most reached: counted by the loads themselves");
    if (!finding)
        return -ENOMEM;
    if (!peak)
        sonde_infer_explain(finding,
                            "most reached, not the peak: latency is only %.2f times the "
                            "unloaded one, so these CPUs do not saturate memory",
                            last->latency / unloaded);
    snprintf(name, sizeof name, "loaded.reads%.0f.latency", reads);
    if (!sonde_infer_find(findings, name, "ns", last->latency, last->low, last->high, 0.8,
                          "median, at the most load"))
        return -ENOMEM;
    snprintf(name, sizeof name, "loaded.reads%.0f.knee", reads);
    return add_knee(findings, name, bend, unloaded) ? 0 : -ENOMEM;
}

static int give_up(double reads, const char *why, struct findings *findings)
{
    static const char *const parts[][2] = {
        {"most", "bytes/s"}, {"latency", "ns"}, {"knee", "bytes/s"}};
    char name[48];

    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "loaded.reads%.0f.%s", reads, parts[i][0]);
        if (!sonde_infer_give_up(findings, name, parts[i][1],
                                 "fewer than four loads were measured: %s", why))
            return -ENOMEM;
    }
    return 0;
}

int sonde_infer_loaded(const struct series *latency, const struct series *load,
                       const struct series *unloaded, struct findings *findings)
{
    static const double shares[] = {100, 75, 50};
    const struct series_point *quiet =
        unloaded && unloaded->count && unloaded->points[0].n ? &unloaded->points[0]
                                                             : NULL;
    size_t fallen = 0;
    double worst = NAN;

    if (!quiet || !(quiet->best > 0))
        return sonde_infer_give_up(findings, "loaded.unloaded", "ns",
                                   "it was not measured in the time there was")
                   ? 0
                   : -ENOMEM;
    if (!sonde_infer_find(findings, "loaded.unloaded", "ns", quiet->best, quiet->low,
                          quiet->high, 0.9, "median, no other CPU loads memory"))
        return -ENOMEM;
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        struct bend bend = bend_of(latency, load, shares[i]);
        const char *why = sonde_infer_why_no_series(latency);
        int error = bend.count < 4 ? give_up(shares[i], why, findings)
                                   : report(&bend, shares[i], quiet->best, findings);

        if (error)
            return error;
        fallen += falls(&bend);
        if (bend.count)
            worst = fmax(worst, bend.place[0].latency / quiet->best);
    }
    if (isnan(worst))
        return 0;
    sonde_infer_control(findings, fallen == 0, "latency never falls as load grows",
                        "no pair of points beyond their intervals", "%zu pairs", fallen);
    sonde_infer_control(findings, worst <= quiet_ratio,
                        "the least load leaves latency as it is without",
                        "at most 1.25 times", "%.2f times", worst);
    return 0;
}
