/* CPUID, one leaf at a time.
 *
 * Each range (basic, hypervisors, extended) announces its highest leaf in its first one.
 * A leaf beyond it is answered by Intel with the content of the highest basic leaf, which
 * must not be taken for an answer, so it reads as zeros here. */
#include "arch/x86_64/cpuid.h"

#include <cpuid.h>
#include <string.h>

struct cpuid sonde_arch_cpuid(uint32_t leaf, uint32_t subleaf)
{
    struct cpuid result = {0};
    uint32_t range = leaf & 0xffffff00, highest, unused;

    __cpuid(range, highest, unused, unused, unused);
    if (range == 0x40000000 && highest == 0) /* old KVM: means 0x40000001 */
        highest = range + 1;
    if (leaf > highest || (highest & 0xffffff00) != range)
        return result;
    __cpuid_count(leaf, subleaf, result.eax, result.ebx, result.ecx, result.edx);
    return result;
}

uint32_t sonde_arch_bits(uint32_t value, unsigned low, unsigned width)
{
    return (uint32_t)(value >> low & ((UINT64_C(1) << width) - 1));
}

bool sonde_arch_is_amd(void)
{
    struct arch_core core;

    sonde_arch_core(&core);
    return strcmp(core.vendor, "AuthenticAMD") == 0 ||
           strcmp(core.vendor, "HygonGenuine") == 0;
}
