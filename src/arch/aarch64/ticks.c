/* The tick counter of aarch64: CNTVCT_EL0, the virtual count of the generic timer.
 *
 * It runs at the constant rate of CNTFRQ_EL0 in all power states (the architecture asks
 * for it) and is the same on all cores. It is coarse: 24 MHz to 1 GHz, so one tick may be
 * 40 ns. The first isb keeps the read from being done early, the second keeps what
 * follows from starting before it.
 *
 * What can fool it: a kernel that works around an erratum traps the read, which then
 * costs hundreds of nanoseconds; and firmware that sets CNTFRQ_EL0 wrongly, hence the
 * rate is calibrated and this one only compared. */
#include "arch/arch.h"

const char *sonde_arch_tick_name(void)
{
    return "cntvct";
}

uint64_t sonde_arch_ticks(void)
{
    uint64_t ticks;

    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks)::"memory");
    return ticks;
}

double sonde_arch_tick_announced_hz(void)
{
    uint64_t hertz;

    __asm__("mrs %0, cntfrq_el0" : "=r"(hertz));
    return (double)(uint32_t)hertz;
}

bool sonde_arch_tick_invariant(void)
{
    return true;
}
