/* References of the chases at once: each cursor in turn, which ends where all at once
 * end. Where an instruction set has none in assembly these are what is timed; a compiler
 * keeps the loads, since each needs the one before. */
#include "kernels/names.h"

static uint64_t walk(void *data, uint64_t steps, unsigned cursors)
{
    void **cursor = data;
    uint64_t sum = 0;

    for (uint64_t step = 0; step < steps; step++)
        for (unsigned i = 0; i < cursors; i++)
            cursor[i] = *(void **)cursor[i];
    for (unsigned i = 0; i < cursors; i++)
        sum += (uint64_t)(uintptr_t)cursor[i];
    return sum;
}

#define WALKS(cursors)                                                                   \
    uint64_t sonde_kernel_ref_chase_x##cursors(void *data, uint64_t count,               \
                                               uint64_t argument)                        \
    {                                                                                    \
        (void)argument;                                                                  \
        return walk(data, count, cursors);                                               \
    }
WALKS(2)
WALKS(4)
WALKS(6)
WALKS(8)
WALKS(12)
WALKS(16)
WALKS(24)
WALKS(32)
WALKS(48)
WALKS(64)
