/* The tick counter of an unknown instruction set: there is none that we may read.
 *
 * Samples are then timed by CLOCK_MONOTONIC_RAW. */
#include "arch/arch.h"

const char *sonde_arch_tick_name(void)
{
    return NULL;
}

uint64_t sonde_arch_ticks(void)
{
    return 0;
}

double sonde_arch_tick_announced_hz(void)
{
    return 0;
}

bool sonde_arch_tick_invariant(void)
{
    return false;
}
