/* Machine code of an instruction set that is none we know: it is not read. */
#include "arch/arch.h"

#include <errno.h>

int sonde_arch_decode(const unsigned char *code, struct arch_instruction *instruction)
{
    (void)code;
    *instruction = (struct arch_instruction){.flow = FLOW_ON};
    return -ENOTSUP;
}
