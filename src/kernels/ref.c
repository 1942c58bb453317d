/* The kernels in plain C: what each must return and do to the memory.
 *
 * They predict the values of the loops that are timed, and are those loops where an
 * instruction set has no assembly. KEEP hides a value from the compiler, which otherwise
 * would turn a chain of adds into one multiplication; it emits no instruction, so it is
 * the same everywhere. Each is written step by step, not by the formula it amounts to:
 * the formula is what the tests compare both with. */
#include "kernels/loops.h"

#define KEEP(value) __asm__ volatile("" : "+r"(value))

uint64_t sonde_kernel_chase_reference(void *data, uint64_t count, uint64_t argument)
{
    void *node = data;

    (void)argument;
    for (uint64_t i = 0; i < count; i++)
        node = *(void **)node;
    return (uint64_t)(uintptr_t)node;
}

uint64_t sonde_kernel_add_chain_reference(void *data, uint64_t count, uint64_t argument)
{
    uint64_t value = 0;

    (void)data;
    for (uint64_t i = 0; i < count; i++) {
        value += argument;
        KEEP(value);
    }
    return value;
}

uint64_t sonde_kernel_mul_chain_reference(void *data, uint64_t count, uint64_t argument)
{
    uint64_t value = 1, factor = argument | 1; /* an odd factor never decays to 0 */

    (void)data;
    for (uint64_t i = 0; i < count; i++) {
        value *= factor;
        KEEP(value);
    }
    return value;
}

static inline void step(uint64_t *chain, uint64_t argument)
{
    *chain += argument;
    KEEP(*chain);
}

static inline uint64_t fold(uint64_t value, uint64_t chain)
{
    return 2 * value + chain;
}

/* Chain k begins with k. The chains are folded so that each weighs differently: one that
 * was skipped or stepped twice shows. */
uint64_t sonde_kernel_add_wide_reference(void *data, uint64_t count, uint64_t argument)
{
    uint64_t a = 0, b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, h = 7;

    (void)data;
    for (uint64_t i = 0; i < count; i += 8) {
        step(&a, argument);
        step(&b, argument);
        step(&c, argument);
        step(&d, argument);
        step(&e, argument);
        step(&f, argument);
        step(&g, argument);
        step(&h, argument);
    }
    return fold(fold(fold(fold(fold(fold(fold(a, b), c), d), e), f), g), h);
}

uint64_t sonde_kernel_touch_reference(void *data, uint64_t count, uint64_t argument)
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

uint64_t sonde_kernel_sum_kept_reference(void *data, uint64_t count, uint64_t argument)
{
    const uint64_t *words = data;
    uint64_t sum = 0;

    (void)argument;
    for (uint64_t i = 0; i < count; i++)
        sum += words[i];
    return sum;
}

uint64_t sonde_kernel_sum_discarded_reference(void *data, uint64_t count,
                                              uint64_t argument)
{
    (void)data;
    (void)count;
    (void)argument;
    return 0;
}
