/* The ways between CPUs.
 *
 *         0   1   2   3
 *    1    9                       0 and 1 are near, 2 and 3 are; from pair to pair it is
 *    2   25  26                   further: two levels of groups. With many CPUs most
 * cells 3   25  25   9               are empty: those chosen by group (pairing.h) are
 * enough
 *
 * A matrix taken by others does not say whether its threads were bound. Closed groups
 * show that they were; where there are none nothing shows it, and that is said. What can
 * fool it: a hypervisor that moves virtual CPUs between two samples of a pair. */
#include "infer/between.h"

#include "base/cpulist.h"
#include "infer/figures.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the square --- */

static int by_number(const void *a, const void *b)
{
    const unsigned *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static unsigned number_of(double cpu)
{
    return cpu >= 0 && cpu < SONDE_CPU_MAX ? (unsigned)cpu : 0;
}

static size_t gather(const struct series *series, unsigned *cpus)
{
    size_t count = 0;

    for (size_t i = 0; series && i < series->count; i++)
        for (size_t k = 0; k < 2; k++)
            cpus[count++] = number_of(series->points[i].at[k]);
    return count;
}

static int list_cpus(const struct between *between, struct square *square)
{
    size_t sampled = between->sampled ? between->sampled->count : 0, all;

    square->cpus =
        calloc(2 * (between->pairs->count + sampled) + 1, sizeof *square->cpus);
    if (!square->cpus)
        return -ENOMEM;
    all = gather(between->pairs, square->cpus);
    all += gather(between->sampled, square->cpus + all);
    qsort(square->cpus, all, sizeof *square->cpus, by_number);
    for (size_t i = 0; i < all; i++)
        if (i == 0 || square->cpus[i] != square->cpus[square->count - 1])
            square->cpus[square->count++] = square->cpus[i];
    return 0;
}

size_t sonde_infer_square_place(const struct square *square, double cpu)
{
    unsigned wanted = number_of(cpu);
    const unsigned *found = square->count ? bsearch(&wanted, square->cpus, square->count,
                                                    sizeof *square->cpus, by_number)
                                          : NULL;

    return found ? (size_t)(found - square->cpus) : square->count;
}

static void fill(const struct series *series, struct square *square)
{
    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];
        size_t a = sonde_infer_square_place(square, point->at[0]);
        size_t b = sonde_infer_square_place(square, point->at[1]);

        if (point->n)
            square->way_ns[a * square->count + b] =
                square->way_ns[b * square->count + a] = point->best;
    }
}

int sonde_infer_square(const struct between *between, struct square *square)
{
    *square = (struct square){0};
    if (!between->pairs || between->pairs->count == 0)
        return -ENODATA;
    if (list_cpus(between, square))
        return -ENOMEM;
    square->way_ns = malloc(square->count * square->count * sizeof *square->way_ns);
    if (!square->way_ns)
        return -ENOMEM;
    for (size_t i = 0; i < square->count * square->count; i++)
        square->way_ns[i] = NAN;
    fill(between->pairs, square);
    fill(between->sampled, square);
    return 0;
}

void sonde_infer_square_free(struct square *square)
{
    free(square->cpus);
    free(square->way_ns);
    *square = (struct square){0};
}

/* --- near and far --- */

static void find_ends(const struct series *series, const struct series_point **near,
                      const struct series_point **far)
{
    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (!point->n)
            continue;
        *near = !*near || point->best < (*near)->best ? point : *near;
        *far = !*far || point->best > (*far)->best ? point : *far;
    }
}

static double confidence_of(const struct series_point *point)
{
    return point->flags & (POINT_FEW | POINT_CUT | POINT_UNSTABLE | POINT_BIMODAL) ? 0.6
                                                                                   : 0.9;
}

static int report_ways(const struct between *between, struct findings *findings)
{
    static const char method[] = "ping-pong on one line, one way";
    const char *why = sonde_infer_why_no_series(between->pairs);
    const struct series_point *near = NULL, *far = NULL;

    find_ends(between->pairs, &near, &far);
    find_ends(between->sampled, &near, &far);
    if (!near)
        return sonde_infer_give_up(findings, "c2c.nearest", "ns", "%s", why) &&
                       sonde_infer_give_up(findings, "c2c.farthest", "ns", "%s", why)
                   ? 0
                   : -ENOMEM;
    return sonde_infer_find(findings, "c2c.nearest", "ns", near->best, near->low,
                            near->high, confidence_of(near), method) &&
                   sonde_infer_find(findings, "c2c.farthest", "ns", far->best, far->low,
                                    far->high, confidence_of(far), method)
               ? 0
               : -ENOMEM;
}

/* --- at the same time --- */

struct together {
    double kept, apart, least;
    size_t pairs, never;
};

static void add_together(const struct series *series, struct together *together)
{
    for (size_t i = 0; series && i < series->count; i++) {
        const struct series_point *point = &series->points[i];

        if (!point->n && !point->apart)
            continue;
        together->pairs++;
        together->never += !point->n;
        together->kept += (double)point->n;
        together->apart += (double)point->apart;
        for (size_t k = 0; point->samples && k < point->n; k++)
            together->least = fmin(together->least, point->samples[k].overlap);
    }
}

static int report_together(const struct between *between, struct findings *findings)
{
    struct together together = {.least = NAN};
    struct finding *finding;
    double share;

    add_together(between->pairs, &together);
    add_together(between->sampled, &together);
    if (!together.pairs)
        return sonde_infer_give_up(findings, "c2c.together", "ratio", "%s",
                                   sonde_infer_why_no_series(between->pairs))
                   ? 0
                   : -ENOMEM;
    share = together.kept / (together.kept + together.apart);
    finding =
        sonde_infer_find(findings, "c2c.together", "ratio", share, share, share, 0.9,
                         "start and end of both, and where they were before and "
                         "after");
    if (!finding)
        return -ENOMEM;
    sonde_infer_explain(finding,
                        "%.0f of %.0f samples; %zu of %zu pairs never; in those that "
                        "count both were at work for %.0f %% of the time at least",
                        together.kept, together.kept + together.apart, together.never,
                        together.pairs, 100 * fmax(together.least, 0.9));
    return sonde_infer_control(
               findings, share >= 0.5, "the CPUs of a pair run at the same time",
               "in most samples, for 90 % of the time", "in %.0f %%", 100 * share)
               ? 0
               : -ENOMEM;
}

/* --- groups --- */

static size_t known_pairs(const struct square *square)
{
    size_t known = 0;

    for (size_t a = 0; a < square->count; a++)
        for (size_t b = a + 1; b < square->count; b++)
            known += !isnan(square->way_ns[a * square->count + b]);
    return known;
}

/* The CPUs of the first groups, "0-5,12-17 | 6-11", as far as there is room. */
static void name_groups(const struct square *square, const struct cluster_level *level,
                        char *out, size_t size)
{
    size_t used = 0, named = 0;

    out[0] = '\0';
    for (size_t first = 0; first < square->count; first++) {
        struct cpulist cpus = {0};
        char text[64];

        for (size_t i = first; i < square->count; i++)
            if (level->group[i] == first &&
                sonde_base_cpulist_add(&cpus, square->cpus[i]))
                break;
        if (sonde_base_cpulist_count(&cpus) > 1 && used + sizeof text + 8 < size) {
            named++;
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " | " : "",
                                     sonde_base_cpulist_format(&cpus, text, sizeof text));
        }
        sonde_base_cpulist_free(&cpus);
    }
    if (named < level->groups)
        snprintf(out + used, size - used, " | ...");
}

static int report_level(const struct between *between, const struct square *square,
                        const struct cluster_level *level, size_t number,
                        struct findings *findings)
{
    size_t allowed = between->allowed > square->count ? between->allowed : square->count;
    struct finding *finding;
    char name[32], groups[256];

    snprintf(name, sizeof name, "c2c.groups%zu", number + 1);
    finding = sonde_infer_find(findings, name, "count", (double)level->groups,
                               (double)level->groups, (double)level->groups, 0.9,
                               "a jump in the ways between CPUs");
    if (!finding)
        return -ENOMEM;
    name_groups(square, level, groups, sizeof groups);
    sonde_infer_explain(finding,
                        "%zu to %zu CPUs each; up to %.0f ns within, from %.0f ns beyond"
                        "; %zu of %zu CPUs looked at: %s",
                        level->smallest, level->largest, level->near_ns, level->far_ns,
                        square->count, allowed, groups);
    return 0;
}

/* Ways belong to CPUs only where the threads were bound to them. */
static int report_open(const struct clusters *clusters, struct findings *findings)
{
    bool open = isfinite(clusters->open_near_ns) && !clusters->count;

    return sonde_infer_control(findings, !open,
                               "CPUs that are near one another form closed groups",
                               "no CPU is near to only a part of its group",
                               open ? "ways jump from %.1f to %.1f ns, yet give no "
                                      "groups: were the threads bound, is the clock "
                                      "fine enough?"
                                    : "so it is",
                               clusters->open_near_ns, clusters->open_far_ns)
               ? 0
               : -ENOMEM;
}

static int report_bound(const struct clusters *clusters, struct findings *findings)
{
    struct finding *finding;

    if (!clusters->count)
        return sonde_infer_give_up(findings, "c2c.bound", "",
                                   "no groups of CPUs stand out, so nothing in the "
                                   "matrix shows that its threads were bound")
                   ? 0
                   : -ENOMEM;
    finding = sonde_infer_find(findings, "c2c.bound", "", NAN, NAN, NAN, 0.9,
                               "groups of near CPUs that are closed");
    if (!finding)
        return -ENOMEM;
    finding->text = strdup("yes");
    sonde_infer_explain(finding, "CPUs near each other form closed groups: threads that "
                                 "wander from CPU to CPU would blur them");
    return finding->text ? 0 : -ENOMEM;
}

static int report_sample(const struct between *between, const struct square *square,
                         struct findings *findings)
{
    size_t cpus = between->allowed > square->count ? between->allowed : square->count;
    double all = (double)cpus * ((double)cpus - 1) / 2;
    double known = (double)known_pairs(square), share = known / all;
    struct finding *finding;

    if (!between->wide || share >= 1)
        return 0;
    finding = sonde_infer_find(findings, "c2c.sampled", "ratio", share, share, share, 1,
                               "pairs measured over all pairs");
    if (!finding)
        return -ENOMEM;
    sonde_infer_explain(finding,
                        "%.0f of %.0f pairs: the first CPU with all, each with the first "
                        "of its group, and those with each other",
                        known, all);
    return 0;
}

static int report_groups(const struct between *between, const struct square *square,
                         const struct clusters *clusters, struct findings *findings)
{
    bool foreign = !between->wide;
    int error = report_open(clusters, findings);

    if (!error && foreign)
        error = report_bound(clusters, findings);
    for (size_t i = 0; !error && i < clusters->count; i++) {
        const struct cluster_level *level = &clusters->levels[i];

        if (i > 0 || !foreign || !sonde_infer_siblings_doubtful(level, square->count))
            error = report_level(between, square, level, i, findings);
    }
    return error;
}

int sonde_infer_between(const struct between *between, struct findings *findings)
{
    struct clusters clusters = {.count = 0};
    struct square square;
    int error = sonde_infer_square(between, &square);
    bool ways = false;

    if (!error)
        error = report_ways(between, findings);
    if (!error && between->wide)
        error = report_together(between, findings);
    if (!error)
        error = sonde_infer_clusters(square.way_ns, square.count, &clusters);
    ways = !error;
    if (error == -EINVAL)
        error = 0; /* no way was measured, which is said already */
    if (!error && between->wide)
        error = sonde_infer_siblings(between, &square, &clusters, findings);
    else if (!error && ways)
        error = sonde_infer_siblings_guess(&clusters, square.count, findings);
    if (!error && ways)
        error = report_sample(between, &square, findings);
    if (!error && ways)
        error = report_groups(between, &square, &clusters, findings);
    sonde_infer_clusters_free(&clusters);
    sonde_infer_square_free(&square);
    return error;
}
