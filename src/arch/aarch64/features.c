/* Features of aarch64 cores, as the kernel grants them.
 *
 * AT_HWCAP holds only what the kernel saves and restores for programs and what all cores
 * of the system have, which is just what a kernel may use. */
#include "arch/arch.h"

#include <asm/hwcap.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

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

/* Asked of the kernel: the instruction that tells it is one that not all cores have. */
size_t sonde_arch_scalable_bytes(void)
{
    int granted;

    if (!(sonde_arch_features() & FEATURE_SVE))
        return 0;
    granted = prctl(PR_SVE_GET_VL);
    return granted < 0 ? 0 : (size_t)(granted & PR_SVE_VL_LEN_MASK);
}
