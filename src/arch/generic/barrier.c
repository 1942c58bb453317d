/* A spin hint on an instruction set that we know nothing of: none.
 *
 * Only the compiler is held to reading memory again at each turn. A thread that spins
 * with it may starve its sibling, where the core has one; nothing else depends on it. */
#include "arch/arch.h"

void sonde_arch_relax(void)
{
    __asm__ volatile("" ::: "memory");
}

void sonde_arch_serialize(void)
{
    __sync_synchronize();
}
