/* Work that may crash or hang, done in a process of its own. */
#ifndef SONDE_BENCH_CHILD_H
#define SONDE_BENCH_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum child_end {
    CHILD_DONE,        /* the work returned */
    CHILD_SIGNALLED,   /* a signal ended it: `number` */
    CHILD_EXITED,      /* it called exit with `number` */
    CHILD_TIMED_OUT,   /* no beat for so long; it was killed */
    CHILD_INTERRUPTED, /* the user wants an end; it was killed */
};

struct child_outcome {
    enum child_end end;
    int number;
};

/* What a child leaves to its parent beside its results; in shared memory. */
struct child_trace {
    volatile uint32_t beat;          /* the child counts up when it begins something */
    volatile uint64_t fault_address; /* of SIGSEGV or SIGBUS */
    volatile uint32_t fault_known;
};

/* Memory that parent and child share, zeroed; NULL: none to be had. */
void *sonde_bench_shared_open(size_t bytes);
void sonde_bench_shared_close(void *memory, size_t bytes);

/* Forks; the child does `work(argument)`, with standard output sent to standard error and
 * no core dumps. Waits until it has ended, no beat came for `timeout_s`, or `interrupted`
 * (may be NULL) is set. 0 or a negative errno: there is no child. */
int sonde_bench_child(void (*work)(void *argument), void *argument,
                      struct child_trace *trace, double timeout_s,
                      const volatile sig_atomic_t *interrupted,
                      struct child_outcome *outcome);

#endif
