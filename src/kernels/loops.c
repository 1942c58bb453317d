/* Loops in C, timed as a compiler makes them: that is their point.
 *
 * `sum_discarded` is the classic error: the loop's result is not used, so the compiler
 * may delete all of it, and the benchmark times nothing. */
#include "kernels/names.h"

uint64_t sonde_kernel_touch(void *data, uint64_t count, uint64_t argument)
{
    char *at = data;
    uint64_t sum = 0;

    for (; count; count--, at += argument) {
        volatile uint64_t *word = (uint64_t *)(void *)at;
        uint64_t value = *word + 1;

        *word = value;
        sum += value;
    }
    return sum;
}

static uint64_t sum_words(const uint64_t *words, uint64_t count)
{
    uint64_t sum = 0;

    for (uint64_t i = 0; i < count; i++)
        sum += words[i];
    return sum;
}

uint64_t sonde_kernel_sum_kept(void *data, uint64_t count, uint64_t argument)
{
    (void)argument;
    return sum_words(data, count);
}

uint64_t sonde_kernel_sum_discarded(void *data, uint64_t count, uint64_t argument)
{
    (void)argument;
    (void)sum_words(data, count);
    return 0;
}
