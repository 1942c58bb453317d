/* Threads bound to CPUs, started together.
 *
 * Between runs the members sleep on a condition variable (spinning would steal from what
 * is measured); a run wakes them, they meet at a spin barrier, and only then begin. What
 * can fool it: a hypervisor may run two virtual CPUs one after the other, which is why
 * start and end are logged and the overlap is offered; and a spin barrier on fewer CPUs
 * than members never ends quickly, so members yield after a while. */
#include "measure/crew.h"

#include "arch/arch.h"
#include "machine/machine.h"
#include "measure/timer.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Spins this often before yielding: some 100 µs. */
enum { SPINS = 20000, STACK_BYTES = 256 * 1024 };

struct member {
    struct crew *crew;
    size_t index;
    pthread_t thread;
    bool started;
    struct crew_report report;
};

struct crew {
    struct member *members;
    size_t size;
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    uint64_t turn; /* number of the run; guarded by lock */
    size_t busy;   /* members still at work; guarded by lock */
    bool ending;
    atomic_size_t waiting; /* at the barrier of this run */
    void (*work)(void *argument, size_t member);
    void *argument;
};

static void meet(struct crew *crew)
{
    unsigned spins = 0;

    atomic_fetch_add(&crew->waiting, 1);
    while (atomic_load_explicit(&crew->waiting, memory_order_acquire) < crew->size) {
        sonde_arch_relax();
        if (++spins > SPINS)
            sched_yield();
    }
}

static void work_once(struct member *member, bool first)
{
    struct crew *crew = member->crew;

    /* Anew each time: the set of allowed CPUs may have changed meanwhile. */
    if (first)
        member->report.bound =
            sonde_machine_pin_proven((unsigned)member->report.cpu_asked, NULL);
    else
        sonde_machine_pin((unsigned)member->report.cpu_asked);
    meet(crew);
    member->report.cpu_before = sonde_machine_current_cpu();
    member->report.start_ns = sonde_measure_raw_ns();
    crew->work(crew->argument, member->index);
    member->report.end_ns = sonde_measure_raw_ns();
    member->report.cpu_after = sonde_machine_current_cpu();
}

static void *member_main(void *argument)
{
    struct member *member = argument;
    struct crew *crew = member->crew;
    uint64_t turn = 0;

    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (!crew->ending && crew->turn == turn)
            pthread_cond_wait(&crew->wake, &crew->lock);
        if (crew->ending)
            break;
        turn = crew->turn;
        pthread_mutex_unlock(&crew->lock);
        work_once(member, turn == 1);
        pthread_mutex_lock(&crew->lock);
        if (--crew->busy == 0)
            pthread_cond_signal(&crew->done);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static size_t start_members(struct crew *crew, const struct cpulist *cpus, int *error)
{
    pthread_attr_t attributes;
    size_t failed = 0;
    int cpu = sonde_base_cpulist_next(cpus, 0);

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (size_t i = 0; i < crew->size; i++) {
        struct member *member = &crew->members[i];
        int code;

        member->crew = crew;
        member->index = i;
        member->report =
            (struct crew_report){.cpu_asked = cpu, .cpu_before = -1, .cpu_after = -1};
        code = pthread_create(&member->thread, &attributes, member_main, member);
        member->started = code == 0;
        if (code) {
            *error = code;
            failed++;
        }
        cpu = sonde_base_cpulist_next(cpus, (unsigned)cpu + 1);
    }
    pthread_attr_destroy(&attributes);
    return failed;
}

int sonde_measure_crew_open(struct crew **result, const struct cpulist *cpus,
                            struct message *why)
{
    struct crew *crew = calloc(1, sizeof *crew);
    size_t failed;
    int error = 0;

    *result = NULL;
    if (!crew)
        return sonde_base_fail(why, -ENOMEM, "out of memory for threads");
    crew->size = sonde_base_cpulist_count(cpus);
    crew->members = calloc(crew->size ? crew->size : 1, sizeof *crew->members);
    if (!crew->members || !crew->size) {
        error = crew->size ? -ENOMEM : -EINVAL;
        free(crew->members);
        free(crew);
        return sonde_base_fail(why, error, "no CPU to put a thread on");
    }
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->wake, NULL);
    pthread_cond_init(&crew->done, NULL);
    failed = start_members(crew, cpus, &error);
    if (failed) {
        size_t size = crew->size;

        sonde_measure_crew_close(crew);
        return sonde_base_fail(why, -error, "%zu of %zu threads could not be started: %s",
                               failed, size, strerror(error));
    }
    *result = crew;
    return 0;
}

size_t sonde_measure_crew_size(const struct crew *crew)
{
    return crew->size;
}

void sonde_measure_crew_run(struct crew *crew,
                            void (*work)(void *argument, size_t member), void *argument)
{
    pthread_mutex_lock(&crew->lock);
    crew->work = work;
    crew->argument = argument;
    atomic_store(&crew->waiting, 0);
    crew->busy = crew->size;
    crew->turn++;
    pthread_cond_broadcast(&crew->wake);
    while (crew->busy)
        pthread_cond_wait(&crew->done, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

const struct crew_report *sonde_measure_crew_report(const struct crew *crew,
                                                    size_t member)
{
    return member < crew->size ? &crew->members[member].report : NULL;
}

bool sonde_measure_crew_in_place(const struct crew *crew)
{
    for (size_t i = 0; i < crew->size; i++) {
        const struct crew_report *report = &crew->members[i].report;

        if (report->bound < 0 || report->cpu_before != report->cpu_asked ||
            report->cpu_after != report->cpu_asked)
            return false;
    }
    return true;
}

double sonde_measure_crew_overlap(const struct crew *crew)
{
    uint64_t last_start = 0, first_start = UINT64_MAX, first_end = UINT64_MAX,
             last_end = 0;

    for (size_t i = 0; i < crew->size; i++) {
        const struct crew_report *report = &crew->members[i].report;

        last_start = report->start_ns > last_start ? report->start_ns : last_start;
        first_start = report->start_ns < first_start ? report->start_ns : first_start;
        first_end = report->end_ns < first_end ? report->end_ns : first_end;
        last_end = report->end_ns > last_end ? report->end_ns : last_end;
    }
    if (first_end <= last_start || last_end <= first_start)
        return 0;
    return (double)(first_end - last_start) / (double)(last_end - first_start);
}

void sonde_measure_crew_close(struct crew *crew)
{
    if (!crew)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->ending = true;
    pthread_cond_broadcast(&crew->wake);
    pthread_mutex_unlock(&crew->lock);
    for (size_t i = 0; i < crew->size; i++)
        if (crew->members[i].started)
            pthread_join(crew->members[i].thread, NULL);
    pthread_cond_destroy(&crew->wake);
    pthread_cond_destroy(&crew->done);
    pthread_mutex_destroy(&crew->lock);
    free(crew->members);
    free(crew);
}
