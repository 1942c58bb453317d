/* A child process for somebody else's code.
 *
 * It leads a process group of its own, which is killed whole when the child has ended or
 * is overdue, so that what it forked goes too; it dies with its parent. A fault is noted
 * on a stack of its own (the kernel may have spoiled the other) and then kills the child
 * as it would have.
 *
 * What can fool it: code that leaves the process group, and code that writes into the
 * shared memory by a stray pointer. */
#include "bench/child.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SLICE_MS = 50, FINISHED = 0x5d, FAULT_STACK = 64 << 10 };

/* A signal handler has no argument: where the child, and only it, notes a fault. */
static struct child_trace *fault_trace;

void *sonde_bench_shared_open(size_t bytes)
{
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

void sonde_bench_shared_close(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes);
}

/* --- in the child ---------------------------------------------------------------------
 */

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    fault_trace->fault_address = (uint64_t)(uintptr_t)info->si_addr;
    fault_trace->fault_known = 1;
    raise(number); /* SA_RESETHAND: this ends the process by the signal itself */
}

static void watch_faults(struct child_trace *trace)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    struct sigaction action = {.sa_sigaction = on_fault};
    stack_t stack = {.ss_size = FAULT_STACK, .ss_sp = malloc(FAULT_STACK)};

    fault_trace = trace;
    if (!stack.ss_sp || sigaltstack(&stack, NULL))
        return; /* the parent still learns the signal, only not the address */
    action.sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaction(numbers[i], &action, NULL);
}

static void begin_child(struct child_trace *trace)
{
    static const int to_default[] = {SIGTERM, SIGHUP, SIGPIPE};
    const struct rlimit none = {0, 0};

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none);
    for (size_t i = 0; i < sizeof to_default / sizeof to_default[0]; i++)
        signal(to_default[i], SIG_DFL);
    signal(SIGINT, SIG_IGN); /* the parent decides */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    watch_faults(trace);
}

/* --- in the parent --------------------------------------------------------------------
 */

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void settle(pid_t child, struct child_outcome *outcome)
{
    int status = 0;

    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (outcome->end != CHILD_DONE)
        return;
    if (WIFSIGNALED(status))
        *outcome = (struct child_outcome){CHILD_SIGNALLED, WTERMSIG(status)};
    else
        *outcome = (struct child_outcome){CHILD_EXITED, WEXITSTATUS(status)};
}

static bool ended(pid_t child)
{
    siginfo_t info = {0};

    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child;
}

/* The child holds one end of the pipe until it ends; the byte it writes last tells that
 * the work came to its end. */
static void await(pid_t child, int end, struct child_trace *trace, double timeout_s,
                  const volatile sig_atomic_t *interrupted, struct child_outcome *outcome)
{
    double since_s = now_s();
    uint32_t beat = trace->beat;
    struct pollfd wait = {.fd = end, .events = POLLIN};

    *outcome = (struct child_outcome){CHILD_DONE, 0};
    while (poll(&wait, 1, SLICE_MS) <= 0 && !ended(child)) {
        if (interrupted && *interrupted) {
            outcome->end = CHILD_INTERRUPTED;
            return;
        }
        if (trace->beat != beat) {
            beat = trace->beat;
            since_s = now_s();
        }
        if (now_s() - since_s > timeout_s) {
            outcome->end = CHILD_TIMED_OUT;
            return;
        }
    }
}

static void await_end(pid_t child, int end, struct child_trace *trace, double timeout_s,
                      const volatile sig_atomic_t *interrupted,
                      struct child_outcome *outcome)
{
    char byte = 0;
    bool finished;

    await(child, end, trace, timeout_s, interrupted, outcome);
    finished = outcome->end == CHILD_DONE && read(end, &byte, 1) == 1 && byte == FINISHED;
    if (outcome->end == CHILD_DONE && !finished)
        while (!ended(child)) /* the pipe is closed: it is about to end */
            poll(NULL, 0, 1);
    settle(child, outcome);
    if (finished)
        *outcome = (struct child_outcome){CHILD_DONE, 0};
}

int sonde_bench_child(void (*work)(void *argument), void *argument,
                      struct child_trace *trace, double timeout_s,
                      const volatile sig_atomic_t *interrupted,
                      struct child_outcome *outcome)
{
    const char finished = FINISHED;
    int ends[2];
    pid_t child;

    if (pipe(ends))
        return -errno;
    trace->fault_known = 0;
    child = fork();
    if (child < 0) {
        int error = -errno;

        close(ends[0]);
        close(ends[1]);
        return error;
    }
    if (child == 0) {
        close(ends[0]);
        begin_child(trace);
        work(argument);
        (void)!write(ends[1], &finished, 1);
        _exit(0);
    }
    close(ends[1]);
    await_end(child, ends[0], trace, timeout_s, interrupted, outcome);
    close(ends[0]);
    return 0;
}
