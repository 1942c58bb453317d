/* Features of aarch64 cores, as the kernel grants them.
 *
 * AT_HWCAP holds only what the kernel saves and restores for programs and what all cores
 * of the system have, which is just what a kernel may use. */
#include "arch/arch.h"

#include <asm/hwcap.h>
#include <sys/auxv.h>

static const struct {
    unsigned long bit;
    unsigned feature;
    const char *name;
} known[] = {
    {HWCAP_ASIMD, FEATURE_NEON, "neon"},
    {HWCAP_SVE, FEATURE_SVE, "sve"},
    {HWCAP_ATOMICS, FEATURE_LSE, "lse"},
};

unsigned sonde_arch_features(void)
{
    unsigned long granted = getauxval(AT_HWCAP);
    unsigned features = FEATURE_NONE;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (granted & known[i].bit)
            features |= known[i].feature;
    return features;
}

const char *sonde_arch_feature_name(unsigned feature)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (feature == known[i].feature)
            return known[i].name;
    return NULL;
}
