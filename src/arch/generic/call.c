/* A call where registers cannot be watched: only the result is looked at. */
#include "arch/arch.h"

long sonde_arch_watched_call(arch_function *function, void *data, const long *arguments,
                             uint64_t *broken)
{
    *broken = 0;
    return function(data, arguments[0], arguments[1], arguments[2], arguments[3]);
}
