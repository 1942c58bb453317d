/* The classic loop as a compiler makes it: sums the bytes of 128 and more.
 *
 * Nothing here asks for a branch or against one. Whether one survived is read from the
 * machine code of this very function (arch.h), never assumed.
 *
 * What can fool it: another compiler, another version or another level of optimisation
 * decides otherwise, so what is found holds for this build. */
#include "kernels/names.h"

uint64_t sonde_kernel_branch_compiled(void *data, uint64_t count, uint64_t argument)
{
    const unsigned char *bytes = data;
    uint64_t sum = 0;

    (void)argument;
    for (uint64_t i = 0; i < count; i++)
        if (bytes[i] >= 128)
            sum += bytes[i];
    return sum;
}
