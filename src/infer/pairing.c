/* A sample of pairs, by group.
 *
 *   row of the first:   0  9 25 25 | 90 90 90 90 | 90 ...     near: 0 to 3
 *   so, elsewhere:                   4  5  6  7 |  8 ...      each with the 4, the 8, ...
 *
 * Machines are numbered regularly: what lies near the first CPU, as distances in the
 * list, is tiled over the rest of the list (neighbours in a row as well as siblings half
 * the list away). That is a guess, and each CPU is then measured against the first of its
 * tile, so a wrong guess shows as a CPU that is in no group. A hundred thousand pairs
 * become a few thousand. What can fool it: parts whose kinds of core are grouped in
 * different ways; their CPUs are measured against a stranger and stay alone. */
#include "infer/pairing.h"

#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LEVELS_MOST = 2, TRIES_MOST = 6, APART_TRIES = 4, THREADS_MOST = 8 };

/* As for groups: below are the hops of a ring and noise. */
static const double jump = 1.25;

int sonde_infer_pairing_add(struct pairing *pairing, size_t one, size_t other)
{
    if (one == other)
        return 0;
    if (pairing->count == pairing->capacity) {
        size_t capacity = pairing->capacity ? 2 * pairing->capacity : 64;
        struct pair *grown = realloc(pairing->pairs, capacity * sizeof *grown);

        if (!grown)
            return -ENOMEM;
        pairing->pairs = grown;
        pairing->capacity = capacity;
    }
    pairing->pairs[pairing->count++] =
        one < other ? (struct pair){one, other} : (struct pair){other, one};
    return 0;
}

static int in_order(const void *left, const void *right)
{
    const struct pair *x = left, *y = right;

    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

void sonde_infer_pairing_finish(struct pairing *pairing)
{
    size_t kept = 0;

    if (!pairing->count)
        return;
    qsort(pairing->pairs, pairing->count, sizeof *pairing->pairs, in_order);
    for (size_t i = 0; i < pairing->count; i++)
        if (!kept || in_order(&pairing->pairs[i], &pairing->pairs[kept - 1]))
            pairing->pairs[kept++] = pairing->pairs[i];
    pairing->count = kept;
}

void sonde_infer_pairing_free(struct pairing *pairing)
{
    free(pairing->pairs);
    *pairing = (struct pairing){0};
}

/* --- tiles --- */

/* The largest ways below the first jumps of a row, from near to far. */
static size_t find_levels(const double *row, size_t count, double near_ns[LEVELS_MOST])
{
    double *sorted = malloc((count + 1) * sizeof *sorted);
    size_t known = 0, levels = 0;

    if (!sorted)
        return 0;
    for (size_t i = 1; i < count; i++)
        if (row[i] > 0)
            sorted[known++] = row[i];
    sonde_measure_sort(sorted, known);
    for (size_t i = 0; i + 1 < known && levels < LEVELS_MOST; i++)
        if (sorted[i + 1] > jump * sorted[i])
            near_ns[levels++] = sorted[i];
    free(sorted);
    return levels;
}

/* leader[i]: the first CPU of the tile of i. */
static void tile(const double *row, size_t count, double near_ns, size_t *leader)
{
    for (size_t i = 0; i < count; i++)
        leader[i] = count;
    for (size_t first = 0; first < count; first++) {
        if (leader[first] < count)
            continue;
        leader[first] = first;
        for (size_t i = 1; first + i < count; i++)
            if (row[i] <= near_ns && leader[first + i] == count)
                leader[first + i] = first;
    }
}

/* Up to `most` of the leaders, evenly spread, into `chosen`; how many. */
static size_t choose(const size_t *leader, size_t count, size_t most, size_t *chosen)
{
    size_t leaders = 0, met = 0, taken = 0;

    for (size_t i = 0; i < count; i++)
        leaders += leader[i] == i;
    most = most < leaders ? most : leaders;
    for (size_t i = 0; i < count && taken < most; i++)
        if (leader[i] == i &&
            met++ == (most > 1 ? taken * (leaders - 1) / (most - 1) : 0))
            chosen[taken++] = i;
    return taken;
}

static int add_members(const size_t *leader, size_t count, struct pairing *pairing)
{
    int error = 0;

    for (size_t i = 0; i < count && !error; i++)
        if (leader[i] != 0)
            error = sonde_infer_pairing_add(pairing, leader[i], i);
    return error;
}

static int add_leaders(const size_t *leader, size_t count, struct pairing *pairing)
{
    size_t chosen[PAIRING_LEADERS_MOST];
    size_t taken = choose(leader, count, PAIRING_LEADERS_MOST, chosen);
    int error = 0;

    for (size_t i = 0; i < taken; i++)
        for (size_t k = i + 1; k < taken && !error; k++)
            if (chosen[i] != 0)
                error = sonde_infer_pairing_add(pairing, chosen[i], chosen[k]);
    return error;
}

int sonde_infer_pairing_by_group(const double *row, size_t count, struct pairing *pairing)
{
    double near_ns[LEVELS_MOST];
    size_t levels = find_levels(row, count, near_ns);
    size_t *leader = calloc(count + 1, sizeof *leader);
    int error = leader ? 0 : -ENOMEM;

    /* Each its own: an even spread, whatever the row says of groups. */
    for (size_t i = 0; i < count && !error; i++)
        leader[i] = i;
    if (!error)
        error = add_leaders(leader, count, pairing);
    for (size_t level = 0; level < levels && !error; level++) {
        tile(row, count, near_ns[level], leader);
        error = add_members(leader, count, pairing);
    }
    if (!error)
        error = add_leaders(leader, count, pairing);
    free(leader);
    sonde_infer_pairing_finish(pairing);
    return error;
}

/* --- what to try by contention --- */

/* Pairs as near as the nearest of the first CPU, where those may be threads of a core. */
static int add_near(const double *row, size_t count, size_t *leader,
                    struct pairing *pairing)
{
    double near_ns[LEVELS_MOST];
    size_t chosen[TRIES_MOST], taken, members = 0;
    int error = 0;

    if (!find_levels(row, count, near_ns))
        return 0;
    tile(row, count, near_ns[0], leader);
    for (size_t i = 0; i < count; i++)
        members += leader[i] == 0;
    if (members > THREADS_MOST)
        return 0;
    taken = choose(leader, count, TRIES_MOST, chosen);
    for (size_t k = 0; k < taken; k++)
        for (size_t i = chosen[k] + 1; i < count && !error; i++)
            if (leader[i] == chosen[k]) {
                error = sonde_infer_pairing_add(pairing, chosen[k], i);
                break;
            }
    return error;
}

static int add_declared(const struct pairing *declared, struct pairing *pairing)
{
    size_t most = declared->count < TRIES_MOST ? declared->count : TRIES_MOST;
    int error = 0;

    for (size_t k = 0; k < most && !error; k++) {
        const struct pair *pair = &declared->pairs[k * declared->count / most];

        error = sonde_infer_pairing_add(pairing, pair->a, pair->b);
    }
    return error;
}

int sonde_infer_pairing_to_try(const double *row, size_t count,
                               const struct pairing *declared, struct pairing *pairing)
{
    size_t *leader = calloc(count + 1, sizeof *leader);
    int error = leader ? add_near(row, count, leader, pairing) : -ENOMEM;

    free(leader);
    if (!error)
        error = add_declared(declared, pairing);
    for (size_t k = 1; k <= APART_TRIES && !error && count > 1; k++)
        error = sonde_infer_pairing_add(pairing, 0, k * (count - 1) / APART_TRIES);
    sonde_infer_pairing_finish(pairing);
    return error;
}
