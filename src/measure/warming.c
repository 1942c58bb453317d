/* Before samples: how many steps one takes, and that caches, translation, predictors and
 * the core itself are as they will be while it is timed.
 *
 * What can fool it: warm-ups are not looked at, and one that was interrupted leaves less
 * than it should; many visits make that rare. */
#include "measure/ring.h"
#include "measure/rounds.h"

#include <math.h>

enum {
    /* Beyond as many nodes as 1 MiB of 64-byte lines a sample is a part of the cycle, and
     * the next one goes on where it ended: a whole cycle would take so long that on a
     * busy machine few samples came through undisturbed. */
    FULL_CYCLE_NODES = 16384,
    PART_CYCLE_STEPS = 16384,
    /* Beyond as many, linking the ring in visiting order is warm-up enough. */
    WARM_NODES = 16384,
    FIRST_STEPS = 4096,
    /* Where the clock hardly moves, so many samples are enough to get going. */
    GOING_MOST = 100,
};

/* A sample is at least this long, and 1000 times the step of the timer. */
static const double sample_ns = 40e3;
/* And not much longer than this: a longer one is likely to lose its CPU on a busy
 * machine, and then nothing of it can be used. A ring of which a whole cycle takes longer
 * is walked in parts. */
static const double longest_sample_ns = 1e6;
/* How long a core is got going; in another place of a round no longer than this for each
 * byte, some hundred passes over what fits near the core. */
static const double going_s = 3e-3, going_s_per_byte = 6e-9;

/* --- batch sizing --- */

static uint64_t round_up(uint64_t steps, uint64_t unroll)
{
    return (steps + unroll - 1) / unroll * unroll;
}

static uint64_t least_steps(const struct point *point)
{
    uint64_t steps = point->subject ? 1 : FIRST_STEPS; /* whose step may take a second */

    if (point->layout.kind == LAYOUT_RING)
        steps = point->layout.nodes <= FULL_CYCLE_NODES
                    ? sonde_measure_ring_steps(&point->layout)
                    : PART_CYCLE_STEPS;
    if (point->layout.cursors)
        steps = (steps - 1) / point->layout.cursors + 1;
    return round_up(steps, point->kernel->unroll);
}

/* One try at `steps` that was not interrupted, as far as three tries give one; NaN: a
 * member of the team is not on its CPU. */
static int try_batch(struct run *run, struct task *task, struct placement *placement,
                     uint64_t steps, double *ns)
{
    struct reading reading = {.switched = true};
    int error = 0;

    *ns = INFINITY;
    for (int tries = 0; tries < 3 && reading.switched && !error; tries++) {
        error = run->meter->ops->sample(run->meter->self, task->point, placement, steps,
                                        &reading);
        if (!error && task->point->team && !reading.in_place) {
            *ns = NAN;
            break;
        }
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

        if (error || sonde_measure_overrun(run))
            return error; /* the batch stays without a size: no samples are taken */
        if (isnan(ns)) {  /* nothing is known of its time: another visit sizes it */
            task->rejected++;
            task->apart++;
            return 0;
        }
        factor = ns > 0 ? wanted_ns / ns : 8;
        if (ns > most_ns)
            steps = round_up((uint64_t)ceil((double)steps * most_ns / ns),
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

/* As many whole samples as the point wants. */
static int warm_whole(struct run *run, struct task *task, struct placement *placement)
{
    struct reading reading;
    int error = 0;

    for (unsigned i = 0; i < task->point->warm_ups && !error; i++)
        error = run->meter->ops->sample(run->meter->self, task->point, placement,
                                        task->steps, &reading);
    return error;
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
static int warm_up(struct run *run, struct task *task, struct placement *placement)
{
    const struct point *point = task->point;
    struct reading reading;

    if (point->layout.cold || point->layout.source != SOURCE_ARENA)
        return 0;
    if (point->layout.kind == LAYOUT_BLOCK && point->layout.pass)
        return warm_pass(run, task, placement);
    if (!task->steps)
        return size_batch(run, task, placement);
    if (point->warm_ups)
        return warm_whole(run, task, placement);
    if (point->layout.kind == LAYOUT_RING && point->layout.nodes > WARM_NODES)
        return 0;
    return run->meter->ops->sample(run->meter->self, point, placement,
                                   least_steps(point) < task->steps && !point->subject
                                       ? least_steps(point)
                                       : task->steps,
                                   &reading);
}

/* After a core has waited for memory it starts fewer loads a cycle, in steps of a tenth,
 * for a millisecond or two: seen on Zen 3, where 16 KiB after 32 MiB from memory gave
 * 1.7, then 1.9, then 2.1 and after 2 ms the usual 2.2 words a cycle, while short chains
 * of adds had their usual pace. A last level that others use keeps what is used again and
 * again, and takes as long to: 1 MiB gave half of its pace after one pass, and all of it
 * after a hundred. So the first of a round goes on for that long, and who is first in
 * another place. */
static double time_to_go(struct run *run, const struct layout *layout, uint64_t place)
{
    bool first = !run->going, moved = run->going_place != place;

    if (!run->quiet->strict || layout->cold || layout->source != SOURCE_ARENA)
        return 0;
    run->going = true;
    run->going_place = place;
    if (first)
        return going_s;
    return moved ? fmin(going_s, (double)layout->bytes * going_s_per_byte) : 0;
}

static int get_going(struct run *run, struct task *task, struct placement *placement,
                     double end_s)
{
    double start_s = sonde_measure_elapsed(run);
    struct reading reading;
    int error = 0;

    for (unsigned i = 0; i < GOING_MOST && !error && sonde_measure_elapsed(run) < end_s;
         i++)
        error = run->meter->ops->sample(run->meter->self, task->point, placement,
                                        task->steps, &reading);
    run->going_s += sonde_measure_elapsed(run) - start_s;
    return error;
}

int sonde_measure_warm(struct run *run, struct task *task, uint64_t place,
                       struct placement *placement)
{
    double start_s = sonde_measure_elapsed(run);
    int error = warm_up(run, task, placement);

    if (error || !task->steps)
        return error;
    return get_going(run, task, placement,
                     start_s + time_to_go(run, &task->point->layout, place));
}
