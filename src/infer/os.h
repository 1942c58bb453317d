/* What the system takes for what it does. */
#ifndef SONDE_INFER_OS_H
#define SONDE_INFER_OS_H

#include "infer/finding.h"
#include "measure/series.h"

/* Places on the category axis. */
enum os_call {
    OS_SYSCALL,
    OS_VDSO,
    OS_MAP,
    OS_FAULT,
    OS_SIGNAL,
    OS_THREAD,
    OS_PROCESS,
    OS_EXEC,
    /* There and back: by one thread alone, by two on one CPU, by two on two. */
    OS_PIPE_ALONE,
    OS_PIPE_SAME,
    OS_PIPE_OTHER,
    OS_EVENTFD_ALONE,
    OS_EVENTFD_SAME,
    OS_EVENTFD_OTHER,
    OS_FUTEX_ALONE,
    OS_FUTEX_SAME,
    OS_FUTEX_OTHER,
    OS_CALLS
};
/* "syscall", "pipe.other": the finding is named os.<name>; the label of its point. */
const char *sonde_infer_os_name(enum os_call call);

/* Both have one category axis, enum os_call; either may be NULL. */
struct os_series {
    const struct series *here;  /* by one thread, or by two on this CPU */
    const struct series *there; /* by two on two */
};

/* What it is held against, of the same machine: `clock_ns`, what reading the clock takes
 * without the system (NaN: not known), and `trips`, the handoffs for which a thread is
 * started. */
struct os_yardstick {
    double clock_ns, trips;
};

/* Of each call that was measured os.<name> (ns, median) and os.<name>.p90 (of the
 * samples, where these were kept); handoffs are one way. Of those without a point a line
 * says why: `why_not`, one per call, NULL where there is nothing to say. Adds
 * os.switch.same and os.switch.other (what a handoff by pipe takes beyond its own calls,
 * and beyond starting the thread once in `trips`), os.unusual (how many are out of the
 * ordinary, with their names and what they were held against), and the controls. 0 or
 * -ENOMEM. */
int sonde_infer_os(const struct os_series *calls, const char *const why_not[OS_CALLS],
                   const struct os_yardstick *yardstick, struct findings *findings);

#endif
