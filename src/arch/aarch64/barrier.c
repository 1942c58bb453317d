/* The spin hint of aarch64.
 *
 * yield tells a core with hardware threads to let the sibling go first; most cores treat
 * it as a nop. wfe would save power and wake up late, so it is not used. */
#include "arch/arch.h"

void sonde_arch_relax(void)
{
    __asm__ volatile("yield" ::: "memory");
}

void sonde_arch_serialize(void)
{
    __asm__ volatile("dsb sy\n\tisb" ::: "memory");
}
