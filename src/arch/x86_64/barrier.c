/* The spin hint of x86.
 *
 * pause keeps a spinning thread from flooding the load queue and gives the sibling thread
 * its turn. It takes from 10 (older cores) to 140 cycles (Skylake and later), so a spin
 * barrier built on it has about that much skew. */
#include "arch/arch.h"

void sonde_arch_relax(void)
{
    __asm__ volatile("pause" ::: "memory");
}

void sonde_arch_serialize(void)
{
    __builtin_ia32_lfence();
}
