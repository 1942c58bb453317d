/* Names of the registers that a function must preserve, in the order of the bits that a
 * watched call gives. */
#include "arch/arch.h"

const char *sonde_arch_preserved_name(unsigned bit)
{
    static const char *const names[] = {"x19", "x20", "x21", "x22", "x23", "x24", "x25",
                                        "x26", "x27", "x28", "x29", "d8",  "d9",  "d10",
                                        "d11", "d12", "d13", "d14", "d15"};

    return bit < sizeof names / sizeof names[0] ? names[bit] : NULL;
}
