/* What the system takes for what it does.
 *
 *   there and back, by two     |-give-|~~switch~~|-take-|-give-|~~switch~~|-take-|
 *   there and back, alone      |-give-|-take-|-give-|-take-|
 *   a switch = half of the difference
 *
 * The median is the figure, since all this is shared with whoever else runs; the 90th
 * percentile beside it is of samples, each of which is some of them in a row. Where a
 * handoff's own calls take more than half of it, what is left is too uncertain to be
 * called a switch.
 *
 * What takes more than ten times what is usual is out of the ordinary: something stands
 * between this program and the kernel (a tracer, a sandbox that answers calls itself), or
 * the host does part of the work. The figure stays, since it is what programs get here.
 *
 * What can fool it: what is usual is a figure of machines of the last ten years, and a
 * slow one may take three times as long; thus the factor of ten. */
#include "infer/os.h"

#include "infer/figures.h"

#include "base/text.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Of what a handoff takes, its own calls may be so much. */
static const double overhead_most = 0.5;
static const double unusual_factor = 10;
/* Above this share of a system call the clock is read by one. */
static const double vdso_share = 0.5;
/* Beyond it from one end of the interval to the other nothing is known. */
static const double widest_interval = 10;
/* Fewer samples give no 90th percentile. */
enum { SAMPLES_LEAST = 10 };

/* What is usual, to a factor of two or so: x86 servers with mitigations on, in virtual
 * machines; one way for handoffs. */
static const struct {
    const char *name;
    double usual_ns;
    double ways; /* of which the point is one measurement */
} table[OS_CALLS] = {
    [OS_SYSCALL] = {"syscall", 300, 1},
    [OS_VDSO] = {"vdso", 50, 1},
    [OS_MAP] = {"map", 2000, 1},
    [OS_FAULT] = {"fault", 1000, 1},
    [OS_SIGNAL] = {"signal", 2000, 1},
    [OS_THREAD] = {"thread", 30e3, 1},
    [OS_PROCESS] = {"process", 200e3, 1},
    [OS_EXEC] = {"exec", 1e6, 1},
    [OS_PIPE_ALONE] = {"pipe.alone", 1000, 2},
    [OS_PIPE_SAME] = {"pipe.same", 3000, 2},
    [OS_PIPE_OTHER] = {"pipe.other", 6000, 2},
    [OS_EVENTFD_ALONE] = {"eventfd.alone", 1000, 2},
    [OS_EVENTFD_SAME] = {"eventfd.same", 3000, 2},
    [OS_EVENTFD_OTHER] = {"eventfd.other", 6000, 2},
    [OS_FUTEX_ALONE] = {"futex.alone", 500, 2},
    [OS_FUTEX_SAME] = {"futex.same", 3000, 2},
    [OS_FUTEX_OTHER] = {"futex.other", 6000, 2},
};

const char *sonde_infer_os_name(enum os_call call)
{
    return table[call].name;
}

static const struct series_point *find_in(const struct series *series, enum os_call call)
{
    for (size_t i = 0; series && i < series->count; i++)
        if (series->points[i].at[0] == call)
            return &series->points[i];
    return NULL;
}

static const struct series_point *find(const struct os_series *calls, enum os_call call)
{
    const struct series_point *here = find_in(calls->here, call);

    return here ? here : find_in(calls->there, call);
}

static const struct series_point *measured(const struct os_series *calls,
                                           enum os_call call)
{
    const struct series_point *point = find(calls, call);

    return point && point->n && point->best > 0 && !(point->flags & POINT_WRONG) ? point
                                                                                 : NULL;
}

static bool is_steady(const struct series_point *point)
{
    return point->high <= widest_interval * point->low;
}

static double cost_of(const struct os_series *calls, enum os_call call)
{
    const struct series_point *point = measured(calls, call);

    return point && is_steady(point) ? point->best / table[call].ways : NAN;
}

static const char *reason_for(const struct os_series *calls, enum os_call call)
{
    const struct series_point *point = find(calls, call);

    if (point && point->flags & POINT_WRONG)
        return "a call failed while it was timed";
    if (measured(calls, call))
        return "the machine was too disturbed: the interval is wider than a factor of "
               "ten";
    return sonde_infer_why_no_figures(point);
}

/* --- one call ----------------------------------------------------------------------- */

static bool is_unusual(double ns, enum os_call call)
{
    return ns > unusual_factor * table[call].usual_ns;
}

static int report_p90(const struct series_point *point, enum os_call call,
                      struct findings *findings)
{
    double *values = point->samples ? malloc(point->n * sizeof *values) : NULL;
    struct interval interval;
    struct finding *finding;
    char name[48];
    double p90;

    if (!values)
        return point->samples ? -ENOMEM : 0;
    for (size_t i = 0; i < point->n; i++)
        values[i] = point->samples[i].value / table[call].ways;
    sonde_measure_sort(values, point->n);
    p90 = sonde_measure_quantile(values, point->n, 0.9);
    interval = sonde_measure_quantile_interval(values, point->n, 0.9, 2.576);
    free(values);
    snprintf(name, sizeof name, "os.%s.p90", table[call].name);
    finding =
        sonde_infer_find(findings, name, "ns", p90, fmin(interval.low, p90),
                         fmax(interval.high, p90), 0.8, "90th percentile of the samples");
    return finding ? 0 : -ENOMEM;
}

static int report_call(const struct os_series *calls, enum os_call call,
                       const char *why_not, struct findings *findings)
{
    const struct series_point *point = measured(calls, call);
    double ns = cost_of(calls, call), ways = table[call].ways;
    struct finding *finding;
    char name[48];

    snprintf(name, sizeof name, "os.%s", table[call].name);
    if (isnan(ns))
        return sonde_infer_give_up(findings, name, "ns", "%s",
                                   why_not ? why_not : reason_for(calls, call))
                   ? 0
                   : -ENOMEM;
    finding = sonde_infer_find(findings, name, "ns", ns, point->low / ways,
                               point->high / ways, 0.9, "median of the samples");
    if (!finding)
        return -ENOMEM;
    if (is_unusual(ns, call))
        sonde_infer_explain(finding, "out of the ordinary: %.0f times the usual %.0f ns",
                            ns / table[call].usual_ns, table[call].usual_ns);
    else if (call == OS_VDSO && ns > vdso_share * cost_of(calls, OS_SYSCALL))
        sonde_infer_explain(finding, "the clock is read by a system call: its source "
                                     "cannot be read by programs");
    return point->n >= SAMPLES_LEAST ? report_p90(point, call, findings) : 0;
}

/* --- switches ----------------------------------------------------------------------- */

static int report_switch(const struct os_series *calls, enum os_call handoff,
                         const char *name, double started_ns, struct findings *findings)
{
    const struct series_point *point = measured(calls, handoff);
    double one_way = cost_of(calls, handoff) - started_ns / table[handoff].ways;
    double own = cost_of(calls, OS_PIPE_ALONE);
    double width;

    if (!point || isnan(own) || isnan(one_way))
        return sonde_infer_give_up(
                   findings, name, "ns",
                   "the handoff, or its calls alone, have no figure: %s",
                   reason_for(calls, point && isnan(own) ? OS_PIPE_ALONE : handoff))
                   ? 0
                   : -ENOMEM;
    if (own > overhead_most * one_way)
        return sonde_infer_give_up(findings, name, "ns",
                                   "the calls of a handoff (%.0f ns) take more than half "
                                   "of it (%.0f ns)",
                                   own, one_way)
                   ? 0
                   : -ENOMEM;
    width = (point->high - point->low) / table[handoff].ways;
    if (width > one_way - own)
        return sonde_infer_give_up(findings, name, "ns",
                                   "the CPUs were too busy: the interval of the handoff "
                                   "is wider than the switch")
                   ? 0
                   : -ENOMEM;
    return sonde_infer_find(findings, name, "ns", one_way - own,
                            fmax(0, one_way - own - width), one_way - own + width, 0.8,
                            "a handoff by pipe, less its own calls")
               ? 0
               : -ENOMEM;
}

/* --- all ---------------------------------------------------------------------------- */

static int report_unusual(const struct os_series *calls, struct findings *findings)
{
    struct text names = {0};
    struct finding *finding;
    unsigned count = 0, seen = 0;

    for (int call = 0; call < OS_CALLS; call++) {
        double ns = cost_of(calls, (enum os_call)call);

        seen += !isnan(ns);
        if (!is_unusual(ns, (enum os_call)call))
            continue;
        count++;
        sonde_base_text_print(&names, "%s%s (%.0f times)", names.length ? ", " : "",
                              table[call].name, ns / table[call].usual_ns);
    }
    if (!seen)
        return 0;
    finding = sonde_infer_find(findings, "os.unusual", "count", count, count, count, 0.8,
                               "calls that take more than ten times what is usual");
    if (finding && count && names.data)
        sonde_infer_explain(finding,
                            "out of the ordinary: %s; a tracer, a sandbox or the host "
                            "does part of the work, or others keep the CPUs busy",
                            names.data);
    sonde_base_text_free(&names);
    return finding ? 0 : -ENOMEM;
}

static int control_usual(const struct os_series *calls, struct findings *findings)
{
    double ns = cost_of(calls, OS_SYSCALL);

    if (isnan(ns))
        return 0;
    return sonde_infer_control(
               findings, !is_unusual(ns, OS_SYSCALL), "the cheapest system call",
               "answered by the kernel itself, below 3000 ns", "%.0f ns", ns)
               ? 0
               : -ENOMEM;
}

static int control_vdso(const struct os_series *calls, struct findings *findings)
{
    double syscall = cost_of(calls, OS_SYSCALL), vdso = cost_of(calls, OS_VDSO);

    if (isnan(vdso / syscall))
        return 0;
    return sonde_infer_control(findings, vdso < syscall * 1.5,
                               "a clock read without the kernel against a system call",
                               "no dearer", "%.2f times", vdso / syscall)
               ? 0
               : -ENOMEM;
}

/* Who sleeps and is woken does all that one thread alone does, and more. */
static int control_handoffs(const struct os_series *calls, struct findings *findings)
{
    static const enum os_call handoffs[][2] = {{OS_PIPE_ALONE, OS_PIPE_SAME},
                                               {OS_EVENTFD_ALONE, OS_EVENTFD_SAME},
                                               {OS_FUTEX_ALONE, OS_FUTEX_SAME}};
    double least = INFINITY;

    for (size_t i = 0; i < sizeof handoffs / sizeof handoffs[0]; i++) {
        double ratio = cost_of(calls, handoffs[i][1]) / cost_of(calls, handoffs[i][0]);

        least = isnan(ratio) ? least : fmin(least, ratio);
    }
    if (isinf(least))
        return 0;
    return sonde_infer_control(findings, least > 1, "a handoff against its calls alone",
                               "dearer", "%.2f times at least", least)
               ? 0
               : -ENOMEM;
}

int sonde_infer_os(const struct os_series *calls, const char *const why_not[OS_CALLS],
                   double trips, struct findings *findings)
{
    double started_ns = cost_of(calls, OS_THREAD) / trips;
    int error = 0;

    for (int call = 0; call < OS_CALLS && !error; call++)
        error = report_call(calls, (enum os_call)call, why_not[call], findings);
    if (!error)
        error = report_switch(calls, OS_PIPE_SAME, "os.switch.same",
                              isnan(started_ns) ? 0 : started_ns, findings);
    if (!error)
        error = report_switch(calls, OS_PIPE_OTHER, "os.switch.other", 0, findings);
    if (!error)
        error = report_unusual(calls, findings);
    if (!error)
        error = control_usual(calls, findings);
    if (!error)
        error = control_vdso(calls, findings);
    return error ? error : control_handoffs(calls, findings);
}
