/* Probe `os`: what the system takes for what it does.
 *
 *   alone      the cheapest system call, a clock read without one, a page mapped and
 *              unmapped, the first touch of a page, a signal, a thread, a process, a
 * program handed on  a byte by pipe, a number by eventfd, a word by futex: by one thread
 * alone (what the calls take themselves), by two on this CPU, by two on two CPUs
 *
 * Each call is tried once before, in a process of its own: what is not allowed is said by
 * name, and the others are measured. What can fool it: see infer/os.c. */
#include "probes/teams.h"

#include "infer/os.h"
#include "kernels/system.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* There and back with a thread that was started for it. */
static const uint64_t trips = 64;

enum where { ALONE, WITH_THREAD, ON_TWO, FIRST_TOUCH };

/* Steps a sample: 50 µs to 1 ms of each, on CPUs that are free; on busy ones each waiting
 * for a sleeper may last as long as a turn of the scheduler. */
static const struct {
    const char *kernel;
    uint64_t count;
    enum where where;
} table[OS_CALLS] = {
    [OS_SYSCALL] = {"os_syscall", 512, ALONE},
    [OS_VDSO] = {"os_vdso", 2048, ALONE},
    [OS_MAP] = {"os_map", 128, ALONE},
    [OS_FAULT] = {"touch", 64, FIRST_TOUCH},
    [OS_SIGNAL] = {"os_signal", 64, ALONE},
    [OS_THREAD] = {"os_thread", 4, ALONE},
    [OS_PROCESS] = {"os_process", 1, ALONE},
    [OS_EXEC] = {"os_exec", 1, ALONE},
    [OS_PIPE_ALONE] = {"os_pipe", 64, ALONE},
    [OS_PIPE_SAME] = {"os_pipe", 64, WITH_THREAD},
    [OS_PIPE_OTHER] = {"os_pipe", 8, ON_TWO},
    [OS_EVENTFD_ALONE] = {"os_eventfd", 64, ALONE},
    [OS_EVENTFD_SAME] = {"os_eventfd", 64, WITH_THREAD},
    [OS_EVENTFD_OTHER] = {"os_eventfd", 8, ON_TWO},
    [OS_FUTEX_ALONE] = {"os_futex", 128, ALONE},
    [OS_FUTEX_SAME] = {"os_futex", 64, WITH_THREAD},
    [OS_FUTEX_OTHER] = {"os_futex", 8, ON_TWO},
};

/* In two stages, each with its own time: on busy CPUs two threads that must run at once
 * wait long for it. */
enum { HERE, THERE, STAGES };

static const char *const names[STAGES] = {"calls", "handoffs"};
static const double stage_s[STAGES] = {1.0, 0.5};

/* Why a call cannot be measured here; NULL: it can. Static texts, since the inference
 * asks for the same again. */
static const char *refusal(int error)
{
    switch (error) {
    case 0:
        return NULL;
    case -EPERM:
    case -EACCES:
        return "a call it needs is not permitted here (EPERM or EACCES): a filter or a "
               "sandbox forbids it";
    case -ENOSYS:
        return "a call it needs does not exist here (ENOSYS): an old kernel, a filter or "
               "a "
               "sandbox";
    case -EAGAIN:
    case -ENOMEM:
    case -EMFILE:
    case -ENFILE:
        return "the limits of this system leave no room for it (EAGAIN, ENOMEM, EMFILE)";
    case -ENOENT:
        return "there is no /bin/true to start";
    case -ECANCELED:
        return "whoever makes a call that it needs is ended by a signal: a filter "
               "forbids "
               "it";
    case -ETIMEDOUT:
        return "it did not end within two seconds";
    default:
        return "a call that it needs failed";
    }
}

static uint64_t role_of(enum where where)
{
    return where == WITH_THREAD ? ROLE_WITH_THREAD : ROLE_ALONE;
}

static const char *why_not(const struct probe_context *context, enum os_call call)
{
    enum where where = table[call].where;
    const struct kernel *kernel = sonde_kernel_find(table[call].kernel);

    if (where == ON_TWO && sonde_base_cpulist_count(&context->machine->allowed) < 2)
        return "needs two CPUs; one is allowed";
    if (where == FIRST_TOUCH || context->simulated)
        return NULL;
    /* Two threads do what one does with a thread of its own. */
    return refusal(sonde_kernel_system_try(kernel, where == ON_TWO ? ROLE_WITH_THREAD
                                                                   : role_of(where)));
}

static int add_touch(const struct probe_context *context, struct point *point)
{
    point->argument = context->machine->page_bytes;
    point->layout.kind = LAYOUT_BLOCK;
    point->layout.bytes = point->count * context->machine->page_bytes;
    point->layout.pages = PAGES_SMALL;
    point->layout.cold = true;
    return 0;
}

static int add_call(const struct probe_context *context, struct plan *plan,
                    enum os_call call)
{
    const char *kernel = table[call].kernel;
    struct point *point;

    if (table[call].where == ON_TWO)
        point = sonde_probe_team_point(plan, 0, kernel,
                                       sonde_probe_team(context, plan, 2), 0);
    else
        point = sonde_measure_plan_point(plan, 0, sonde_kernel_find(kernel));
    if (!point)
        return -ENOMEM;
    point->at[0] = call;
    point->label = sonde_infer_os_name(call);
    point->count = table[call].count;
    point->options = POINT_KEEP_SWITCHED;
    if (table[call].where == FIRST_TOUCH)
        return add_touch(context, point);
    if (table[call].where == ON_TWO) {
        point->argument = ROLE_SENDS;
        point->roles = true;
        return 0;
    }
    point->argument = role_of(table[call].where);
    point->layout.kind = LAYOUT_BLOCK;
    point->layout.bytes = 4096;
    point->layout.align = 4096;
    point->layout.zero = true;
    return 0;
}

static unsigned stage_of(enum os_call call)
{
    return table[call].where == ON_TWO ? THERE : HERE;
}

static int add_stage(const struct probe_context *context, struct plan *plan,
                     unsigned stage, const char **first)
{
    struct series_plan shape = {
        .name = names[stage],
        .axes = {{"call", "", "category"}},
        .axis_count = 1,
        .quantity = "time",
        .unit = "ns",
        .statistic = STATISTIC_MEDIAN,
    };
    int error = sonde_measure_plan_series(plan, &shape) < 0 ? -ENOMEM : 0;

    for (int call = 0; call < OS_CALLS && !error; call++) {
        const char *reason;

        if (stage_of((enum os_call)call) != stage)
            continue;
        reason = why_not(context, (enum os_call)call);
        *first = *first ? *first : reason;
        if (!reason)
            error = add_call(context, plan, (enum os_call)call);
    }
    return error;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    const char *first = NULL;
    int error;

    (void)so_far;
    if (stage >= STAGES)
        return 0;
    plan->budget_s = stage_s[stage];
    error = add_stage(context, plan, stage, &first);
    if (!error && stage == HERE && plan->count == 0)
        return sonde_base_fail(why, -ENOTSUP, "%s", first);
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static bool was_planned(const struct series *calls, enum os_call call)
{
    for (size_t i = 0; calls && i < calls->count; i++)
        if (calls->points[i].at[0] == call)
            return true;
    return false;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    struct os_series calls = {sonde_measure_series_find(series, names[HERE]),
                              sonde_measure_series_find(series, names[THERE])};
    const char *reasons[OS_CALLS] = {NULL};

    for (int call = 0; call < OS_CALLS; call++)
        if (!was_planned(stage_of((enum os_call)call) == HERE ? calls.here : calls.there,
                         (enum os_call)call))
            reasons[call] = why_not(context, (enum os_call)call);
    return sonde_infer_os(
        &calls, reasons,
        &(struct os_yardstick){context->scales->timer_cost_ns, (double)trips}, findings);
}

const struct probe sonde_probe_os = {
    .name = "os",
    .summary = "system calls, switches, handoffs, threads, processes, faults",
    .asks = "What does the system take for what it does?",
    .seconds = 1.5,
    .plan = plan,
    .infer = infer,
};
