/* The harness: runs a plan on a meter under the discipline.
 *
 *   reserve memory
 *   rounds      (rounds.c) until every point has enough or the time is up
 *     a visit:  fresh placement, warm-up, a few samples between pulses
 *   deliver     what was kept, summarised
 *
 * Randomised rounds make drift and neighbours hit every point alike; fresh placements
 * make luck with pages part of the spread instead of a bias. What can fool it: a
 * disturbance that lasts longer than the whole plan, which only a second run tells. */
#include "measure/harness.h"

#include "base/random.h"
#include "measure/chains.h"
#include "measure/counting.h"
#include "measure/reading.h"
#include "measure/rounds.h"
#include "measure/search.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES_PER_VISIT = 3,
    /* Where linking the ring takes most of a visit, as of so many nodes. */
    SAMPLES_PER_LARGE_VISIT = 9,
    LARGE_NODES = 65536,
    /* So many shares of the core tell what the whole of it is. */
    SHARES_LEAST = 500,
};

/* Where a clock is so coarse that a sample takes seconds, a visit ends this long after
 * the time is up. */
static const double overrun_most_s = 1;
/* Both pulses together tell the clock to a percent or so. */
static const double law_slack = 1.03;
/* What chains far from memory show of the core, and what those around samples do: less by
 * a percent; where the first are not all of the whole core by a little more. */
static const double peak_least = 0.985, middle_least = 0.95;
/* Below this share of time together, members of a team measured something else. */
static const double overlap_least = 0.9;

bool sonde_measure_interrupted(const struct run *run)
{
    return run->control->interrupted && *run->control->interrupted;
}

double sonde_measure_elapsed(const struct run *run)
{
    return run->meter->ops->elapsed(run->meter->self) - run->start_s;
}

bool sonde_measure_overrun(const struct run *run)
{
    return sonde_measure_elapsed(run) > run->control->budget_s + overrun_most_s;
}

/* --- one sample ----------------------------------------------------------------------
 */

/* How long the sample took: of a rate by a team, what its members took on average, since
 * what the first did before the last began counts. */
static double time_of(const struct run *run, const struct task *task,
                      const struct reading *reading)
{
    bool rate = run->plan->series[task->point->series].rate;

    return rate && task->point->team ? reading->together_ns : reading->ns;
}

/* A clock chain that was interrupted shows too slow a clock, and too much is done in a
 * cycle; so does a kernel that does less than it says. */
static bool lawful(const struct run *run, const struct task *task,
                   const struct reading *reading)
{
    double hz = fmin(reading->hz_before, reading->hz_after);
    double cycles = time_of(run, task, reading) * 1e-9 * hz;
    double operations = (double)task->steps * task->point->operations;

    if (!(task->point->most_per_cycle > 0) || !run->scales->core_clock_trusted)
        return true;
    return !(operations > law_slack * task->point->most_per_cycle * cycles);
}

/* Members of a team were elsewhere, did not work at the same time, or lost their CPU. */
static bool apart(const struct task *task, const struct reading *reading)
{
    bool switched = reading->switched && !(task->point->options & POINT_KEEP_SWITCHED);

    return task->point->team &&
           (!reading->in_place || !(reading->overlap >= overlap_least) || switched);
}

static bool acceptable(const struct run *run, const struct task *task,
                       const struct reading *reading)
{
    if (!(reading->ns > 0) || apart(task, reading))
        return false;
    if (task->point->options & POINT_KEEP_SWITCHED)
        return true;
    return !reading->switched && sonde_measure_reading_steady(run->scales, reading);
}

static int keep(const struct run *run, struct task *task, const struct reading *reading,
                uint64_t steps)
{
    double operations = (double)steps * task->point->operations;
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
    *sample = sonde_measure_reading_sample(run->scales, reading,
                                           time_of(run, task, reading), operations);
    sample->round = run->round;
    if (!task->point->team) /* whose share is that of the least of its cores */
        sonde_measure_quiet_note(run->quiet, sample->share);
    if (run->plan->series[task->point->series].rate) {
        sample->value = 1e9 / sample->value;
        sample->cycles = 1 / sample->cycles;
    }
    return 0;
}

/* --- visits and rounds ---------------------------------------------------------------
 */

static unsigned samples_wanted(const struct task *task)
{
    if (task->point->options & POINT_ONE_ROUND)
        return task->point->samples;
    if (task->point->per_visit)
        return task->point->per_visit;
    return task->point->layout.nodes > LARGE_NODES ? SAMPLES_PER_LARGE_VISIT
                                                   : SAMPLES_PER_VISIT;
}

static int take_samples(struct run *run, struct task *task, struct placement *placement)
{
    unsigned wanted = samples_wanted(task), taken = 0;

    /* A disturbed machine may refuse every sample: thrice the wish bounds the tries. */
    for (unsigned tries = 0;
         taken < wanted && tries < 3 * wanted && !sonde_measure_overrun(run); tries++) {
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
        if (kept && !lawful(run, task, &reading)) {
            task->unlawful++;
            kept = false;
        }
        sonde_measure_tally_add(&task->tally, &reading,
                                (double)task->steps * task->point->operations, kept);
        if (!kept) {
            task->rejected++;
            task->apart += apart(task, &reading);
            continue;
        }
        error = keep(run, task, &reading, task->steps);
        if (error)
            return error;
        taken++;
        if (sonde_measure_interrupted(run))
            break;
    }
    return 0;
}

/* Throughputs of a round with the same footprint lie in the same place, which the first
 * of them brings near (warming.c): those that store in places of their own, since lines
 * that were written to are slower to read for a last level (seen: 56 for 79 GB/s). */
static uint64_t placement_seed(const struct run *run, size_t index)
{
    const struct point *point = run->tasks[index].point;
    bool shared = run->quiet->strict && !point->kernel->stores;
    uint64_t place = shared ? point->layout.bytes : index;
    struct random_source random =
        sonde_base_random_fork(&run->random, place * 0x10001 + run->round + 1);

    return sonde_base_random_next(&random);
}

static double worked(const struct run *run)
{
    const struct meter_ops *ops = run->meter->ops;

    return ops->worked ? ops->worked(run->meter->self) : NAN;
}

/* What a visit takes: the time that the thread worked, since what others took of its CPU
 * meanwhile says nothing of the point; but sleep may be what is measured, so that no less
 * than a part of the time that passed is charged. */
static double price(double passed_s, double worked_s)
{
    static const double least_share = 0.125;

    return fmin(passed_s,
                isnan(worked_s) ? INFINITY : fmax(worked_s, passed_s * least_share));
}

int sonde_measure_visit(struct run *run, size_t index, struct message *why)
{
    struct task *task = &run->tasks[index];
    struct placement placement;
    double start_s = sonde_measure_elapsed(run), before_s = worked(run);
    double going_s = run->going_s, passed_s;
    uint64_t seed = placement_seed(run, index);
    int error =
        run->meter->ops->place(run->meter->self, task->point, seed, &placement, why);

    if (error == -ENOMEM) {
        task->flags |= POINT_UNREACHED;
        task->done = true;
        return 0;
    }
    if (!error && task->point->count)
        task->steps = task->point->count;
    if (!error)
        error = sonde_measure_warm(run, task, seed, &placement);
    if (!error && task->steps)
        error = take_samples(run, task, &placement);
    passed_s = sonde_measure_elapsed(run) - start_s;
    task->spent_s += passed_s;
    going_s = run->going_s - going_s; /* of the round, not of the point */
    task->cost_s += fmax(price(passed_s, worked(run) - before_s) - going_s, 0);
    if (!task->visits++)
        task->first_cost_s = task->cost_s;
    if (task->flags & POINT_WRONG)
        task->done = true;
    return error;
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
        if (point->layout.advance &&
            (point->count != 1 || point->team || point->layout.kind != LAYOUT_BLOCK))
            return sonde_base_fail(why, -EINVAL,
                                   "point %zu goes on, but not by one step at a time", i);
        if (point->team && point->team->members > 1 && !point->load.turns[0].kernel &&
            point->layout.kind == LAYOUT_RING)
            return sonde_base_fail(why, -EINVAL,
                                   "point %zu is a ring for more than one thread", i);
        if (point->load.turns[0].kernel &&
            (!point->team || point->load.series >= point->series))
            return sonde_base_fail(why, -EINVAL,
                                   "point %zu has a load and no team for it", i);
        if (point->stir.kernel &&
            (point->team || point->stir.kernel->stores ||
             point->stir.steps % point->stir.kernel->unroll || !point->stir.piece ||
             point->stir.bytes < point->stir.piece ||
             point->layout.beside < point->stir.bytes))
            return sonde_base_fail(why, -EINVAL, "point %zu is stirred by what is none",
                                   i);
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

static uint64_t largest_on(const struct plan *plan, enum page_kind pages, unsigned node)
{
    const struct search *search = &plan->search;
    uint64_t largest = 0;

    if (pages == PAGES_HUGE && !node)
        largest = search->pages * search->page_bytes;
    for (size_t i = 0; i < plan->count; i++) {
        const struct layout *layout = &plan->points[i].layout;

        if (layout->pages == pages && layout->node == node &&
            layout->kind != LAYOUT_NONE && layout->source == SOURCE_ARENA &&
            !layout->views && layout->bytes + layout->beside > largest)
            largest = layout->bytes + layout->beside;
    }
    return largest;
}

static int reserve_nodes(struct run *run, bool used)
{
    for (unsigned node = 1; node <= SONDE_NODES_MAX; node++) {
        uint64_t largest = largest_on(run->plan, PAGES_HUGE, node), granted;
        int error = 0;

        if ((largest > 0) == used && run->meter->ops->reserve_on)
            error =
                run->meter->ops->reserve_on(run->meter->self, node, largest, &granted);
        if (error && error != -ENOMEM)
            return error;
    }
    return 0;
}

/* What this plan does not use is given back first: it takes of the memory that is
 * allowed. */
static int reserve(struct run *run)
{
    for (int pass = 0; pass < 2 && run->meter->ops->reserve; pass++) {
        int error = reserve_nodes(run, pass == 1);

        if (error)
            return error;
        for (int kind = 0; kind <= PAGES_HUGE; kind++) {
            uint64_t largest = largest_on(run->plan, (enum page_kind)kind, 0);

            if ((largest > 0) == (pass == 1))
                error = run->meter->ops->reserve(run->meter->self, (enum page_kind)kind,
                                                 largest, &run->granted[kind]);
            if (error && error != -ENOMEM)
                return error;
        }
    }
    return 0;
}

/* Room for more samples was doubled as they came; there will be no more. */
static void trim_samples(struct task *task)
{
    struct sample *trimmed =
        task->count ? realloc(task->samples, task->count * sizeof *trimmed) : NULL;

    task->samples = trimmed ? trimmed : task->samples;
}

static int deliver_point(const struct run *run, struct series *series, struct task *task)
{
    struct series_point *point = sonde_measure_point_add(series);

    if (!point)
        return -ENOMEM;
    memcpy(point->at, task->point->at, sizeof point->at);
    point->rejected = task->rejected;
    point->apart = task->apart;
    if (task->point->label) {
        point->label = strdup(task->point->label);
        if (!point->label)
            return -ENOMEM;
    }
    if (!task->done)
        task->flags |= POINT_CUT;
    if (!task->count && task->apart && 2 * task->apart >= task->rejected)
        task->flags |= POINT_APART;
    if (!task->point->samples && task->count < SAMPLES_LEAST)
        task->flags |= POINT_FEW;
    if (task->unlawful > task->count)
        task->flags |= POINT_UNLAWFUL;
    if (!(task->flags & POINT_WRONG)) {
        trim_samples(task);
        point->n = task->count;
        point->samples = task->samples;
        task->samples = NULL;
        sonde_measure_summarise(point, series->statistic);
    }
    point->flags |= task->flags;
    /* Where switches are the topic, so are those that a thread asks for. */
    if ((task->point->options & POINT_KEEP_SWITCHED) &&
        sonde_measure_tally_sleeps(&task->tally, point))
        return -ENOMEM;
    return sonde_measure_tally_deliver(&task->tally, run->control->counters,
                                       task->point->layout.cold, point);
}

/* What loaded memory while the point was measured, as a point of its own. */
static int deliver_load(struct series *series, const struct task *task)
{
    struct series_point *point = sonde_measure_point_add(series);

    if (!point)
        return -ENOMEM;
    memcpy(point->at, task->point->at, sizeof point->at);
    point->samples = calloc(task->count + 1, sizeof *point->samples);
    if (!point->samples)
        return -ENOMEM;
    point->n = task->count;
    for (size_t k = 0; k < task->count; k++) {
        point->samples[k] = task->samples[k];
        point->samples[k].value = task->samples[k].load;
        point->samples[k].cycles = NAN;
    }
    sonde_measure_summarise(point, series->statistic);
    return 0;
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
        memcpy(series->place_names, from->place_names, sizeof series->place_names);
        series->quantity = from->quantity;
        series->unit = from->unit;
        series->statistic = from->statistic;
        for (size_t i = 0; i < run->plan->count; i++) {
            const struct point *point = &run->plan->points[i];
            int error = 0;

            if (point->load.turns[0].kernel && point->load.series == s)
                error = deliver_load(series, &run->tasks[i]);
            if (!error && point->series == s)
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
    free(run->turns);
    free(run->order);
    free(run->quiet);
}

static bool of_throughputs(const struct plan *plan)
{
    for (size_t s = 0; s < plan->series_count; s++)
        if (plan->series[s].rate || plan->series[s].throughput)
            return true;
    return false;
}

/* A throughput with a neighbour on the core is another one, and a neighbour may stay for
 * all of a plan: there the whole share is no less than what the scales and earlier plans
 * found. An emulator's shares tell nothing. */
static void expect_share(struct run *run)
{
    const struct scales *scales = run->scales;
    const double *seen = run->control->whole_share;

    if (!of_throughputs(run->plan))
        return;
    run->quiet->strict = !scales->emulator_suspected;
    run->quiet->blur = sonde_measure_pulse_blur(scales);
    run->quiet->least = fmax(middle_least * scales->parallelism,
                             peak_least * fmax(scales->whole_share, seen ? *seen : NAN));
}

/* Of a plan with many samples; of a few the best may be an interrupted chain's. */
static void tell_share(const struct run *run)
{
    double *seen = run->control->whole_share;

    if (seen && run->quiet->seen.count >= SHARES_LEAST && run->quiet->peak)
        *seen = fmax(*seen, run->quiet->whole);
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
    run.turns = calloc(plan->count + 1, sizeof *run.turns);
    run.order = calloc(plan->count + 1, sizeof *run.order);
    run.quiet = calloc(1, sizeof *run.quiet);
    if (!run.tasks || !run.turns || !run.order || !run.quiet) {
        error =
            sonde_base_fail(why, -ENOMEM, "out of memory for %zu points", plan->count);
        goto out;
    }
    for (size_t i = 0; i < plan->count; i++)
        run.tasks[i].point = &plan->points[i];
    expect_share(&run);
    sonde_base_random_seed(&run.random, control->seed);
    error = reserve(&run);
    /* Mapping and touching memory takes as long as the system wants, once, and more of
     * it leaves no less time for samples. */
    run.start_s = meter->ops->elapsed(meter->self);
    if (!error)
        error = sonde_measure_all_rounds(&run, why);
    tell_share(&run);
    if (!error)
        error = sonde_measure_set_aside(&run);
    if (!error)
        error = deliver(&run, list);
    if (!error && plan->search.pages && !sonde_measure_interrupted(&run))
        error = sonde_measure_search(plan, meter, scales, control, run.start_s,
                                     &list->rows[list->count - plan->series_count], why);
    if (!error && sonde_measure_interrupted(&run))
        error = -EINTR;
out:
    free_run(&run);
    return error;
}
