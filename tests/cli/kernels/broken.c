/* One kernel for each way to be broken, and a sound one among them. */
#include <sonde.h>

#include <signal.h>
#include <stdlib.h>

long sound(const long *p, long n)
{
    long total = 0;

    for (long i = 0; i < n; i++)
        total ^= p[i];
    return total;
}

long segv(void *p, long n)
{
    return *(volatile long *)(8 * n - 8 * n + (long)p * 0);
}

long ill(void)
{
    __builtin_trap();
}

long fpe(void)
{
    raise(SIGFPE);
    return 0;
}

long hang(const volatile long *p)
{
    while (p)
        ;
    return 0;
}

long past(volatile char *p, long n)
{
    p[8 * n] = 1;
    return 0;
}

long before(volatile char *p)
{
    p[-1] = 1;
    return 0;
}

/* The byte behind an odd buffer is no guard, but a pattern. */
long spill(volatile char *p)
{
    p[100] = 1;
    return 0;
}

long leave(void)
{
    exit(3);
}

long wrong(const long *p, long n)
{
    return sound(p, n) + 1;
}

int wrong_check(const void *data, long bytes, const long *parameters, long value)
{
    (void)bytes;
    return value == sound(data, parameters[0]);
}

SONDE_KERNEL(sound, "n=1..2^20:64", "8*n", "n", "8*n", "n");
SONDE_KERNEL(segv, "n=1..2^20:64", "8*n", "n", "8*n", "n");
SONDE_KERNEL(ill, "", "", "", "", "");
SONDE_KERNEL(fpe, "", "", "", "", "");
SONDE_KERNEL(hang, "", "64", "", "", "");
SONDE_KERNEL(past, "n=1..2^20:64", "8*n", "n", "8*n", "n");
SONDE_KERNEL(before, "", "100", "", "", "");
SONDE_KERNEL(spill, "", "100", "", "", "");
SONDE_KERNEL(leave, "", "", "", "", "");
SONDE_KERNEL(wrong, "n=1..2^20:64", "8*n", "n", "8*n", "n");
