/* The references: the value each kernel must return, and what it does to the memory.
 *
 * The harness predicts by them and tests hold every kernel against them, in assembly or
 * in C. Where a formula exists it is used: a prediction must not cost as much as what it
 * predicts, and a formula cannot share a fault with a loop. What runs on an instruction
 * set without assembly are the loops in generic/, never these. */
#include "kernels/names.h"

uint64_t sonde_kernel_ref_chase(void *data, uint64_t count, uint64_t argument)
{
    void *node = data;

    (void)argument;
    for (uint64_t i = 0; i < count; i++)
        node = *(void **)node;
    return (uint64_t)(uintptr_t)node;
}

uint64_t sonde_kernel_ref_add_chain(void *data, uint64_t count, uint64_t argument)
{
    (void)data;
    return count * argument;
}

/* Powers modulo 2^64, by squaring. */
uint64_t sonde_kernel_ref_mul_chain(void *data, uint64_t count, uint64_t argument)
{
    uint64_t product = 1;

    (void)data;
    for (uint64_t factor = argument | 1; count > 0; count /= 2, factor *= factor)
        if (count % 2 == 1)
            product *= factor;
    return product;
}

/* Chain k begins with k. Folded so that each weighs differently: a chain that was skipped
 * or stepped twice shows. */
uint64_t sonde_kernel_ref_add_wide(void *data, uint64_t count, uint64_t argument)
{
    uint64_t value = 0;

    (void)data;
    for (uint64_t k = 0; k < 8; k++)
        value = 2 * value + k + count / 8 * argument;
    return value;
}

uint64_t sonde_kernel_ref_touch(void *data, uint64_t count, uint64_t argument)
{
    char *bytes = data;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < count; i++) {
        uint64_t *word = (uint64_t *)(void *)(bytes + i * argument);

        *word += 1;
        sum += *word;
    }
    return sum;
}

uint64_t sonde_kernel_ref_put(void *data, uint64_t count, uint64_t argument)
{
    char *bytes = data;

    for (uint64_t i = 0; i < count; i++)
        *(uint64_t *)(void *)(bytes + i * argument) = i + 1;
    return count % 2 ? (count + 1) / 2 * count : count / 2 * (count + 1);
}

uint64_t sonde_kernel_ref_sum_kept(void *data, uint64_t count, uint64_t argument)
{
    const uint64_t *words = data;
    uint64_t sum = 0;

    (void)argument;
    for (uint64_t i = 0; i < count; i++)
        sum += words[i];
    return sum;
}

uint64_t sonde_kernel_ref_sum_discarded(void *data, uint64_t count, uint64_t argument)
{
    (void)data;
    (void)count;
    (void)argument;
    return 0;
}
