/* Who is compared with whom, and when it is decided.
 *
 * Every pass adds one duel to each match. All matches get as many duels as a point gets
 * samples; those that are undecided then get as many again, up to a bound. What can fool
 * it: looking after each set is a little optimistic, the more so the more sets there are;
 * that is why a difference below 1 % is never called one, and why an interval must stay
 * away from 1 by a margin. */
#include "bench/bench.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The point of kernel `name` with the same mode and parameters; 0, which is the empty
 * kernel's: none. */
static size_t counterpart(const struct bench *bench, size_t of, const char *name)
{
    const struct bench_point *point = &bench->points[of];

    for (size_t i = 1; name && i < bench->count; i++) {
        const struct bench_point *other = &bench->points[i];

        if (strcmp(other->kernel->name, name) == 0 && other->mode == point->mode &&
            strcmp(other->label, point->label) == 0)
            return i;
    }
    return 0;
}

static int add_match(struct bench *bench, size_t point, size_t base, bool control)
{
    struct bench_match *grown =
        realloc(bench->matches, (bench->match_count + 1) * sizeof *grown);

    if (!grown)
        return -ENOMEM;
    bench->matches = grown;
    grown[bench->match_count++] =
        (struct bench_match){.point = point, .base = base, .control = control};
    return 0;
}

int sonde_bench_match_all(struct bench *bench)
{
    const struct bench_options *options = bench->options;
    int error = 0;

    for (size_t i = 1; i < bench->count && !error; i++) {
        size_t base = counterpart(bench, i, options->baseline),
               control = counterpart(bench, i, options->control);

        if (base && base != i)
            error = add_match(bench, i, base, false);
        /* The control must be equal to the baseline, where there is one. */
        if (!error && control && control != i && (!options->baseline || base == i))
            error = add_match(bench, control, i, true);
    }
    return error;
}

void sonde_bench_match_free(struct bench *bench)
{
    for (size_t i = 0; i < bench->match_count; i++)
        free(bench->matches[i].duels);
    free(bench->matches);
    bench->matches = NULL;
    bench->match_count = 0;
}

static bool sound(const struct bench *bench, const struct bench_match *match)
{
    return !bench->points[match->point].broken && !bench->points[match->base].broken;
}

double sonde_bench_fence_ns(const struct bench *bench)
{
    double ns = bench->options->alone ? bench->points[0].figures.median : 0;

    return ns > 0 ? ns : 0;
}

static struct bench_comparison compare(const struct bench *bench,
                                       const struct bench_match *match)
{
    return sonde_bench_compare(match->duels, match->count, sonde_bench_fence_ns(bench));
}

/* A full set is a multiple of the samples asked for; between sets nobody looks. */
static bool undecided(const struct bench *bench, const struct bench_match *match)
{
    size_t set = bench->options->samples;

    return match->count < set || match->count % set ||
           compare(bench, match).verdict == BENCH_INCONCLUSIVE;
}

bool sonde_bench_match_wants(const struct bench *bench, const struct bench_match *match)
{
    return sound(bench, match) && match->count < bench->target && undecided(bench, match);
}

bool sonde_bench_match_open(const struct bench *bench)
{
    for (size_t i = 0; i < bench->match_count; i++)
        if (sound(bench, &bench->matches[i]) && undecided(bench, &bench->matches[i]))
            return true;
    return false;
}

void sonde_bench_match_conclude(struct bench *bench)
{
    for (size_t i = 0; i < bench->match_count; i++) {
        const struct bench_match *match = &bench->matches[i];

        if (!sound(bench, match))
            continue;
        if (match->control)
            bench->points[match->base].control = compare(bench, match);
        else
            bench->points[match->point].against = compare(bench, match);
    }
}

const struct bench_match *sonde_bench_match_of(const struct bench *bench,
                                               const struct bench_point *point)
{
    for (size_t i = 0; i < bench->match_count; i++)
        if (!bench->matches[i].control &&
            &bench->points[bench->matches[i].point] == point)
            return &bench->matches[i];
    return NULL;
}
