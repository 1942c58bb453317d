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
 * What is out of the ordinary is told by what else was measured here, not by what other
 * machines take:
 *
 *   a system call    over 100 reads of the clock, or over three page faults, which
 *                    enter the kernel too and fill a page: each call makes a detour
 *   a clock read     over half of a system call: it is one
 *   a page fault     over 40 system calls
 *   all else         over ten times what it usually is of a trip into the kernel, the
 *                    dearer of a system call and a page fault
 *
 * Then something stands between this program and the kernel (a tracer, a sandbox that
 * answers calls itself), or the host does part of the work. The figure stays, since it is
 * what programs get here.
 *
 * What can fool it: a clock that costs the host's help to read makes calls look cheap (it
 * is then said of the clock); a system on which everything is slow alike, clock and all,
 * is a slow machine and nothing else. */
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
/* Sleeps a wait: below it a handoff is no tale of sleeping and waking. */
static const double asleep_least = 0.9;
/* A system call is 4 to 50 reads of the clock, with all mitigations on. */
static const double clock_reads_most = 100;
/* A page fault is half of a system call to five. */
static const double fault_calls_most = 40, call_faults_most = 3;
/* Above this share of a system call the clock is read by one. */
static const double vdso_share = 0.5;
/* Beyond it from one end of the interval to the other nothing is known. */
static const double widest_interval = 10;
/* Fewer samples give no 90th percentile. */
enum { SAMPLES_LEAST = 10 };

/* `trips`: what it usually is of a trip into the kernel, to a factor of two or so (x86
 * servers, virtual or not); 0: it is held against something else. One way for handoffs.
 */
static const struct {
    const char *name;
    double trips;
    double ways; /* of which the point is one measurement */
} table[OS_CALLS] = {
    [OS_SYSCALL] = {"syscall", 0, 1},
    [OS_VDSO] = {"vdso", 0, 1},
    [OS_MAP] = {"map", 3, 1},
    [OS_FAULT] = {"fault", 0, 1},
    [OS_SIGNAL] = {"signal", 3, 1},
    [OS_THREAD] = {"thread", 50, 1},
    [OS_PROCESS] = {"process", 300, 1},
    [OS_EXEC] = {"exec", 1500, 1},
    [OS_PIPE_ALONE] = {"pipe.alone", 2, 2},
    [OS_PIPE_SAME] = {"pipe.same", 5, 2},
    [OS_PIPE_OTHER] = {"pipe.other", 15, 2},
    [OS_EVENTFD_ALONE] = {"eventfd.alone", 2, 2},
    [OS_EVENTFD_SAME] = {"eventfd.same", 5, 2},
    [OS_EVENTFD_OTHER] = {"eventfd.other", 15, 2},
    [OS_FUTEX_ALONE] = {"futex.alone", 1, 2},
    [OS_FUTEX_SAME] = {"futex.same", 5, 2},
    [OS_FUTEX_OTHER] = {"futex.other", 15, 2},
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

/* What a call was held against, and how it came out. */
struct oddity {
    double times;        /* of `against`; NaN: there was nothing to hold it against */
    const char *against; /* "reads of the clock" */
    double most;         /* that would still be ordinary */
};

static bool is_unusual(const struct oddity *oddity)
{
    return oddity->times > oddity->most;
}

/* The cheapest read of the clock there is, unless it is a system call itself. */
static double clock_read_ns(const struct os_series *calls,
                            const struct os_yardstick *yardstick)
{
    double vdso = cost_of(calls, OS_VDSO), syscall = cost_of(calls, OS_SYSCALL);

    return fmin(yardstick->clock_ns, vdso <= vdso_share * syscall ? vdso : NAN);
}

static struct oddity oddity_of(const struct os_series *calls,
                               const struct os_yardstick *yardstick, enum os_call call)
{
    double ns = cost_of(calls, call), syscall = cost_of(calls, OS_SYSCALL);
    double fault = cost_of(calls, OS_FAULT), trip = fmax(syscall, fault);

    if (call == OS_VDSO)
        return (struct oddity){ns / syscall, "system calls", vdso_share};
    if (call == OS_FAULT)
        return (struct oddity){ns / syscall, "system calls", fault_calls_most};
    if (call == OS_SYSCALL) {
        struct oddity clocks = {ns / clock_read_ns(calls, yardstick),
                                "reads of the clock", clock_reads_most};

        return is_unusual(&clocks) || !(ns > call_faults_most * fault)
                   ? clocks
                   : (struct oddity){ns / fault, "page faults", call_faults_most};
    }
    return (struct oddity){ns / trip, "trips into the kernel",
                           unusual_factor * table[call].trips};
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

/* Waits of which so many found the answer there already tell of something else. */
static bool is_awake(const struct series_point *point, enum os_call call)
{
    /* On one CPU the other can only answer while this one does not run. */
    bool apart =
        call == OS_PIPE_OTHER || call == OS_EVENTFD_OTHER || call == OS_FUTEX_OTHER;

    return apart && sonde_measure_counter(point, "sleeps") < asleep_least;
}

static void explain(struct finding *finding, enum os_call call,
                    const struct series_point *point, const struct oddity *oddity)
{
    if (is_awake(point, call))
        sonde_infer_explain(
            finding,
            "who waits slept in %.0f %% of the waits only: in the others the answer came "
            "first, and nobody had to be woken",
            100 * sonde_measure_counter(point, "sleeps"));
    if (is_awake(point, call) || !is_unusual(oddity))
        return;
    if (call == OS_VDSO)
        sonde_infer_explain(finding,
                            "out of the ordinary: %.2g times a system call, so the clock "
                            "is read by one: its source cannot be read by programs",
                            oddity->times);
    else
        sonde_infer_explain(finding,
                            "out of the ordinary: as long as %.2g %s here, where up to "
                            "%.0f are usual",
                            oddity->times, oddity->against, oddity->most);
}

static int report_call(const struct os_series *calls, enum os_call call,
                       const struct oddity *oddity, const char *why_not,
                       struct findings *findings)
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
    explain(finding, call, point, oddity);
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
    if (is_awake(point, handoff))
        return sonde_infer_give_up(findings, name, "ns",
                                   "who waits slept in %.0f %% of the waits only, so "
                                   "there were fewer switches than handoffs",
                                   100 * sonde_measure_counter(point, "sleeps"))
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

static int report_unusual(const struct os_series *calls, const struct oddity *oddities,
                          struct findings *findings)
{
    struct text names = {0};
    struct finding *finding;
    unsigned count = 0, seen = 0;

    for (int call = 0; call < OS_CALLS; call++) {
        const struct oddity *oddity = &oddities[call];

        seen += !isnan(cost_of(calls, (enum os_call)call));
        if (!is_unusual(oddity))
            continue;
        count++;
        sonde_base_text_print(&names, "%s%s (%.2g %s)", names.length ? ", " : "",
                              table[call].name, oddity->times, oddity->against);
    }
    if (!seen)
        return 0;
    finding = sonde_infer_find(findings, "os.unusual", "count", count, count, count, 0.8,
                               "calls held against the clock, a page fault and each "
                               "other, all of this machine");
    if (finding && count && names.data)
        sonde_infer_explain(finding,
                            "out of the ordinary: %s; a tracer, a sandbox or the host "
                            "does part of the work, or others keep the CPUs busy",
                            names.data);
    sonde_base_text_free(&names);
    return finding ? 0 : -ENOMEM;
}

static int control_usual(const struct oddity *syscall, struct findings *findings)
{
    if (isnan(syscall->times))
        return 0;
    return sonde_infer_control(
               findings, !is_unusual(syscall),
               "the cheapest system call is answered by the kernel itself",
               "at most 100 reads of the clock, and 3 page faults", "%.2g %s",
               syscall->times, syscall->against)
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
                   const struct os_yardstick *yardstick, struct findings *findings)
{
    double started_ns = cost_of(calls, OS_THREAD) / yardstick->trips;
    struct oddity oddities[OS_CALLS];
    int error = 0;

    for (int call = 0; call < OS_CALLS && !error; call++) {
        oddities[call] = oddity_of(calls, yardstick, (enum os_call)call);
        error = report_call(calls, (enum os_call)call, &oddities[call], why_not[call],
                            findings);
    }
    if (!error)
        error = report_switch(calls, OS_PIPE_SAME, "os.switch.same",
                              isnan(started_ns) ? 0 : started_ns, findings);
    if (!error)
        error = report_switch(calls, OS_PIPE_OTHER, "os.switch.other", 0, findings);
    if (!error)
        error = report_unusual(calls, oddities, findings);
    if (!error)
        error = control_usual(&oddities[OS_SYSCALL], findings);
    if (!error)
        error = control_vdso(calls, findings);
    return error ? error : control_handoffs(calls, findings);
}
