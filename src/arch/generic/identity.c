/* What a core of an unknown instruction set says of itself: nothing.
 *
 * Everything declared then comes from files and from sysconf. */
#include "arch/arch.h"

#include <string.h>

size_t sonde_arch_identity(struct arch_fact *facts, size_t capacity)
{
    (void)facts;
    (void)capacity;
    return 0;
}

void sonde_arch_core(struct arch_core *core)
{
    memset(core, 0, sizeof *core);
}
