/* Hides a value from the compiler, which otherwise would turn a chain of adds into one
 * multiplication. It emits no instruction, so it is the same everywhere. */
#ifndef SONDE_KERNELS_GENERIC_KEEP_H
#define SONDE_KERNELS_GENERIC_KEEP_H

#include <stdint.h>

static inline void keep(uint64_t *value)
{
    __asm__ volatile("" : "+r"(*value));
}

#endif
