/* Whether a kernel that calls the system may do so here.
 *
 * A filter (seccomp) can answer EPERM or ENOSYS, or end the process. So one step is tried
 * in a process of its own; where no process can be started it is tried in this one. The
 * process tells the errno by its exit status. */
#include "kernels/system.h"

#include <errno.h>
#include <signal.h>
#include <stdalign.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* As many seconds, and then it hangs. */
enum { SECONDS = 2, BYTES = 4096 };

static int try_here(const struct kernel *kernel, uint64_t argument)
{
    alignas(64) unsigned char data[BYTES];

    memset(data, 0, sizeof data);
    errno = 0;
    if (kernel->run(data, 1, argument) == 1)
        return 0;
    return errno ? errno : EIO;
}

static int status_to_error(int status)
{
    if (WIFEXITED(status))
        return -WEXITSTATUS(status);
    return WTERMSIG(status) == SIGALRM ? -ETIMEDOUT : -ECANCELED;
}

int sonde_kernel_system_try(const struct kernel *kernel, uint64_t argument)
{
    pid_t child = fork(), ended;
    int status;

    if (child < 0)
        return -try_here(kernel, argument);
    if (child == 0) {
        signal(SIGALRM, SIG_DFL);
        alarm(SECONDS);
        _exit(try_here(kernel, argument) & 0xff);
    }
    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == child ? status_to_error(status) : -errno;
}
