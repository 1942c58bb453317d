/* Features of an instruction set that we know nothing of: those every core has.
 *
 * Kernels that need more are left out, and the C references run. */
#include "arch/arch.h"

unsigned sonde_arch_features(void)
{
    return FEATURE_NONE;
}

const char *sonde_arch_feature_name(unsigned feature)
{
    (void)feature;
    return NULL;
}

size_t sonde_arch_scalable_bytes(void)
{
    return 0;
}
