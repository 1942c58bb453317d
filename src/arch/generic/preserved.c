/* Names of the registers that a function must preserve, in the order of the bits that a
 * watched call gives. */
#include "arch/arch.h"

const char *sonde_arch_preserved_name(unsigned bit)
{
    (void)bit;
    return NULL;
}
