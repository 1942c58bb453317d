/* Follows pointers, where no assembly does: each load gives the address of the next.
 *
 * What can fool it: the compiler chooses the loop, so its instructions are not counted; a
 * dependent load is slow enough to hide its control. */
#include "kernels/names.h"

uint64_t sonde_kernel_chase(void *data, uint64_t count, uint64_t argument)
{
    void *volatile *node = data;

    (void)argument;
    for (; count > 0; count--)
        node = *node;
    return (uint64_t)(uintptr_t)node;
}
