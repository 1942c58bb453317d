/* A C library that lies, for LD_PRELOAD: SONDE_LIE names how.
 *
 *   affinity-ignored    binding is accepted and does nothing; all else tells the truth
 *   affinity-elsewhere  binding goes to another CPU; the mask says what was asked
 *   affinity-complete   the same, and the current CPU is said to be what was asked
 *   cpu-zero            the current CPU is always 0
 *   cpu-refused         the current CPU is not told
 *   mask-2048           masks of fewer than 2048 CPUs are refused, as where so many are
 *                       possible
 *   clock-1ms           clocks step by 1 ms and announce 1 ns
 *   clock-16ms          by 15.625 ms
 *   clock-unsteady      by 1 ms, and the raw clock runs faster and slower by a tenth
 *   clock-frozen        the raw clock and the monotonic one stand still
 *   sysconf-0           sysconf() answers 0 to everything
 *   page-64k            a page is said to have 64 KiB
 *
 * What can fool it: a program that asks the kernel past the C library hears the truth. */
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#pragma GCC visibility push(default)

enum {
    WORDS = 1024 / (int)sizeof(unsigned long),
    WORD_BITS = 8 * (int)sizeof(unsigned long)
};

/* What the calling thread was told to have been bound to. */
static _Thread_local unsigned long told[WORDS];
static _Thread_local bool bound;

static bool lie_is(const char *name)
{
    const char *lie = getenv("SONDE_LIE");

    return lie && strcmp(lie, name) == 0;
}

static bool moves_elsewhere(void)
{
    return lie_is("affinity-elsewhere") || lie_is("affinity-complete");
}

static bool refuses(size_t size)
{
    if (!lie_is("mask-2048") || size >= 2048 / 8)
        return false;
    errno = EINVAL;
    return true;
}

/* --- where a thread may run, and does */

static int get_mask(pid_t pid, size_t size, void *mask)
{
    long length = syscall(SYS_sched_getaffinity, pid, size, mask);

    if (length < 0)
        return -1;
    memset((char *)mask + length, 0, size - (size_t)length);
    return 0;
}

static int highest(const unsigned long *mask)
{
    int found = -1;

    for (int i = 0; i < WORDS * WORD_BITS; i++)
        if (mask[i / WORD_BITS] >> i % WORD_BITS & 1)
            found = i;
    return found;
}

/* Binds to a neighbour of the CPU that was asked for. */
static int bind_elsewhere(const unsigned long *asked)
{
    unsigned long one[WORDS] = {0};
    int cpu = highest(asked);
    int other = cpu == 0 ? 1 : cpu - 1;

    one[other / WORD_BITS] = 1ul << other % WORD_BITS;
    return (int)syscall(SYS_sched_setaffinity, 0, sizeof one, one) < 0 ? -1 : 0;
}

static int set_mask(pid_t pid, size_t size, const void *mask)
{
    unsigned long asked[WORDS] = {0};
    size_t bytes = size < sizeof asked ? size : sizeof asked;
    int members = 0;

    memcpy(asked, mask, bytes);
    for (int i = 0; i < WORDS; i++)
        members += __builtin_popcountl(asked[i]);
    if (lie_is("affinity-ignored"))
        return 0;
    if (!moves_elsewhere() || members != 1) {
        bound = false;
        return (int)syscall(SYS_sched_setaffinity, pid, size, mask);
    }
    memcpy(told, asked, sizeof told);
    bound = true;
    return bind_elsewhere(asked);
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask)
{
    return refuses(size) ? -1 : set_mask(pid, size, mask);
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask)
{
    if (refuses(size))
        return -1;
    if (!moves_elsewhere() || !bound)
        return get_mask(pid, size, mask);
    memset(mask, 0, size);
    memcpy(mask, told, size < sizeof told ? size : sizeof told);
    return 0;
}

int sched_getcpu(void)
{
    unsigned cpu = 0;

    if (lie_is("cpu-zero"))
        return 0;
    if (lie_is("cpu-refused")) {
        errno = ENOSYS;
        return -1;
    }
    if (lie_is("affinity-complete") && bound)
        return highest(told);
    return syscall(SYS_getcpu, &cpu, NULL, NULL) == 0 ? (int)cpu : -1;
}

/* --- what time it is */

static int64_t step_ns(void)
{
    if (lie_is("clock-1ms") || lie_is("clock-unsteady"))
        return 1000000;
    return lie_is("clock-16ms") ? 15625000 : 1;
}

static bool stands_still(clockid_t clock)
{
    return lie_is("clock-frozen") &&
           (clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int64_t step = step_ns(), ns;
    int status = (int)syscall(SYS_clock_gettime, clock, now);

    if (status)
        return status;
    ns = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec;
    if (lie_is("clock-unsteady") && clock == CLOCK_MONOTONIC_RAW)
        ns += (int64_t)(2e6 * sin((double)ns / 20e6));
    ns = stands_still(clock) ? 1000000000 : ns / step * step;
    now->tv_sec = (time_t)(ns / 1000000000);
    now->tv_nsec = (long)(ns % 1000000000);
    return 0;
}

int clock_getres(clockid_t clock, struct timespec *resolution)
{
    if (step_ns() == 1)
        return (int)syscall(SYS_clock_getres, clock, resolution);
    if (resolution)
        *resolution = (struct timespec){.tv_nsec = 1};
    return 0;
}

/* --- what the C library knows */

long sysconf(int name)
{
    long (*next)(int);
    void *symbol = dlsym(RTLD_NEXT, "sysconf");

    if (lie_is("sysconf-0"))
        return 0;
    if (lie_is("page-64k") && name == _SC_PAGESIZE)
        return 65536;
    memcpy(&next, &symbol, sizeof next);
    return next(name);
}
