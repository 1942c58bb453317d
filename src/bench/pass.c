/* In a child: all sound points are measured, and those that are compared meet.
 *
 * The files are loaded behind a gap of random size, so that code and data lie elsewhere
 * in each pass: what is luck of addresses becomes part of the spread, and of all duels of
 * a match no two are of one pass. */
#include "bench/trial.h"

#include "base/pages.h"
#include "base/random.h"
#include "bench/duel.h"
#include "bench/subject.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GAP_PAGES = 1024 };

/* A batch that takes longer is interrupted by somebody nearly always: its samples are
 * kept even so, as the outliers that they are. */
static const double often_switched_ns = 2e6;
/* A call that takes longer fills its caches for itself. */
static const double long_call_ns = 10e6;

struct visitor {
    struct pass *pass;
    uint32_t index;
    struct bench_subject subject;
    struct point point;
};

static void beat(void *self)
{
    struct visitor *visitor = self;

    visitor->pass->current = visitor->index;
    visitor->pass->trace.beat++;
}

static void beat_batch(void *self, uint64_t steps)
{
    (void)steps;
    beat(self);
}

/* Moves what is mapped from now on. */
static void leave_gap(uint64_t seed)
{
    struct random_source random;
    size_t page = sonde_base_page_bytes();

    sonde_base_random_seed(&random, seed);
    (void)mmap(NULL, (1 + sonde_base_random_below(&random, GAP_PAGES)) * page, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static int open_visitor(struct pass *pass, size_t index, struct visitor *visitor)
{
    const struct bench_point *point = &pass->bench->points[index];
    int error;

    visitor->pass = pass;
    visitor->index = (uint32_t)index;
    if (point->broken)
        return 0;
    error = sonde_bench_load(pass->bench, point, &visitor->subject);
    visitor->subject.beat = beat_batch;
    visitor->subject.self = visitor;
    visitor->point = sonde_bench_point(&visitor->subject, point->steps);
    if (point->call_ns * (double)point->steps > often_switched_ns)
        visitor->point.options |= POINT_KEEP_SWITCHED;
    return error;
}

/* --- samples --------------------------------------------------------------------------
 */

static void hand_over(struct pass *pass, const struct series *series)
{
    const struct counter_list *counters = pass->bench->options->counters;
    size_t at = 0;

    for (size_t i = 0; i < pass->bench->count; i++) {
        struct pass_point *to = &pass->points[i];
        const struct series_point *from;

        if (!to->wanted)
            continue;
        from = &series->points[at++];
        to->wrong = (from->flags & POINT_WRONG) != 0;
        to->count = (unsigned)(from->n < PASS_ROUNDS ? from->n : PASS_ROUNDS);
        for (unsigned k = 0; k < to->count; k++) {
            to->samples[k] = from->samples[k];
            to->samples[k].round +=
                pass->number * 3 * 7; /* rounds of a pass: 21 at most */
        }
        for (size_t k = 0; counters && k < counters->count; k++)
            to->events[k] = sonde_measure_counter(from, counters->events[k].name);
    }
}

static int sample_all(struct pass *pass, const struct visitor *visitors,
                      struct message *why)
{
    struct series_list list = {0};
    struct plan plan;
    int error = sonde_bench_plan_open(&plan);

    for (size_t i = 0; i < pass->bench->count && !error; i++) {
        struct point *point;

        if (!pass->points[i].wanted)
            continue;
        point = sonde_measure_plan_point(&plan, 0, &sonde_bench_calls);
        if (!point)
            return -ENOMEM;
        *point = visitors[i].point;
        point->samples = pass->points[i].wanted;
    }
    if (error || !plan.count)
        return error;
    error = sonde_bench_plan_run(pass->bench, &plan, pass->seed,
                                 pass->bench->options->counters, &list, why);
    if (!error)
        hand_over(pass, &list.rows[0]);
    return error;
}

/* --- duels ----------------------------------------------------------------------------
 */

/* Both sides work on the same words, where no set-up makes others. */
static int enter(struct meter *meter, struct visitor *visitor, uint64_t seed,
                 struct duel_side *side, struct message *why)
{
    const struct bench_point *point = &visitor->pass->bench->points[visitor->index];

    *side = (struct duel_side){.point = &visitor->point, .begin = beat, .self = visitor};
    if (visitor->subject.bytes && point->call_ns < long_call_ns)
        side->warm_steps = 1;
    return meter->ops->place(meter->self, &visitor->point, seed, &side->placement, why);
}

static double batch_ns(const struct bench_point *point)
{
    return point->call_ns * (double)point->steps;
}

static int fight(struct pass *pass, size_t index, struct visitor *visitors,
                 struct message *why)
{
    const struct bench *bench = pass->bench;
    const struct bench_match *match = &bench->matches[index];
    struct pass_match *to = &pass->matches[index];
    struct meter meter = bench->meter;
    size_t who[2] = {match->point, match->base};
    struct duel_side sides[2];
    unsigned wrong = 0;
    int error = 0;

    for (unsigned i = 0; i < 2 && !error; i++)
        error = enter(&meter, &visitors[who[i]], pass->seed ^ index, &sides[i], why);
    if (error)
        return error;
    error = sonde_bench_duel(&meter, sides,
                             sonde_bench_duel_turns(batch_ns(&bench->points[who[0]]),
                                                    batch_ns(&bench->points[who[1]])),
                             pass->number % 2, &to->duel, &wrong);
    to->fought = error == 0;
    if (error == -EBADMSG)
        pass->points[who[wrong]].wrong = true;
    return error == -EAGAIN || error == -EBADMSG ? 0 : error;
}

/* While samples are taken at all, the empty call is tried for itself, too. */
static int try_empties(struct pass *pass, struct visitor *visitors, struct message *why)
{
    pass->empties.count = 0;
    if (!pass->points[0].wanted || pass->bench->points[0].broken)
        return 0;
    beat(&visitors[0]);
    return sonde_bench_overhead_try(pass->bench, &visitors[0].point, &pass->empties, why);
}

static int fight_all(struct pass *pass, struct visitor *visitors, struct message *why)
{
    int error = 0;

    for (size_t i = 0; i < pass->bench->match_count && !error; i++) {
        const struct bench_match *match = &pass->bench->matches[i];

        if (pass->matches[i].wanted && !pass->points[match->point].wrong &&
            !pass->points[match->base].wrong)
            error = fight(pass, i, visitors, why);
    }
    return error;
}

void sonde_bench_pass(void *argument)
{
    struct pass *pass = argument;
    const struct bench *bench = pass->bench;
    struct visitor *visitors = calloc(bench->count, sizeof *visitors);
    struct message why = {{0}}, ignored = {{0}};
    int error = visitors ? 0 : -ENOMEM;

    leave_gap(pass->seed);
    /* Counters belong to a thread, and this one is new. */
    if (bench->options->counters && bench->meter.ops->count)
        bench->meter.ops->count(bench->meter.self, bench->options->counters, &ignored);
    for (size_t i = 0; i < bench->count && !error; i++)
        error = open_visitor(pass, i, &visitors[i]);
    if (!error)
        error = sample_all(pass, visitors, &why);
    if (!error)
        error = try_empties(pass, visitors, &why);
    if (!error)
        error = fight_all(pass, visitors, &why);
    if (error)
        snprintf(pass->problem, sizeof pass->problem, "%.150s",
                 why.text[0] ? why.text : strerror(-error));
    /* Everything else goes with the process. */
}
