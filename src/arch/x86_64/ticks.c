/* The tick counter of x86: the TSC.
 *
 * lfence before rdtsc waits until everything earlier has finished; lfence after it keeps
 * what follows from starting. (rdtscp alone leaves its far side open.) On AMD lfence
 * waits only where the kernel made it so, which every Linux since 2018 does.
 *
 * What can fool it: a TSC that changes its rate with the core (not "invariant"), one that
 * a hypervisor scales or traps, and a process that was denied the instruction by
 * prctl(PR_SET_TSC): asked here, since reading would be SIGSEGV. */
#include "arch/x86_64/cpuid.h"

#include <sys/prctl.h>

const char *sonde_arch_tick_name(void)
{
    int permission = PR_TSC_ENABLE;

    if (!sonde_arch_bits(sonde_arch_cpuid(1, 0).edx, 4, 1))
        return NULL;
    if (prctl(PR_GET_TSC, &permission) == 0 && permission != PR_TSC_ENABLE)
        return NULL;
    return "tsc";
}

uint64_t sonde_arch_ticks(void)
{
    uint32_t low, high;

    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high)::"memory");
    return (uint64_t)high << 32 | low;
}

/* Leaf 0x15 gives the crystal and its multiplier; hypervisors may say it in kHz. */
double sonde_arch_tick_announced_hz(void)
{
    struct cpuid leaf = sonde_arch_cpuid(0x15, 0);

    if (leaf.eax != 0 && leaf.ebx != 0 && leaf.ecx != 0)
        return (double)leaf.ecx * leaf.ebx / leaf.eax;
    if (sonde_arch_bits(sonde_arch_cpuid(1, 0).ecx, 31, 1))
        return sonde_arch_cpuid(0x40000010, 0).eax * 1000.0;
    return 0;
}

bool sonde_arch_tick_invariant(void)
{
    return sonde_arch_bits(sonde_arch_cpuid(0x80000007, 0).edx, 8, 1) != 0;
}
