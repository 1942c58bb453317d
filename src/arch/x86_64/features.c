/* Features of x86 cores that both the core and the kernel allow.
 *
 * Wide registers need the kernel to save them: the core says which it saves in XCR0, and
 * CPUID alone is not enough (a hypervisor or the kernel may have them off). */
#include "arch/x86_64/cpuid.h"

static const struct {
    unsigned feature;
    const char *name;
} names[] = {
    {FEATURE_SSE2, "sse2"},       {FEATURE_AVX2, "avx2"}, {FEATURE_FMA, "fma"},
    {FEATURE_AVX512F, "avx512f"}, {FEATURE_BMI2, "bmi2"}, {FEATURE_SSE41, "sse4.1"},
};

/* Which register states the kernel saves; 0 where XGETBV is not enabled. */
static uint32_t saved_states(const struct cpuid *first)
{
    uint32_t low, high;

    if (!sonde_arch_bits(first->ecx, 27, 1)) /* OSXSAVE */
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

unsigned sonde_arch_features(void)
{
    struct cpuid first = sonde_arch_cpuid(1, 0), seventh = sonde_arch_cpuid(7, 0);
    uint32_t saved = saved_states(&first);
    bool avx = (saved & 0x06) == 0x06 && sonde_arch_bits(first.ecx, 28, 1);
    bool avx512 = avx && (saved & 0xe6) == 0xe6;
    unsigned features = FEATURE_NONE;

    if (sonde_arch_bits(first.edx, 26, 1))
        features |= FEATURE_SSE2;
    if (sonde_arch_bits(first.ecx, 19, 1))
        features |= FEATURE_SSE41;
    if (avx && sonde_arch_bits(seventh.ebx, 5, 1))
        features |= FEATURE_AVX2;
    if (avx && sonde_arch_bits(first.ecx, 12, 1))
        features |= FEATURE_FMA;
    if (avx512 && sonde_arch_bits(seventh.ebx, 16, 1))
        features |= FEATURE_AVX512F;
    if (sonde_arch_bits(seventh.ebx, 8, 1))
        features |= FEATURE_BMI2;
    return features;
}

const char *sonde_arch_feature_name(unsigned feature)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].feature == feature)
            return names[i].name;
    return NULL;
}

size_t sonde_arch_scalable_bytes(void)
{
    return 0;
}
