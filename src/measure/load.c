/* A kernel on one CPU while the others load memory.
 *
 *   member 0     pulse | waits for a turn of each | kernel ......... | stop | pulse
 *   the others         turn pause turn pause turn pause turn pause turn
 *                                                 |<- counted here ->|
 *
 * What the loads moved is counted by them, turn by turn, on lines of their own, and read
 * by the first member right before and right after its kernel: a load that lost its CPU
 * meanwhile shows as less load, not as more latency for nothing. A load that did no turn
 * at all within the sample was not at work, and the sample is refused as one of a team
 * that did not work together. What can fool it: turns are counted whole, so one turn of
 * each load may be missing or too much; a sample holds hundreds. */
#include "measure/load.h"

#include "arch/arch.h"
#include "measure/chains.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SPINS = 20000, LINE = 128 };

/* Alone on its line, and on the line that is fetched beside it. */
struct counter {
    _Alignas(LINE) atomic_uint_fast64_t bytes;
};

struct job {
    const struct timer *timer;
    const struct point *point;
    char *start, *stretches;
    uint64_t steps, value, from, to, moved, first_at;
    size_t members, idle; /* loads that did nothing meanwhile */
    atomic_bool stop;
    struct counter *counters;
    uint64_t *before;
    atomic_uint_fast64_t at; /* where the second member's stretch is to go on */
    struct pulse pulse_before, pulse_after;
};

static uint64_t turn_bytes(const struct load_turn *turn)
{
    const struct kernel *kernel = turn->kernel;

    return turn->steps / kernel->unroll * (kernel->bytes_read + kernel->bytes_written);
}

static uint64_t count_of(const struct job *job, size_t member)
{
    return atomic_load_explicit(&job->counters[member].bytes, memory_order_relaxed);
}

static void wait_for_loads(const struct job *job)
{
    unsigned spins = 0;

    for (size_t i = 1; i < job->members; i++)
        while (count_of(job, i) == 0) {
            sonde_arch_relax();
            if (++spins > SPINS)
                sched_yield();
        }
}

static void lead(struct job *job)
{
    job->pulse_before = sonde_measure_pulse(job->timer);
    wait_for_loads(job);
    for (size_t i = 1; i < job->members; i++)
        job->before[i] = count_of(job, i);
    job->from = sonde_measure_timer_read(job->timer);
    job->value = job->point->kernel->run(job->start, job->steps, job->point->argument);
    job->to = sonde_measure_timer_read(job->timer);
    for (size_t i = 1; i < job->members; i++) {
        uint64_t moved = count_of(job, i) - job->before[i];

        job->idle += moved == 0;
        job->moved += moved;
    }
    atomic_store(&job->stop, true);
    job->pulse_after = sonde_measure_pulse(job->timer);
}

static void load(struct job *job, size_t member)
{
    const struct load *load = &job->point->load;
    char *stretch = job->stretches + (member - 1) * load->bytes;
    uint64_t at = job->first_at, bytes = 0;

    for (size_t i = 0; !atomic_load_explicit(&job->stop, memory_order_relaxed); i++) {
        const struct load_turn *turn = &load->turns[i % 2];

        if (!turn->kernel)
            continue;
        turn->kernel->run(stretch + at, turn->steps, turn->argument);
        bytes += turn_bytes(turn);
        atomic_store_explicit(&job->counters[member].bytes, bytes, memory_order_relaxed);
        at = at + 2 * load->piece > load->bytes ? 0 : at + load->piece;
        if (load->pause_steps)
            load->pause->run(NULL, load->pause_steps, 1);
    }
    if (member == 1)
        atomic_store(&job->at, at);
}

static void run_member(void *argument, size_t member)
{
    if (member == 0)
        lead(argument);
    else
        load(argument, member);
}

static void conclude(const struct job *job, const struct crew *crew, uint64_t expected,
                     struct reading *reading)
{
    double ns = sonde_measure_timer_between(job->timer, job->from, job->to);

    *reading = (struct reading){
        .sleeps = NAN,
        .ns = ns,
        .hz_before = job->pulse_before.hz,
        .hz_after = job->pulse_after.hz,
        .share_before = job->pulse_before.share,
        .share_after = job->pulse_after.share,
        .overlap = job->idle ? 0 : 1,
        .in_place = sonde_measure_crew_in_place(crew),
        .fastest_ns = NAN,
        .slowest_ns = NAN,
        .together_ns = ns,
        .load = ns > 0 ? (double)job->moved * 1e9 / ns : NAN,
        .correct = job->value == expected,
    };
}

int sonde_measure_load_sample(struct team_state *state, const struct timer *timer,
                              const struct point *point, char *start, char *stretches,
                              uint64_t steps, uint64_t expected, struct reading *reading)
{
    size_t members = point->team->members;
    struct job job = {.timer = timer,
                      .point = point,
                      .start = start,
                      .stretches = stretches,
                      .steps = steps,
                      .members = members};
    int error = sonde_measure_team_ready(state, point->team);

    if (error)
        return error;
    job.first_at = state->load_at < point->load.bytes - point->load.piece
                       ? state->load_at / point->load.piece * point->load.piece
                       : 0;
    job.counters = aligned_alloc(LINE, members * sizeof *job.counters);
    job.before = calloc(members, sizeof *job.before);
    if (!job.counters || !job.before) {
        error = -ENOMEM;
        goto out;
    }
    for (size_t i = 0; i < members; i++)
        atomic_init(&job.counters[i].bytes, 0);
    sonde_measure_crew_run(state->crew, run_member, &job);
    state->load_at = atomic_load(&job.at);
    conclude(&job, state->crew, expected, reading);
out:
    free(job.counters);
    free(job.before);
    return error;
}
