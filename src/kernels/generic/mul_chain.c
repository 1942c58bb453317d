/* Multiplies 1 by the argument, where no assembly does; made odd, it never decays to 0.
 *
 * Each product waits for the one before. What can fool it is what fools add_chain.c. */
#include "kernels/generic/keep.h"
#include "kernels/names.h"

uint64_t sonde_kernel_mul_chain(void *data, uint64_t count, uint64_t argument)
{
    uint64_t product = 1, factor = argument | 1;

    (void)data;
    for (; count > 0; count--) {
        product *= factor;
        keep(&product);
    }
    return product;
}
