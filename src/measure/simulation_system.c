/* What the system of a planted machine takes.
 *
 * Each call costs what is planted, and each of the system calls in it `intercept_ns`
 * more: a tracer or a sandbox that looks at every one. A handoff there and back is four
 * calls, and two switches on one CPU or two wakings on two. */
#include "measure/simulation_system.h"

#include "kernels/system.h"

#include <math.h>
#include <string.h>

static double handoff(const struct sim_model *model, const struct point *point,
                      double calls)
{
    double ns = calls * (model->system.syscall_ns + model->system.intercept_ns);

    if (point->team)
        return ns + 2 * model->system.wake_ns;
    if (point->argument == ROLE_WITH_THREAD)
        return ns + 2 * model->system.switch_ns +
               model->system.thread_ns / (double)(point->count ? point->count : 1);
    return ns;
}

double sonde_measure_simulation_system(const struct sim_model *model,
                                       const struct point *point)
{
    const char *name = point->kernel->name;
    const struct {
        const char *name;
        double ns, calls;
    } rows[] = {
        {"os_syscall", model->system.syscall_ns, 1},
        {"os_vdso", model->system.vdso_ns, 0},
        {"os_map", model->system.map_ns, 2},
        {"os_signal", model->system.signal_ns, 3},
        {"os_thread", model->system.thread_ns, 6},
        {"os_process", model->system.process_ns, 3},
        {"os_exec", model->system.exec_ns, 20},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].ns + rows[i].calls * model->system.intercept_ns;
    if (strcmp(name, "os_pipe") == 0 || strcmp(name, "os_eventfd") == 0)
        return handoff(model, point, 4);
    return strcmp(name, "os_futex") == 0 ? handoff(model, point, 2) : NAN;
}
