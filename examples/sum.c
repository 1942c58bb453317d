/* The sum of words that lie `stride` bytes apart, in C: the same kernel as sum.S.
 *   sonde bench sum.c
 * Its own check adds the words up in the other direction. */
#include <sonde.h>

long sum(const void *data, long n, long stride)
{
    const char *at = data;
    unsigned long total = 0;

    for (long i = 0; i < n; i++)
        total += (unsigned long)*(const long *)(const void *)(at + i * stride);
    return (long)total;
}

int sum_check(const void *data, long bytes, const long *parameters, long value)
{
    const char *at = data;
    unsigned long total = 0;

    (void)bytes;
    for (long i = parameters[0]; i-- > 0;)
        total += (unsigned long)*(const long *)(const void *)(at + i * parameters[1]);
    return (long)total == value;
}

SONDE_KERNEL(sum, "n=1..2^24:4096 stride=8..4096/8:8,64", "n*stride", "n", "8*n", "n");
