/* Loads that wait for nothing, where no assembly runs them: 32 words again and again.
 *
 * The value is the sum of the last eight words loaded. What can fool it: the compiler
 * chooses the loop; volatile makes it load, not load fast. */
#include "kernels/names.h"

uint64_t sonde_kernel_load_wide(void *data, uint64_t count, uint64_t argument)
{
    const volatile uint64_t *words = data;
    uint64_t loaded[8] = {0}, sum = 0;

    (void)argument;
    for (uint64_t i = 0; i < count; i++)
        loaded[i % 8] = words[i % 32];
    for (int i = 0; i < 8; i++)
        sum += loaded[i];
    return sum;
}
