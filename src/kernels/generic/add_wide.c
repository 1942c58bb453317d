/* Eight chains of adds that do not wait for each other, where no assembly runs them.
 *
 * Chain k begins with k; at the end they are folded so that the result depends on each in
 * its own way. What can fool it: a machine with few registers, where the compiler keeps
 * some of the chains in memory. */
#include "kernels/generic/keep.h"
#include "kernels/names.h"

static inline void step(uint64_t *chain, uint64_t argument)
{
    *chain += argument;
    keep(chain);
}

static inline uint64_t fold(uint64_t value, uint64_t chain)
{
    return 2 * value + chain;
}

uint64_t sonde_kernel_add_wide(void *data, uint64_t count, uint64_t argument)
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
