/* Rounds of visits: whose turn it is, and when a point has enough.
 *
 *   first round: all points, the smallest footprints first: sizes the batches and weighs
 *                what a visit costs
 *   each round:  the unfinished points whose turn it is (schedule.h), in a new random
 *                order, throughputs by size; while a neighbour is on the core, those that
 * need it alone wait until the others of the round are through after it:    who has
 * enough samples of a quiet core? is there time for another visit?
 *
 * What can fool it: a neighbour that never leaves looks like being alone (quiet.h). */
#include "measure/rounds.h"

#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES_MAX = 201,
    /* Samples of as many rounds without a neighbour on the core tell more than many with
     * one; of fewer, the luck of a placement would. Of throughputs, for which nearly all
     * of a core is not the whole, so many more. */
    ROUNDS_QUIET = 3,
    ROUNDS_QUIET_STRICT = 5,
    /* Of samples with a neighbour on the core no more than this are worth waiting for
     * others. */
    SAMPLES_TAKEN_MAX = 3 * SAMPLES_MAX,
    /* So many rounds the time is planned for: twice what a steady point needs. Twice as
     * many of throughputs, where samples are set aside most: what is small is visited
     * more often, and what is large less. */
    ROUNDS_PLANNED = 41,
    ROUNDS_PLANNED_STRICT = 82,
};

static const double point_budget_s = 2;

/* Looked at only there: peeking after every sample would be optimistic. */
static const size_t checkpoints[] = {SAMPLES_LEAST, 41, 81, 161, SAMPLES_MAX};

static enum statistic statistic_of(const struct run *run, const struct task *task)
{
    return run->plan->series[task->point->series].statistic;
}

/* What is shared with others anyway needs no quiet core, nor does a fixed number of
 * samples wait for one. */
static bool wants_quiet(const struct run *run, const struct task *task)
{
    return statistic_of(run, task) != STATISTIC_MEDIAN && !task->point->samples &&
           !(task->point->options & POINT_ANY_CORE);
}

/* The least share of a sample that nobody disturbed. */
static double enough_share(const struct run *run, const struct task *task)
{
    return task->point->team ? sonde_measure_quiet_own(task->samples, task->count)
                             : run->quiet->enough;
}

static double near_share(const struct run *run, const struct task *task)
{
    return task->point->team ? enough_share(run, task) : run->quiet->near;
}

static size_t count_enough(const struct run *run, const struct task *task)
{
    if (!wants_quiet(run, task))
        return task->count;
    return sonde_measure_quiet_count(enough_share(run, task), task->samples, task->count);
}

/* Whether the interval of what counts is narrow enough. */
static bool narrow(const struct run *run, const struct task *task, size_t count)
{
    enum statistic statistic = statistic_of(run, task);
    struct series_point point = {.n = task->count};
    double goal = statistic == STATISTIC_MEDIAN ? 0.03 : 0.01, width;

    point.samples = malloc((task->count + 1) * sizeof *point.samples);
    if (!point.samples)
        return false;
    memcpy(point.samples, task->samples, task->count * sizeof *point.samples);
    if (count < task->count)
        point.n =
            sonde_measure_quiet_keep(enough_share(run, task), point.samples, point.n);
    sonde_measure_summarise(&point, statistic);
    width = sonde_measure_half_width(&point);
    free(point.samples);
    return width < goal;
}

static bool passed_checkpoint(struct task *task, size_t count)
{
    size_t before = task->checked;

    while (task->checked < sizeof checkpoints / sizeof checkpoints[0] &&
           count >= checkpoints[task->checked])
        task->checked++;
    return task->checked > before;
}

/* The stopping rule. */
static void settle(struct run *run, struct task *task)
{
    const struct point *point = task->point;
    size_t count;

    if (task->done)
        return;
    if (point->samples) {
        task->done = task->count >= point->samples || task->visits >= 3 * ROUNDS_MIN;
        return;
    }
    count = count_enough(run, task);
    if (task->visits >= ROUNDS_MIN && passed_checkpoint(task, count) &&
        narrow(run, task, count))
        task->done = true;
    else if (count >= SAMPLES_MAX || task->count >= SAMPLES_TAKEN_MAX ||
             task->visits >= SAMPLES_MAX ||
             (task->spent_s > point_budget_s && task->visits >= ROUNDS_MIN)) {
        task->flags |= POINT_UNSTABLE;
        task->done = true;
    }
}

/* What looked like being alone may turn out not to have been, once the neighbour leaves:
 * a point that was done is open again. */
static void reconsider(const struct run *run, struct task *task)
{
    const unsigned final = POINT_WRONG | POINT_UNREACHED;

    if (!task->done || (task->flags & final) || !wants_quiet(run, task) ||
        task->count >= SAMPLES_TAKEN_MAX || task->visits >= SAMPLES_MAX ||
        count_enough(run, task) >= SAMPLES_LEAST)
        return;
    task->done = false;
    task->checked = 0;
    task->flags &= ~(unsigned)POINT_UNSTABLE;
}

static double left_s(const struct run *run)
{
    return run->control->budget_s - sonde_measure_elapsed(run);
}

/* What the next visit will take. The first one sized the batch, and may have filled the
 * memory of all. */
static double cost_of_visit(const struct task *task)
{
    return task->visits > 1
               ? (task->cost_s - task->first_cost_s) / (double)(task->visits - 1)
               : task->cost_s;
}

static void tell_turns(struct run *run)
{
    run->ahead_s = 0;
    for (size_t i = 0; i < run->plan->count; i++) {
        struct task *task = &run->tasks[i];
        struct turn *turn = &run->turns[i];

        reconsider(run, task);
        turn->open = !task->done;
        turn->cost_s = cost_of_visit(task);
        turn->weight = task->point->weight > 0 ? task->point->weight : 1;
        if (turn->open)
            run->ahead_s +=
                turn->cost_s *
                (task->visits < ROUNDS_MIN ? (double)(ROUNDS_MIN - task->visits) : 1);
    }
}

/* Done is what was spent of what will be: the rounds that all points need at least, as
 * far as the budget reaches. */
static void report_progress(const struct run *run, double round_start_s)
{
    double now = sonde_measure_elapsed(run), budget = run->control->budget_s,
           left = budget - now;

    if (!run->control->progress)
        return;
    if (run->round > 0)
        left = fmin(left, fmax(run->ahead_s - (now - round_start_s), 0));
    left = fmax(left, 0);
    run->control->progress(run->control->progress_self, now / (now + left + 1e-9), left);
}

static int by_footprint(const void *left, const void *right, void *tasks)
{
    const struct task *a = (const struct task *)tasks + *(const uint32_t *)left,
                      *b = (const struct task *)tasks + *(const uint32_t *)right;
    uint64_t bytes_a = a->point->layout.bytes, bytes_b = b->point->layout.bytes;

    if (bytes_a != bytes_b)
        return bytes_a < bytes_b ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Lists who joins, in the order of the round. The first is in order of size, so that a
 * short budget loses the largest points and not some of all sizes. So are all rounds of
 * throughputs, with equals in random order: after it waited for memory a core takes
 * milliseconds until it gives its full pace (get_going). */
static size_t line_up(struct run *run)
{
    size_t count = run->plan->count, joined = 0;
    unsigned all = run->quiet->strict ? ROUNDS_PLANNED_STRICT : ROUNDS_PLANNED;
    double planned =
        (double)(run->round < all - ROUNDS_MIN ? all - run->round : ROUNDS_MIN);

    sonde_measure_schedule_round(run->turns, count, left_s(run) / planned);
    for (size_t i = 0; i < count; i++)
        if (run->turns[i].joins)
            run->order[joined++] = (uint32_t)i;
    if (run->round > 0)
        sonde_base_random_shuffle(&run->random, run->order, joined);
    for (size_t i = 0; i < joined; i++)
        run->tasks[run->order[i]].rank = (unsigned)i;
    if (run->round == 0 || run->quiet->strict)
        qsort_r(run->order, joined, sizeof *run->order, by_footprint, run->tasks);
    run->going = false;
    return joined;
}

/* Visits those that are next in line until one stops the run; while a neighbour is on the
 * core, those that need it alone are put off: they gather at the front of the line. How
 * many were put off. */
static size_t visit_line(struct run *run, size_t count, bool put_off, double start_s,
                         int *error, struct message *why)
{
    size_t waiting = 0;

    for (size_t i = 0; i < count && !*error && !run->stopped; i++) {
        uint32_t next = run->order[i];

        if (put_off && wants_quiet(run, &run->tasks[next]) &&
            !sonde_measure_quiet_now(run->quiet)) {
            run->order[i] = run->order[waiting];
            run->order[waiting++] = next;
            continue;
        }
        *error = sonde_measure_visit(run, next, why);
        report_progress(run, start_s);
        run->stopped = sonde_measure_interrupted(run) || left_s(run) < 0;
    }
    return waiting;
}

static int one_round(struct run *run, struct message *why)
{
    size_t joined = line_up(run), waiting;
    double start_s = sonde_measure_elapsed(run);
    int error = 0;

    waiting = visit_line(run, joined, true, start_s, &error, why);
    visit_line(run, waiting, false, start_s, &error, why);
    if (!error)
        sonde_measure_quiet_update(run->quiet);
    for (size_t i = 0; i < joined; i++)
        settle(run, &run->tasks[run->order[i]]);
    run->round++;
    return error;
}

int sonde_measure_all_rounds(struct run *run, struct message *why)
{
    int error = 0;

    tell_turns(run);
    while (!error && !run->stopped) {
        double least = sonde_measure_schedule_cheapest(run->turns, run->plan->count);

        if (!isfinite(least) || least * 0.9 > left_s(run))
            break;
        error = one_round(run, why);
        tell_turns(run);
    }
    return error;
}

/* --- what counts in the end */

/* Samples with a neighbour on the core are set aside and counted. Where those with the
 * whole core are of few rounds, it is chance that it looked whole, and those that had
 * most of it count. Where few had nearly all of it the point is labelled. */
static int set_shared_aside(struct run *run, struct task *task)
{
    size_t rounds = run->quiet->strict ? ROUNDS_QUIET_STRICT : ROUNDS_QUIET, kept;
    double most;

    if (count_enough(run, task) == task->count)
        return 0;
    if (sonde_measure_quiet_rounds(near_share(run, task), task->samples, task->count) <
        ROUNDS_QUIET)
        task->flags |= POINT_SHARED;
    most = sonde_measure_quiet_most(enough_share(run, task), task->samples, task->count,
                                    rounds, SAMPLES_LEAST);
    if (isnan(most))
        return -ENOMEM;
    kept = sonde_measure_quiet_keep(most, task->samples, task->count);
    task->rejected += task->count - kept;
    task->count = kept;
    return 0;
}

int sonde_measure_set_aside(struct run *run)
{
    int error = 0;

    for (size_t i = 0; i < run->plan->count && !error; i++)
        error = set_shared_aside(run, &run->tasks[i]);
    return error;
}
