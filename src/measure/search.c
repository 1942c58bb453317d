/* The lines of one set of a cache, where no address tells them.
 *
 *   gather   lines at one offset of random pages, one at a time: kept as long as all of
 *            them still hit
 *                set 0  ########    set 1  ########    ...    full: nothing more fits
 *   group    one line more: one set overflows and misses     ########x
 *            without one of its own it no longer does: count those whose absence helps
 *                without a line of set 1: still    without one of set 0: hits again
 *
 * Lines share the index bits below a page, so that only few sets are in play; which pages
 * share a set is what the search finds, hashed or not. Whole rings are timed, never an
 * access, and all that is compared lies within a private cache, so that the state of what
 * is shared hardly matters. Fillers on pages of their own keep the first translation
 * level overflowing from the start; its edge would look like a set's otherwise.
 *
 * What can fool it: a neighbour on the same core that uses the same sets (they then hold
 * fewer, now and then: groups disagree); a replacement that keeps most of a set that
 * overflows (the signal is weaker, by as much as hits remain). */
#include "measure/search.h"

#include "base/random.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILLERS = 176,     /* more than any first translation level holds beside some lines */
    LOOK_EVERY = 16,   /* lines, for misses that crept in */
    LINES_MOST = 1024, /* gathered at most */
    REJECTED_MOST = 96, /* in a row: then every set is full */
    REPEATS = 5,        /* orders tried of a ring; the cheapest counts */
    PAIRS_LEAST = 6,    /* of two rings that are compared */
    PAIRS_MOST = 24,
    BEGINNINGS = 4, /* to find lines that begin without an overflow */
    ROUNDS = 4,     /* times around in a sample */
};

/* One line too many makes a whole set miss: at the least as many times two second-level
 * latencies as this. (A third level costs three times a second one or more.) */
static const double misses_least = 2;
/* Without an overflow the lines cost this much of the level at most. */
static const double level_most = 1.5;

struct search_run {
    const struct search *search;
    struct meter *meter;
    const struct run_control *control;
    struct message *why;
    struct random_source random;
    double start_s;
    struct point point;
    uint64_t *pages;  /* numbers of all, shuffled for each try */
    uint64_t *places; /* of a ring: fillers, gathered lines, and one more */
    uint64_t *ring;   /* the same without one, for a comparison */
    uint64_t *rejected;
    uint64_t lines, rejected_count, next; /* gathered, rejected, page to be tried next */
    uint64_t offset;                      /* of the lines in their pages */
    struct series *groups, *held;
};

static bool out_of_time(const struct search_run *run)
{
    double now = run->meter->ops->elapsed(run->meter->self) - run->start_s;

    return now > run->control->budget_s ||
           (run->control->interrupted && *run->control->interrupted);
}

/* Nanoseconds of a cycle of the first `count` places, in one random order. */
static int one_order(struct search_run *run, const uint64_t *places, uint64_t count,
                     double *ns)
{
    const struct meter_ops *ops = run->meter->ops;
    uint64_t unroll = run->point.kernel->unroll;
    uint64_t steps = (count * ROUNDS + unroll - 1) / unroll * unroll;
    struct placement placement;
    struct reading reading = {0};
    int error;

    run->point.layout.nodes = count;
    run->point.layout.places = places;
    error = ops->place(run->meter->self, &run->point,
                       sonde_base_random_next(&run->random), &placement, run->why);
    if (!error)
        error = ops->sample(run->meter->self, &run->point, &placement, steps, &reading);
    if (!error && !reading.correct)
        error = sonde_base_fail(run->why, -EIO, "a ring of %llu lines went wrong",
                                (unsigned long long)count);
    *ns = reading.ns > 0 ? reading.ns / (double)steps * (double)count : INFINITY;
    return error;
}

/* The cheapest of some orders, since disturbance only adds. */
static int cycle_ns(struct search_run *run, const uint64_t *places, uint64_t count,
                    unsigned repeats, double *ns)
{
    int error = 0;

    *ns = INFINITY;
    for (unsigned i = 0; i < repeats && !error; i++) {
        double once;

        error = one_order(run, places, count, &once);
        *ns = fmin(*ns, once);
    }
    return error;
}

static double least_excess(const struct search_run *run)
{
    return misses_least * 2 * run->search->level_ns;
}

/* Far enough from the least to be on its side for good. */
static bool is_plain(const struct search_run *run, double excess)
{
    double least = least_excess(run);

    return excess < least / 2 || excess > 4 * least;
}

/* Two rings by turns, so that a spell of disturbance meets both: what the first, of one
 * line more, costs beyond the second. The closer the call, the longer the look. */
static int excess_ns(struct search_run *run, const uint64_t *more, const uint64_t *fewer,
                     uint64_t count, double *excess)
{
    double with = INFINITY, without = INFINITY;
    int error = 0;

    *excess = NAN;
    for (unsigned i = 0; i < PAIRS_MOST && !error; i++) {
        double once;

        if (i >= PAIRS_LEAST && is_plain(run, *excess))
            break;
        error = one_order(run, more, count + 1, &once);
        with = fmin(with, once);
        if (!error)
            error = one_order(run, fewer, count, &once);
        without = fmin(without, once);
        *excess = with - without;
    }
    return error;
}

/* --- gathering -------------------------------------------------------------------------
 */

static void shuffle(struct search_run *run)
{
    for (uint64_t i = run->search->pages; i > 1; i--) {
        uint64_t k = sonde_base_random_below(&run->random, i);
        uint64_t kept = run->pages[i - 1];

        run->pages[i - 1] = run->pages[k];
        run->pages[k] = kept;
    }
}

static uint64_t next_place(struct search_run *run)
{
    return run->pages[run->next++] * run->search->page_bytes + run->offset;
}

/* Fillers lie at all offsets but that of the lines. */
static void lay_fillers(struct search_run *run)
{
    const struct search *search = run->search;
    uint64_t lines = search->page_bytes / search->line_bytes;
    uint64_t own = run->offset / search->line_bytes;

    for (uint64_t i = 0; i < FILLERS; i++)
        run->places[i] = run->pages[run->next++] * search->page_bytes +
                         (own + 1 + i % (lines - 1)) % lines * search->line_bytes;
}

static bool clean(const struct search_run *run, double ns, uint64_t count)
{
    return ns < level_most * run->search->level_ns * (double)count;
}

/* Pages and offset are drawn anew; a few lines to begin with must not overflow a set. */
static int begin(struct search_run *run, bool *begun)
{
    const struct search *search = run->search;
    double ns = NAN;
    int error = 0;

    *begun = false;
    for (int i = 0; i < BEGINNINGS && !*begun && !error; i++) {
        shuffle(run);
        run->next = run->rejected_count = 0;
        run->offset = sonde_base_random_below(&run->random,
                                              search->page_bytes / search->line_bytes) *
                      search->line_bytes;
        lay_fillers(run);
        for (run->lines = 0; run->lines < search->first; run->lines++)
            run->places[FILLERS + run->lines] = next_place(run);
        error = cycle_ns(run, run->places, FILLERS + run->lines, REPEATS, &ns);
        *begun = clean(run, ns, FILLERS + run->lines);
    }
    return error;
}

/* Keeps the next line if all still hit. */
static int try_line(struct search_run *run, unsigned *in_a_row)
{
    uint64_t count = FILLERS + run->lines;
    double excess;
    int error;

    run->places[count] = next_place(run);
    error = excess_ns(run, run->places, run->places, count, &excess);
    if (error)
        return error;
    if (excess > least_excess(run)) {
        run->rejected[run->rejected_count++] = run->places[count];
        (*in_a_row)++;
        return 0;
    }
    run->lines++;
    *in_a_row = 0;
    return 0;
}

/* Until nothing fits any more. False: it ran out of pages or time before that, or misses
 * crept in: lines were kept that did not fit, beside a disturbance that hid it. */
static int gather(struct search_run *run, bool *full)
{
    unsigned in_a_row = 0;
    double ns = 0;
    int error = 0;

    while (!error && in_a_row < REJECTED_MOST && run->lines < LINES_MOST &&
           run->next < run->search->pages && !out_of_time(run) &&
           clean(run, ns, FILLERS + run->lines)) {
        error = try_line(run, &in_a_row);
        if (!error && !in_a_row && run->lines % LOOK_EVERY == 0)
            error = cycle_ns(run, run->places, FILLERS + run->lines, REPEATS, &ns);
    }
    *full = in_a_row >= REJECTED_MOST;
    return error;
}

/* --- groups ----------------------------------------------------------------------------
 */

/* The place of a rejected line beside all others: those without which it fits. */
static int count_group(struct search_run *run, uint64_t place, double *group)
{
    uint64_t count = FILLERS + run->lines;
    double overflow, excess;
    int error;

    *group = NAN;
    run->places[count] = place;
    error = excess_ns(run, run->places, run->places, count, &overflow);
    if (error || !(overflow > least_excess(run)))
        return error;
    *group = 0;
    for (uint64_t out = FILLERS; out < count && !error && !out_of_time(run); out++) {
        memcpy(run->ring, run->places, count * sizeof *run->ring);
        run->ring[out] = place;
        error = excess_ns(run, run->places, run->ring, count, &excess);
        *group += excess > overflow / 2;
    }
    return error;
}

static int tell(struct series *series, double first, double second, double value)
{
    struct series_point *point = sonde_measure_point_add(series);

    if (!point)
        return -ENOMEM;
    point->at[0] = first;
    point->at[1] = second;
    point->samples = calloc(1, sizeof *point->samples);
    if (!point->samples)
        return -ENOMEM;
    *point->samples = (struct sample){
        .value = value, .cycles = NAN, .share = NAN, .overlap = NAN, .fairness = NAN};
    point->n = 1;
    sonde_measure_summarise(point, series->statistic);
    return 0;
}

/* Two groups of one gathering; equal ones count for `*agreed`. */
static int tell_groups(struct search_run *run, unsigned number, double *agreed)
{
    double group[2] = {NAN, NAN};
    int error = 0;

    *agreed = NAN;
    /* The last ones rejected: every set was full by then. */
    for (unsigned i = 0; i < 2 && !error; i++)
        error = count_group(run, run->rejected[run->rejected_count - 1 - i], &group[i]);
    if (error || out_of_time(run))
        return error;
    for (unsigned i = 0; i < 2 && !error; i++)
        if (group[i] > 0)
            error = tell(run->groups, number, i, group[i]);
    if (!error)
        error = tell(run->held, number, 0, (double)run->lines);
    if (group[0] == group[1])
        *agreed = group[0];
    return error;
}

static int all_tries(struct search_run *run)
{
    const struct search *search = run->search;
    unsigned agreeing[LINES_MOST + 1] = {0};
    int error = 0;

    for (unsigned number = 0; number < search->tries && !error; number++) {
        bool begun, full = false;
        double agreed = NAN;

        error = begin(run, &begun);
        if (!error && begun)
            error = gather(run, &full);
        if (!error && full)
            error = tell_groups(run, number, &agreed);
        if (run->control->progress)
            run->control->progress(run->control->progress_self,
                                   (number + 1.0) / search->tries, NAN);
        if (agreed > 0 && ++agreeing[(size_t)agreed] >= search->agreeing)
            break;
        if (out_of_time(run))
            break;
    }
    return error;
}

static int open_run(struct search_run *run)
{
    const struct search *search = run->search;
    size_t room = FILLERS + LINES_MOST + 2;

    run->pages = malloc((size_t)search->pages * sizeof *run->pages);
    run->rejected = malloc((size_t)search->pages * sizeof *run->rejected);
    run->places = malloc(room * sizeof *run->places);
    run->ring = malloc(room * sizeof *run->ring);
    if (!run->pages || !run->rejected || !run->places || !run->ring)
        return -ENOMEM;
    for (uint64_t i = 0; i < search->pages; i++)
        run->pages[i] = i;
    run->point = (struct point){
        .kernel = sonde_kernel_find("chase"),
        .layout = {.kind = LAYOUT_RING,
                   .order = ORDER_RANDOM,
                   .pages = PAGES_HUGE,
                   .bytes = search->pages * search->page_bytes,
                   .pitch = search->page_bytes,
                   .fixed = true},
        .operations = 1,
    };
    return 0;
}

int sonde_measure_search(const struct plan *plan, struct meter *meter,
                         const struct scales *scales, const struct run_control *control,
                         double start_s, struct series *series, struct message *why)
{
    struct search_run run = {.search = &plan->search,
                             .meter = meter,
                             .control = control,
                             .why = why,
                             .start_s = start_s,
                             .groups = &series[plan->search.groups],
                             .held = &series[plan->search.held]};
    int error = 0;

    (void)scales;
    /* Fillers and the first lines need pages of their own, and lines to try. */
    if (plan->search.pages < FILLERS + plan->search.first + 2 * REJECTED_MOST)
        return 0;
    error = open_run(&run);
    sonde_base_random_seed(&run.random, control->seed);
    if (!error)
        error = all_tries(&run);
    free(run.pages);
    free(run.rejected);
    free(run.places);
    free(run.ring);
    return error;
}
