/* A sample by several threads at once.
 *
 * The members meet at the crew's barrier, read the core's clock by a pulse, meet again,
 * and run the kernel; each takes its own start and end. The time of the sample is from
 * the last start to the last end, and how long all worked at once over how long any did
 * is the overlap: where a hypervisor runs two virtual CPUs one after the other, it is
 * small, and the sample is worthless. Members that wait for one another end together
 * whatever happens between, so each also says whether it lost its CPU meanwhile. */
#include "measure/team.h"

#include "arch/arch.h"
#include "measure/chains.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { TEAM_SPINS = 20000 };

struct member_record {
    uint64_t from, to, value;
    struct pulse before, after;
    bool switched;
    long sleeps;
};

struct team_job {
    const struct timer *timer;
    const struct point *point;
    char *base;
    uint64_t steps;
    const uint64_t *expected; /* NULL: what the reference says */
    size_t members;
    const struct crew *crew;
    atomic_bool misplaced; /* a member is not on its CPU: nobody begins */
    atomic_size_t ready;
    struct member_record *records;
};

static void wait_for_all(struct team_job *job)
{
    unsigned spins = 0;

    atomic_fetch_add(&job->ready, 1);
    while (atomic_load_explicit(&job->ready, memory_order_acquire) < job->members) {
        sonde_arch_relax();
        if (++spins > TEAM_SPINS)
            sched_yield();
    }
}

static uint64_t argument_of(const struct point *point, size_t member)
{
    return point->argument + (point->roles ? member : 0);
}

struct switches {
    long taken, given; /* the CPU from this thread, and by it to wait */
};

static struct switches switches_now(void)
{
    struct rusage usage;

    if (getrusage(RUSAGE_THREAD, &usage))
        return (struct switches){0, 0};
    return (struct switches){usage.ru_nivcsw, usage.ru_nvcsw};
}

static bool is_placed(const struct team_job *job, size_t member)
{
    const struct crew_report *report = sonde_measure_crew_report(job->crew, member);

    return report->cpu_before == report->cpu_asked;
}

static void run_member(void *argument, size_t member)
{
    struct team_job *job = argument;
    struct member_record *record = &job->records[member];
    char *data = job->base ? job->base + member * job->point->spacing : NULL;
    struct switches before, after;

    record->before = sonde_measure_pulse(job->timer);
    if (!is_placed(job, member))
        atomic_store(&job->misplaced, true);
    wait_for_all(job);
    /* Two that wait for each other on one CPU would take a thousand times as long. */
    if (atomic_load(&job->misplaced))
        return;
    before = switches_now();
    record->from = sonde_measure_timer_read(job->timer);
    record->value =
        job->point->kernel->run(data, job->steps, argument_of(job->point, member));
    record->to = sonde_measure_timer_read(job->timer);
    after = switches_now();
    record->switched = after.taken != before.taken;
    record->sleeps = after.given - before.given;
    record->after = sonde_measure_pulse(job->timer);
}

int sonde_measure_team_ready(struct team_state *state, const struct team *team)
{
    struct cpulist cpus = {0};
    int error = 0;

    if (state->crew && state->members == team->members &&
        memcmp(state->cpus, team->cpus, team->members * sizeof team->cpus[0]) == 0)
        return 0;
    sonde_measure_team_close(state);
    state->cpus = malloc(team->members * sizeof team->cpus[0]);
    if (!state->cpus)
        return -ENOMEM;
    memcpy(state->cpus, team->cpus, team->members * sizeof team->cpus[0]);
    state->members = team->members;
    for (size_t i = 0; i < team->members && !error; i++)
        error = sonde_base_cpulist_add(&cpus, team->cpus[i]);
    if (!error)
        error = sonde_measure_crew_open(&state->crew, &cpus, NULL);
    sonde_base_cpulist_free(&cpus);
    return error;
}

static uint64_t expected_of(const struct team_job *job, size_t member)
{
    if (job->expected)
        return *job->expected;
    return job->point->kernel->reference(NULL, job->steps,
                                         argument_of(job->point, member));
}

/* What the member had that had least of its core: a neighbour of one slows all who wait
 * for it, and a rate of all by its part. Members without a pulse do not count. */
static void share_of_least(const struct team_job *job, struct reading *reading)
{
    reading->share_before = reading->share_after = NAN;
    for (size_t i = 0; i < job->members; i++) {
        const struct member_record *record = &job->records[i];

        reading->share_before = fmin(reading->share_before, record->before.share);
        reading->share_after = fmin(reading->share_after, record->after.share);
    }
}

/* Ticks compare across CPUs as far as the clocks were weighed to (see warp.c). */
static void conclude(const struct team_job *job, const struct crew *crew,
                     struct reading *reading)
{
    uint64_t first_from = UINT64_MAX, last_from = 0, first_to = UINT64_MAX, last_to = 0;
    bool pooled = job->point->options & POINT_POOLED;
    uint64_t drawn = 0;
    const struct member_record *lead = &job->records[0];
    double rates = 0;

    reading->correct = true;
    for (size_t i = 0; i < job->members; i++) {
        const struct member_record *record = &job->records[i];
        double own_ns = sonde_measure_timer_between(job->timer, record->from, record->to);
        uint64_t expected = expected_of(job, i);

        first_from = record->from < first_from ? record->from : first_from;
        last_from = record->from > last_from ? record->from : last_from;
        first_to = record->to < first_to ? record->to : first_to;
        last_to = record->to > last_to ? record->to : last_to;
        drawn += record->value;
        reading->sleeps += (double)record->sleeps / (double)job->members;
        reading->switched = reading->switched || record->switched;
        if (pooled) /* as long as it would have taken for an equal share */
            own_ns *= (double)job->steps / (double)record->value;
        rates += 1 / own_ns;
        reading->fastest_ns = fmin(reading->fastest_ns, own_ns);
        reading->slowest_ns = fmax(reading->slowest_ns, own_ns);
        reading->correct = reading->correct && (pooled || record->value == expected);
    }
    if (pooled)
        reading->correct = drawn == job->point->kernel->reference(NULL, job->steps,
                                                                  job->point->argument);
    reading->ns = sonde_measure_timer_between(job->timer, last_from, last_to);
    reading->together_ns = (double)job->members / rates;
    reading->overlap = 0;
    if (first_to > last_from && last_to > first_from)
        reading->overlap =
            (double)(first_to - last_from) / (double)(last_to - first_from);
    reading->in_place = sonde_measure_crew_in_place(crew);
    reading->hz_before = lead->before.hz;
    reading->hz_after = lead->after.hz;
    share_of_least(job, reading);
}

int sonde_measure_team_sample(struct team_state *state, const struct timer *timer,
                              const struct point *point, char *base, uint64_t steps,
                              const uint64_t *expected, struct reading *reading)
{
    struct team_job job = {.timer = timer,
                           .point = point,
                           .base = base,
                           .steps = steps,
                           .expected = expected,
                           .members = point->team->members};
    int error = sonde_measure_team_ready(state, point->team);

    if (error)
        return error;
    job.records = calloc(job.members, sizeof *job.records);
    if (!job.records)
        return -ENOMEM;
    if (point->options & POINT_POOLED)
        memset(base, 0, point->layout.bytes);
    *reading = (struct reading){.fastest_ns = NAN, .slowest_ns = NAN, .load = NAN};
    job.crew = state->crew;
    sonde_measure_crew_run(state->crew, run_member, &job);
    if (atomic_load(&job.misplaced))
        reading->correct = true; /* no time, not in place: refused */
    else
        conclude(&job, state->crew, reading);
    free(job.records);
    return 0;
}

void sonde_measure_team_close(struct team_state *state)
{
    sonde_measure_crew_close(state->crew);
    free(state->cpus);
    *state = (struct team_state){0};
}
