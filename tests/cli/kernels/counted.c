/* Tells what it did to the planted counters, where they are loaded. */
#include <sonde.h>

extern unsigned long counting_work __attribute__((weak));

long counted(const long *p, long n)
{
    long total = 0;

    for (long i = 0; i < n; i++)
        total ^= p[i];
    if (&counting_work)
        counting_work += (unsigned long)n;
    return total;
}
SONDE_KERNEL(counted, "n=1..2^20:64,256", "8*n", "n", "8*n", "n");
