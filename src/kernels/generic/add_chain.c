/* Adds the argument to a sum, where no assembly does: each add waits for the one before.
 *
 * What can fool it: a compiler that keeps the sum in memory (without optimisation) times
 * its store and load instead, and the core clock comes out several times too low. */
#include "kernels/generic/keep.h"
#include "kernels/names.h"

uint64_t sonde_kernel_add_chain(void *data, uint64_t count, uint64_t argument)
{
    uint64_t sum = 0;

    (void)data;
    for (; count > 0; count--) {
        sum += argument;
        keep(&sum);
    }
    return sum;
}
