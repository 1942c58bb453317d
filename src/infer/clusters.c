/* Groups of CPUs by the ways between them.
 *
 *   ways, sorted:   7 7 7 8 | 17 17 18 18 | 80 81 83 ...
 *                   siblings   cluster       the rest
 *
 * Wherever the sorted ways jump, CPUs joined by ways below the jump are united; the jump
 * is a level of the machine only if in each group nearly all are near to all. What can
 * fool it: threads that were not bound when a matrix was taken (ways then belong to other
 * CPUs, groups do not close, and no level is found), and rings or meshes where the way
 * grows with every hop (no jump, no level: that is the truth there). */
#include "infer/clusters.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* A jump is at least this ratio: below are the hops of a ring and noise. */
static const double jump = 1.25;
/* Share of the known pairs of a group that must be near. */
static const double closed = 0.9;
/* Share of the CPUs that must be in some group. */
static const double grouped = 0.5;

struct matrix {
    const double *way_ns;
    size_t count;
};

static double way(const struct matrix *matrix, size_t a, size_t b)
{
    double one = matrix->way_ns[a * matrix->count + b];
    double other = matrix->way_ns[b * matrix->count + a];

    return isnan(one) ? other : isnan(other) ? one : (one + other) / 2;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* All known ways, sorted; -EINVAL for one that cannot be. */
static int collect(const struct matrix *matrix, double *ways, size_t *known)
{
    *known = 0;
    for (size_t a = 0; a < matrix->count; a++)
        for (size_t b = a + 1; b < matrix->count; b++) {
            double one = matrix->way_ns[a * matrix->count + b];
            double other = matrix->way_ns[b * matrix->count + a];

            if (one <= 0 || other <= 0 || isinf(one) || isinf(other))
                return -EINVAL;
            if (!isnan(way(matrix, a, b)))
                ways[(*known)++] = way(matrix, a, b);
        }
    qsort(ways, *known, sizeof *ways, by_size);
    return *known ? 0 : -EINVAL;
}

static void unite(const struct matrix *matrix, double limit, size_t *group)
{
    bool changed = true;

    for (size_t i = 0; i < matrix->count; i++)
        group[i] = i;
    while (changed) {
        changed = false;
        for (size_t a = 0; a < matrix->count; a++)
            for (size_t b = 0; b < matrix->count; b++)
                if (a != b && way(matrix, a, b) <= limit && group[b] > group[a]) {
                    group[b] = group[a];
                    changed = true;
                }
    }
}

static bool is_closed(const struct matrix *matrix, double limit, const size_t *group)
{
    size_t near = 0, all = 0;

    for (size_t a = 0; a < matrix->count; a++)
        for (size_t b = a + 1; b < matrix->count; b++)
            if (group[a] == group[b] && !isnan(way(matrix, a, b))) {
                all++;
                near += way(matrix, a, b) <= limit;
            }
    return all && (double)near >= closed * (double)all;
}

/* Fills the sizes; false when too few CPUs are in groups, or all are in one. */
static bool measure_groups(size_t count, struct cluster_level *level)
{
    size_t members = 0;

    level->groups = level->largest = 0;
    level->smallest = count;
    for (size_t first = 0; first < count; first++) {
        size_t size = 0;

        for (size_t i = 0; i < count; i++)
            size += level->group[i] == first;
        if (size < 2)
            continue;
        level->groups++;
        members += size;
        level->smallest = size < level->smallest ? size : level->smallest;
        level->largest = size > level->largest ? size : level->largest;
    }
    return (double)members >= grouped * (double)count && level->largest < count;
}

static void note_open(double near_ns, double far_ns, struct clusters *clusters)
{
    struct cluster_level *last =
        clusters->count ? &clusters->levels[clusters->count - 1] : NULL;

    if (last && isnan(last->open_near_ns))
        last->open_near_ns = near_ns;
    if (far_ns / near_ns > clusters->open_far_ns / clusters->open_near_ns ||
        isnan(clusters->open_near_ns)) {
        clusters->open_near_ns = near_ns;
        clusters->open_far_ns = far_ns;
    }
}

/* Two levels of nothing but pairs are one, cut in two by a clock with few ticks or by one
 * slow pair: the later one has all of them. */
static void forget_part_of(const struct cluster_level *level, struct clusters *clusters)
{
    if (level->largest == 2 && clusters->count &&
        clusters->levels[clusters->count - 1].largest == 2)
        free(clusters->levels[--clusters->count].group);
}

static int try_jump(const struct matrix *matrix, double near_ns, double far_ns,
                    struct clusters *clusters)
{
    struct cluster_level level = {
        .near_ns = near_ns, .far_ns = far_ns, .open_near_ns = NAN};

    if (clusters->count == CLUSTER_LEVELS_MAX)
        return 0;
    level.group = calloc(matrix->count, sizeof *level.group);
    if (!level.group)
        return -ENOMEM;
    unite(matrix, near_ns, level.group);
    if (!is_closed(matrix, near_ns, level.group)) {
        note_open(near_ns, far_ns, clusters);
    } else if (measure_groups(matrix->count, &level)) {
        forget_part_of(&level, clusters);
        clusters->levels[clusters->count++] = level;
        return 0;
    }
    free(level.group);
    return 0;
}

int sonde_infer_clusters(const double *way_ns, size_t count, struct clusters *clusters)
{
    struct matrix matrix = {way_ns, count};
    double *ways;
    size_t known;
    int error;

    *clusters = (struct clusters){.open_near_ns = NAN, .open_far_ns = NAN};
    if (count < 2)
        return -EINVAL;
    ways = calloc(count * count, sizeof *ways);
    if (!ways)
        return -ENOMEM;
    error = collect(&matrix, ways, &known);
    for (size_t i = 0; !error && i + 1 < known; i++)
        if (ways[i + 1] > jump * ways[i])
            error = try_jump(&matrix, ways[i], ways[i + 1], clusters);
    free(ways);
    if (error)
        sonde_infer_clusters_free(clusters);
    return error;
}

void sonde_infer_clusters_free(struct clusters *clusters)
{
    for (size_t i = 0; i < clusters->count; i++)
        free(clusters->levels[i].group);
    clusters->count = 0;
}
