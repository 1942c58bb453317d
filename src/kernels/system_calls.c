/* Calls of the system that one thread makes alone: the cheapest there is, the one that is
 * none, and a page of addresses taken and given back.
 *
 * The raw call is getppid, which no C library answers by itself. Reading the clock goes
 * through the vDSO where the clock source can be read without the kernel. All return how
 * many calls did what they should; errno tells why the first one did not.
 *
 * What can fool it: a filter (seccomp) that answers instead of the kernel is faster than
 * it; a tracer is slower. */
#include "kernels/names.h"

#include "base/pages.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint64_t sonde_kernel_os_syscall(void *data, uint64_t count, uint64_t argument)
{
    uint64_t done = 0;

    (void)data, (void)argument;
    for (uint64_t i = 0; i < count; i++)
        done += syscall(SYS_getppid) >= 0;
    return done;
}

uint64_t sonde_kernel_os_vdso(void *data, uint64_t count, uint64_t argument)
{
    uint64_t done = 0;

    (void)data, (void)argument;
    for (uint64_t i = 0; i < count; i++) {
        struct timespec now;

        done += clock_gettime(CLOCK_MONOTONIC, &now) == 0;
    }
    return done;
}

uint64_t sonde_kernel_os_map(void *data, uint64_t count, uint64_t argument)
{
    size_t bytes = sonde_base_page_bytes();
    uint64_t done = 0;

    (void)data, (void)argument;
    for (uint64_t i = 0; i < count; i++) {
        void *page =
            mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        done += page != MAP_FAILED && munmap(page, bytes) == 0;
    }
    return done;
}
