/* The harness: runs a plan on a meter under the discipline.
 *
 *   reserve memory
 *   each round:  all unfinished points, in a new random order
 *     a visit:   fresh placement, warm-up, a few samples between pulses
 *   after a round: who has enough? is there time for another round?
 *
 * Randomised rounds make drift and neighbours hit every point alike; fresh placements
 * make luck with pages part of the spread instead of a bias. What can fool it: a
 * disturbance that lasts longer than the whole plan, which only a second run tells. */
#include "measure/harness.h"

#include "base/random.h"
#include "measure/counting.h"
#include "measure/ring.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES_PER_VISIT = 3,
    ROUNDS_MIN = 7,
    SAMPLES_MAX = 201,
    /* Beyond as many nodes as 4 MiB of 64-byte lines a sample is a part of the cycle: a
     * whole one would take a second, and the next sample goes on where this one ended. */
    FULL_CYCLE_NODES = 65536,
    PART_CYCLE_STEPS = 16384,
    /* Beyond as many, linking the ring in visiting order is warm-up enough. */
    WARM_NODES = 16384,
    FIRST_STEPS = 4096,
    /* So many samples without a neighbour on the core tell more than many with one. */
    SAMPLES_QUIET = 3,
    /* A rate is what the core can do: it waits, as long as there is time, for so many
     * samples with the whole core. */
    SAMPLES_QUIET_RATE = 7,
};

/* A sample is at least this long, and 1000 times the step of the timer. */
static const double sample_ns = 40e3;
/* And not much longer than this: a longer one is likely to lose its CPU on a busy
 * machine, and then nothing of it can be used. A ring of which a whole cycle takes longer
 * is walked in parts. */
static const double longest_sample_ns = 1e6;
static const double clock_moved = 0.02;
static const double point_budget_s = 2;
/* Of the best share of the core seen in the run; a neighbour takes a third or more of it.
 */
static const double share_least = 0.9;
/* Below this share of time together, members of a team measured something else. */
static const double overlap_least = 0.9;

/* Looked at only there: peeking after every sample would be optimistic. */
static const size_t checkpoints[] = {21, 41, 81, 161, SAMPLES_MAX};

struct task {
    const struct point *point;
    struct sample *samples;
    size_t count, capacity, rejected, visits;
    struct tally tally;
    uint64_t steps; /* per sample; 0: not sized yet */
    double spent_s;
    unsigned flags;
    bool done;
};

struct run {
    const struct plan *plan;
    struct meter *meter;
    const struct scales *scales;
    const struct run_control *control;
    struct task *tasks;
    uint32_t *order;
    struct random_source random;
    double start_s, round_s;
    double best_share; /* of the core, so far; NaN: not known */
    uint64_t granted[PAGES_HUGE + 1];
    uint32_t round;
    bool stopped;
};

static bool interrupted(const struct run *run)
{
    return run->control->interrupted && *run->control->interrupted;
}

static double elapsed(const struct run *run)
{
    return run->meter->ops->elapsed(run->meter->self) - run->start_s;
}

/* --- one sample ----------------------------------------------------------------------
 */

static bool clock_steady(const struct run *run, const struct reading *reading)
{
    double mean = (reading->hz_before + reading->hz_after) / 2;

    if (!run->scales->core_clock_trusted || !(mean > 0))
        return true; /* without a core clock there is nothing to hold it against */
    return fabs(reading->hz_before - reading->hz_after) <= clock_moved * mean;
}

static bool acceptable(const struct run *run, const struct task *task,
                       const struct reading *reading)
{
    if (!(reading->ns > 0))
        return false;
    if (task->point->team && (!reading->in_place || reading->overlap < overlap_least))
        return false;
    if (task->point->options & POINT_KEEP_SWITCHED)
        return true;
    return !reading->switched && clock_steady(run, reading);
}

static int keep(const struct run *run, struct task *task, const struct reading *reading,
                uint64_t steps)
{
    double operations = (double)steps * task->point->operations;
    double hz = (reading->hz_before + reading->hz_after) / 2;
    struct sample *sample;

    if (task->count == task->capacity) {
        size_t capacity = task->capacity ? 2 * task->capacity : 32;
        struct sample *grown = realloc(task->samples, capacity * sizeof *grown);

        if (!grown)
            return -ENOMEM;
        task->samples = grown;
        task->capacity = capacity;
    }
    sample = &task->samples[task->count++];
    sample->value = reading->ns / operations;
    sample->round = run->round;
    sample->cycles = NAN;
    sample->share = fmin(reading->share_before, reading->share_after);
    sample->overlap = reading->overlap;
    sample->fairness = reading->fastest_ns / reading->slowest_ns;
    if (run->scales->core_clock_trusted && hz > 0)
        sample->cycles = reading->ns * 1e-9 * hz / operations;
    if (run->plan->series[task->point->series].rate) {
        sample->value = 1e9 / sample->value;
        sample->cycles = 1 / sample->cycles;
    }
    return 0;
}

/* --- batch sizing --------------------------------------------------------------------
 */

static uint64_t round_up(uint64_t steps, uint64_t unroll)
{
    return (steps + unroll - 1) / unroll * unroll;
}

static uint64_t least_steps(const struct point *point)
{
    uint64_t steps = FIRST_STEPS;

    if (point->layout.kind == LAYOUT_RING)
        steps = point->layout.nodes <= FULL_CYCLE_NODES
                    ? sonde_measure_ring_steps(&point->layout)
                    : PART_CYCLE_STEPS;
    return round_up(steps, point->kernel->unroll);
}

/* One try at `steps` that was not interrupted, as far as three tries give one. */
static int try_batch(struct run *run, struct task *task, struct placement *placement,
                     uint64_t steps, double *ns)
{
    struct reading reading = {.switched = true};
    int error = 0;

    *ns = INFINITY;
    for (int tries = 0; tries < 3 && reading.switched && !error; tries++) {
        error = run->meter->ops->sample(run->meter->self, task->point, placement, steps,
                                        &reading);
        *ns = fmin(*ns, reading.ns);
    }
    return error;
}

/* A sample shorter than a pass is an even part of it, or the end of the pass would never
 * be met. */
static uint64_t part_of_pass(const struct point *point, uint64_t steps)
{
    uint64_t pass = point->layout.pass, unroll = point->kernel->unroll;

    if (point->layout.kind != LAYOUT_BLOCK || steps >= pass)
        return steps;
    return pass / (pass / steps) / unroll * unroll;
}

/* Sizes the batch: long enough for the clock, short enough to escape the scheduler; what
 * runs meanwhile is the warm-up. */
static int size_batch(struct run *run, struct task *task, struct placement *placement)
{
    double step_ns = run->scales->timer_step_ns;
    double wanted_ns = step_ns * 1000 > sample_ns ? step_ns * 1000 : sample_ns;
    double most_ns = wanted_ns > longest_sample_ns ? wanted_ns : longest_sample_ns;
    uint64_t steps = least_steps(task->point);
    double factor = 2;

    for (int tries = 0; tries < 24 && factor > 1; tries++) {
        double ns;
        int error = try_batch(run, task, placement, steps, &ns);

        if (error)
            return error;
        factor = ns > 0 ? wanted_ns / ns : 8;
        if (ns > most_ns)
            steps = round_up((uint64_t)((double)steps * most_ns / ns),
                             task->point->kernel->unroll);
        if (factor <= 1)
            break;
        /* Never more than eightfold at once: the first try may have been interrupted. */
        factor = factor > 8 ? 8 : factor * 1.1;
        steps = round_up((uint64_t)((double)steps * factor), task->point->kernel->unroll);
    }
    task->steps = part_of_pass(task->point, steps);
    return 0;
}

/* A pass, or the end of it, leaves the caches as passes leave them. */
static int warm_pass(struct run *run, struct task *task, struct placement *placement)
{
    const struct layout *layout = &task->point->layout;
    uint64_t steps =
        layout->warm && layout->warm < layout->pass ? layout->warm : layout->pass;
    struct reading reading;
    int error;

    placement->position = layout->pass - steps;
    error = run->meter->ops->sample(run->meter->self, task->point, placement, steps,
                                    &reading);
    placement->position = 0;
    if (!error && !task->steps)
        error = size_batch(run, task, placement);
    return error;
}

/* Walks once more than the proof did, by the kernel itself, so that translation,
 * predictors and prefetchers are as they will be while timed. */
static int warm(struct run *run, struct task *task, struct placement *placement)
{
    const struct point *point = task->point;
    struct reading reading;

    if (point->layout.cold)
        return 0;
    if (point->layout.kind == LAYOUT_BLOCK && point->layout.pass)
        return warm_pass(run, task, placement);
    if (!task->steps)
        return size_batch(run, task, placement);
    if (point->layout.kind == LAYOUT_RING && point->layout.nodes > WARM_NODES)
        return 0;
    return run->meter->ops->sample(
        run->meter->self, point, placement,
        least_steps(point) < task->steps ? least_steps(point) : task->steps, &reading);
}

/* --- visits and rounds ---------------------------------------------------------------
 */

static unsigned samples_wanted(const struct task *task)
{
    if (task->point->options & POINT_ONE_ROUND)
        return task->point->samples;
    return SAMPLES_PER_VISIT;
}

static int take_samples(struct run *run, struct task *task, struct placement *placement)
{
    unsigned wanted = samples_wanted(task), taken = 0;

    /* A disturbed machine may refuse every sample: thrice the wish bounds the tries. */
    for (unsigned tries = 0; taken < wanted && tries < 3 * wanted; tries++) {
        bool kept;
        struct reading reading = {0};
        int error = run->meter->ops->sample(run->meter->self, task->point, placement,
                                            task->steps, &reading);

        if (error)
            return error;
        if (!reading.correct) {
            task->flags |= POINT_WRONG;
            return 0;
        }
        kept = acceptable(run, task, &reading);
        sonde_measure_tally_add(&task->tally, &reading,
                                (double)task->steps * task->point->operations, kept);
        if (!kept) {
            task->rejected++;
            continue;
        }
        error = keep(run, task, &reading, task->steps);
        if (error)
            return error;
        taken++;
        if (interrupted(run))
            break;
    }
    return 0;
}

static uint64_t placement_seed(const struct run *run, size_t index)
{
    struct random_source random =
        sonde_base_random_fork(&run->random, index * 0x10001 + run->round + 1);

    return sonde_base_random_next(&random);
}

static int visit(struct run *run, size_t index, struct message *why)
{
    struct task *task = &run->tasks[index];
    struct placement placement;
    double start_s = elapsed(run);
    int error = run->meter->ops->place(run->meter->self, task->point,
                                       placement_seed(run, index), &placement, why);

    if (error == -ENOMEM) {
        task->flags |= POINT_UNREACHED;
        task->done = true;
        return 0;
    }
    if (!error && task->point->count)
        task->steps = task->point->count;
    if (!error)
        error = warm(run, task, &placement);
    if (!error)
        error = take_samples(run, task, &placement);
    task->visits++;
    task->spent_s += elapsed(run) - start_s;
    if (task->flags & POINT_WRONG)
        task->done = true;
    return error;
}

static double half_width_goal(const struct run *run, const struct task *task)
{
    return run->plan->series[task->point->series].statistic == STATISTIC_MEDIAN ? 0.03
                                                                                : 0.01;
}

static double half_width(const struct run *run, const struct task *task)
{
    struct series_point point = {.n = task->count, .samples = task->samples};

    sonde_measure_summarise(&point, run->plan->series[task->point->series].statistic);
    return sonde_measure_half_width(&point);
}

static bool passed_checkpoint(const struct task *task)
{
    size_t before =
        task->count - (task->count < SAMPLES_PER_VISIT ? task->count : SAMPLES_PER_VISIT);

    for (size_t i = 0; i < sizeof checkpoints / sizeof checkpoints[0]; i++)
        if (before < checkpoints[i] && task->count >= checkpoints[i])
            return true;
    return false;
}

/* The high decile of what share of the core any sample had. */
static double best_share(const struct run *run)
{
    size_t total = 0, known = 0;
    double *shares, best;

    for (size_t i = 0; i < run->plan->count; i++)
        total += run->tasks[i].count;
    shares = malloc((total + 1) * sizeof *shares);
    if (!shares)
        return NAN;
    for (size_t i = 0; i < run->plan->count; i++)
        for (size_t k = 0; k < run->tasks[i].count; k++)
            if (run->tasks[i].samples[k].share > 0)
                shares[known++] = run->tasks[i].samples[k].share;
    sonde_measure_sort(shares, known);
    best = sonde_measure_quantile(shares, known, 0.9);
    free(shares);
    return best;
}

static size_t quiet_samples(const struct task *task, double best)
{
    size_t quiet = 0;

    for (size_t k = 0; k < task->count; k++)
        quiet += task->samples[k].share >= share_least * best;
    return quiet;
}

/* Rates go on while a neighbour has had part of the core in (nearly) all samples. */
static bool waits_for_core(const struct run *run, const struct task *task)
{
    return run->plan->series[task->point->series].rate && run->best_share > 0 &&
           quiet_samples(task, run->best_share) < SAMPLES_QUIET_RATE;
}

/* The stopping rule. */
static void settle(struct run *run, struct task *task)
{
    const struct point *point = task->point;

    if (task->done)
        return;
    if (point->samples) {
        task->done = task->count >= point->samples || task->visits >= 3 * ROUNDS_MIN;
        return;
    }
    if (task->visits >= ROUNDS_MIN && passed_checkpoint(task) &&
        half_width(run, task) < half_width_goal(run, task))
        task->done = !waits_for_core(run, task);
    else if (task->count >= SAMPLES_MAX || task->visits >= SAMPLES_MAX ||
             (task->spent_s > point_budget_s && task->visits >= ROUNDS_MIN)) {
        task->flags |= POINT_UNSTABLE;
        task->done = true;
    }
}

static size_t list_open(struct run *run)
{
    size_t open = 0;

    for (size_t i = 0; i < run->plan->count; i++)
        if (!run->tasks[i].done)
            run->order[open++] = (uint32_t)i;
    return open;
}

/* Until ROUNDS_MIN rounds are through, all of them count; then the time budget does. */
static void report_progress(const struct run *run, size_t place, size_t open)
{
    double budget = run->control->budget_s, now = elapsed(run), done, left;
    double part = open ? (double)place / (double)open : 1;
    double total = run->round_s > 0 ? run->round_s * ROUNDS_MIN : NAN;

    if (!run->control->progress)
        return;
    if (run->round >= ROUNDS_MIN || !(total < budget))
        total = budget;
    if (run->round < ROUNDS_MIN)
        done = (run->round + part) / ROUNDS_MIN;
    else
        done = 1;
    left = total - now;
    if (now / total > done)
        done = now / total;
    run->control->progress(run->control->progress_self, done > 1 ? 1 : done,
                           left > 0 ? left : 0);
}

static bool out_of_time(const struct run *run, double ahead_s)
{
    return elapsed(run) + ahead_s > run->control->budget_s;
}

static int one_round(struct run *run, struct message *why)
{
    size_t open = list_open(run);
    double start_s = elapsed(run);

    sonde_base_random_shuffle(&run->random, run->order, open);
    for (size_t i = 0; i < open; i++) {
        int error = visit(run, run->order[i], why);

        if (error)
            return error;
        report_progress(run, i, open);
        if (interrupted(run) || out_of_time(run, 0)) {
            run->stopped = true;
            break;
        }
    }
    run->best_share = best_share(run);
    for (size_t i = 0; i < open; i++)
        settle(run, &run->tasks[run->order[i]]);
    run->round_s = elapsed(run) - start_s;
    run->round++;
    return 0;
}

static int all_rounds(struct run *run, struct message *why)
{
    while (!run->stopped && list_open(run)) {
        int error = one_round(run, why);

        if (error)
            return error;
        /* A round that cannot end in time is not begun; half a round would favour some
         * points over others. */
        if (out_of_time(run, run->round_s * 0.9))
            run->stopped = true;
    }
    return 0;
}

/* --- before and after ----------------------------------------------------------------
 */

static int check_plan(const struct plan *plan, struct message *why)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];

        if (!point->kernel || point->series >= plan->series_count ||
            !(point->operations > 0))
            return sonde_base_fail(why, -EINVAL, "point %zu of the plan is malformed", i);
        if (point->count % point->kernel->unroll)
            return sonde_base_fail(why, -EINVAL,
                                   "%llu steps are no multiple of the %u of kernel %s",
                                   (unsigned long long)point->count,
                                   point->kernel->unroll, point->kernel->name);
        if (point->layout.pass % point->kernel->unroll ||
            point->layout.warm % point->kernel->unroll)
            return sonde_base_fail(why, -EINVAL,
                                   "a pass of %llu steps, or %llu to warm up, is no "
                                   "multiple of the %u of kernel %s",
                                   (unsigned long long)point->layout.pass,
                                   (unsigned long long)point->layout.warm,
                                   point->kernel->unroll, point->kernel->name);
        if ((point->options & POINT_ONE_ROUND) && !point->samples)
            return sonde_base_fail(why, -EINVAL,
                                   "point %zu wants one round of no samples", i);
    }
    return 0;
}

static int reserve(struct run *run)
{
    for (int kind = 0; kind <= PAGES_HUGE; kind++) {
        uint64_t largest = 0;
        int error;

        for (size_t i = 0; i < run->plan->count; i++) {
            const struct layout *layout = &run->plan->points[i].layout;

            if ((int)layout->pages == kind && layout->kind != LAYOUT_NONE &&
                layout->bytes > largest)
                largest = layout->bytes;
        }
        if (!run->meter->ops->reserve)
            continue;
        error = run->meter->ops->reserve(run->meter->self, (enum page_kind)kind, largest,
                                         &run->granted[kind]);
        if (error && error != -ENOMEM)
            return error;
    }
    return 0;
}

/* A neighbour on the same physical core shares its private caches as well as its ports:
 * of what belongs to this core, only samples with (nearly) the whole core to themselves
 * count, as long as there are enough of them. The others are set aside and counted. */
static void set_shared_aside(struct task *task, double best)
{
    size_t quiet = quiet_samples(task, best), kept = 0;

    if (quiet < SAMPLES_QUIET || quiet == task->count)
        return;
    for (size_t k = 0; k < task->count; k++)
        if (task->samples[k].share >= share_least * best)
            task->samples[kept++] = task->samples[k];
    task->rejected += task->count - kept;
    task->count = kept;
}

static void set_all_shared_aside(struct run *run)
{
    double best = run->best_share;

    for (size_t i = 0; i < run->plan->count; i++) {
        struct task *task = &run->tasks[i];

        if (best > 0 && !task->point->samples &&
            run->plan->series[task->point->series].statistic != STATISTIC_MEDIAN)
            set_shared_aside(task, best);
    }
}

static int deliver_point(const struct run *run, struct series *series, struct task *task)
{
    struct series_point *point = sonde_measure_point_add(series);

    if (!point)
        return -ENOMEM;
    memcpy(point->at, task->point->at, sizeof point->at);
    point->rejected = task->rejected;
    if (task->point->label) {
        point->label = strdup(task->point->label);
        if (!point->label)
            return -ENOMEM;
    }
    if (!task->done)
        task->flags |= POINT_CUT;
    if (task->point->team && !task->count && task->rejected)
        task->flags |= POINT_APART;
    if (!task->point->samples && task->count < checkpoints[0])
        task->flags |= POINT_FEW;
    if (!(task->flags & POINT_WRONG)) {
        point->n = task->count;
        point->samples = task->samples;
        task->samples = NULL;
        sonde_measure_summarise(point, series->statistic);
    }
    point->flags |= task->flags;
    return sonde_measure_tally_deliver(&task->tally, run->control->counters,
                                       task->point->layout.cold, point);
}

static int deliver(const struct run *run, struct series_list *list)
{
    for (size_t s = 0; s < run->plan->series_count; s++) {
        const struct series_plan *from = &run->plan->series[s];
        struct series *series = sonde_measure_series_add(list, from->name);

        if (!series)
            return -ENOMEM;
        memcpy(series->axes, from->axes, sizeof series->axes);
        series->axis_count = from->axis_count;
        series->quantity = from->quantity;
        series->unit = from->unit;
        series->statistic = from->statistic;
        for (size_t i = 0; i < run->plan->count; i++) {
            int error = 0;

            if (run->plan->points[i].series == s)
                error = deliver_point(run, series, &run->tasks[i]);
            if (error)
                return error;
        }
    }
    return 0;
}

static void free_run(struct run *run)
{
    for (size_t i = 0; run->tasks && i < run->plan->count; i++)
        free(run->tasks[i].samples);
    free(run->tasks);
    free(run->order);
}

int sonde_measure_run(const struct plan *plan, struct meter *meter,
                      const struct scales *scales, const struct run_control *control,
                      struct series_list *list, struct message *why)
{
    struct run run = {.plan = plan, .meter = meter, .scales = scales, .control = control};
    int error = check_plan(plan, why);

    if (error)
        return error;
    run.tasks = calloc(plan->count + 1, sizeof *run.tasks);
    run.order = calloc(plan->count + 1, sizeof *run.order);
    if (!run.tasks || !run.order) {
        error =
            sonde_base_fail(why, -ENOMEM, "out of memory for %zu points", plan->count);
        goto out;
    }
    for (size_t i = 0; i < plan->count; i++)
        run.tasks[i].point = &plan->points[i];
    sonde_base_random_seed(&run.random, control->seed);
    run.start_s = meter->ops->elapsed(meter->self);
    error = reserve(&run);
    if (!error)
        error = all_rounds(&run, why);
    if (!error) {
        set_all_shared_aside(&run);
        error = deliver(&run, list);
    }
    if (!error && interrupted(&run))
        error = -EINTR;
out:
    free_run(&run);
    return error;
}
