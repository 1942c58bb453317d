/* Names of the registers that a function must preserve, in the order of the bits that a
 * watched call gives. */
#include "arch/arch.h"

const char *sonde_arch_preserved_name(unsigned bit)
{
    static const char *const names[] = {
        "rbx", "rbp", "r12", "r13", "r14", "r15", "the direction flag"};

    return bit < sizeof names / sizeof names[0] ? names[bit] : NULL;
}
