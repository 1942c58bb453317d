/* What begins and ends: a signal and its handler, a thread, a process, a program.
 *
 *   os_signal   a signal to this thread; its handler counts
 *   os_thread   created and joined
 *   os_process  forked and waited for: the tables of this program's pages are copied
 *   os_exec     /bin/true by posix_spawn, waited for: loading a small program too
 *
 * The handler knows its counter by the value that comes with the signal, so there is no
 * global. The disposition and the mask are put back. All return how many did what they
 * should; errno tells why the first one did not.
 *
 * What can fool it: a process costs more the more memory this program has touched. */
#include "kernels/names.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* --- signals --- */

/* Terminals, children and debuggers leave it alone. */
enum { SIGNAL = SIGUSR2 };

static void count_signal(int number, siginfo_t *info, void *context)
{
    volatile uint64_t *counter = info->si_value.sival_ptr;

    (void)number, (void)context;
    *counter = *counter + 1;
}

static uint64_t send_signals(uint64_t count)
{
    volatile uint64_t handled = 0;
    siginfo_t info;

    memset(&info, 0, sizeof info);
    info.si_code = SI_QUEUE;
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_ptr = (void *)(uintptr_t)&handled;
    for (uint64_t i = 0; i < count; i++)
        if (syscall(SYS_rt_tgsigqueueinfo, info.si_pid, syscall(SYS_gettid), SIGNAL,
                    &info))
            break;
    return handled;
}

uint64_t sonde_kernel_os_signal(void *data, uint64_t count, uint64_t argument)
{
    struct sigaction action = {.sa_sigaction = count_signal, .sa_flags = SA_SIGINFO};
    struct sigaction action_before;
    sigset_t set, set_before;
    uint64_t handled = 0;

    (void)data, (void)argument;
    sigemptyset(&set);
    sigaddset(&set, SIGNAL);
    if (sigaction(SIGNAL, &action, &action_before))
        return 0;
    if (pthread_sigmask(SIG_UNBLOCK, &set, &set_before) == 0) {
        handled = send_signals(count);
        pthread_sigmask(SIG_SETMASK, &set_before, NULL);
    }
    sigaction(SIGNAL, &action_before, NULL);
    return handled;
}

/* --- threads and processes; each in a function of its own, since what never returns ends
 * the code of the one that calls it --- */

static void *end_at_once(void *argument)
{
    return argument;
}

static bool one_thread(void)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, end_at_once, NULL);

    if (!error)
        error = pthread_join(thread, NULL);
    if (error)
        errno = error;
    return error == 0;
}

uint64_t sonde_kernel_os_thread(void *data, uint64_t count, uint64_t argument)
{
    uint64_t done = 0;

    (void)data, (void)argument;
    for (uint64_t i = 0; i < count; i++)
        done += one_thread();
    return done;
}

static bool ended_well(pid_t child)
{
    int status;
    pid_t ended;

    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

__attribute__((noinline)) static bool one_process(void)
{
    pid_t child = fork();

    if (child == 0)
        _exit(0);
    return child > 0 && ended_well(child);
}

uint64_t sonde_kernel_os_process(void *data, uint64_t count, uint64_t argument)
{
    uint64_t done = 0;

    (void)data, (void)argument;
    for (uint64_t i = 0; i < count; i++)
        done += one_process();
    return done;
}

static bool one_program(void)
{
    static char path[] = "/bin/true";
    char *arguments[] = {path, NULL};
    pid_t child;
    int error = posix_spawn(&child, path, NULL, NULL, arguments, environ);

    if (error) {
        errno = error;
        return false;
    }
    return ended_well(child);
}

uint64_t sonde_kernel_os_exec(void *data, uint64_t count, uint64_t argument)
{
    uint64_t done = 0;

    (void)data, (void)argument;
    for (uint64_t i = 0; i < count; i++)
        done += one_program();
    return done;
}
