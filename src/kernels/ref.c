/* The references: the same values in plain C, memory effects included.
 *
 * Tests hold every kernel against them, the harness predicts results with them, and an
 * ISA without assembly runs them. Where a closed form exists it is used, since a
 * prediction must not cost as much as what it predicts; a reference that is run for its
 * time (on an ISA without assembly) keeps its loop. What can fool it: a compiler that
 * unrolls or vectorises such a loop, so there the times mean less, which the generic ISA
 * says. */
#include "kernels/names.h"

uint64_t sonde_kernel_ref_chase(void *data, uint64_t count, uint64_t argument)
{
    void *volatile *node = data;

    (void)argument;
    while (count--)
        node = *node;
    return (uint64_t)(uintptr_t)node;
}

uint64_t sonde_kernel_ref_add_chain(void *data, uint64_t count, uint64_t argument)
{
    (void)data;
    return count * argument;
}

/* Powers modulo 2^64 by squaring. */
uint64_t sonde_kernel_ref_mul_chain(void *data, uint64_t count, uint64_t argument)
{
    uint64_t product = 1, factor = argument | 1;

    (void)data;
    for (; count; count >>= 1, factor *= factor)
        if (count & 1)
            product *= factor;
    return product;
}

uint64_t sonde_kernel_ref_add_wide(void *data, uint64_t count, uint64_t argument)
{
    return sonde_kernel_ref_add_chain(data, count, argument);
}

uint64_t sonde_kernel_ref_touch(void *data, uint64_t count, uint64_t argument)
{
    uint64_t sum = 0;

    for (uint64_t i = 0; i < count; i++) {
        uint64_t *word = (uint64_t *)(void *)((char *)data + i * argument);

        *word += 1;
        sum += *word;
    }
    return sum;
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
    (void)data, (void)count, (void)argument;
    return 0;
}
