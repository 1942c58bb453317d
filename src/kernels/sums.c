/* One loop, twice: it sums words. Once the sum is returned, once it is thrown away.
 *
 * This is a classic error, kept on purpose: where nobody uses the sum the compiler
 * deletes the loop, and the time it then takes says nothing about the machine. The
 * comparison of the two is what probe `traps` shows. Nothing here stands in the
 * compiler's way.
 *
 * What can fool it: a build without optimisation, or with a sanitizer, keeps both loops;
 * then the two take the same time, and that is the truth of that build. */
#include "kernels/names.h"

uint64_t sonde_kernel_sum_kept(void *data, uint64_t count, uint64_t argument)
{
    const uint64_t *words = data;
    uint64_t sum = 0;

    (void)argument;
    for (uint64_t i = 0; i < count; i++)
        sum += words[i];
    return sum;
}

uint64_t sonde_kernel_sum_discarded(void *data, uint64_t count, uint64_t argument)
{
    const uint64_t *words = data;
    uint64_t sum = 0;

    (void)argument;
    for (uint64_t i = 0; i < count; i++)
        sum += words[i];
    (void)sum;
    return 0;
}
