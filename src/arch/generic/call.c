/* A call where registers cannot be watched: only the result is looked at. A chain of them
 * as a compiler writes it. */
#include "arch/arch.h"

long sonde_arch_watched_call(arch_function *function, void *data, const long *arguments,
                             uint64_t *broken)
{
    *broken = 0;
    return function(data, arguments[0], arguments[1], arguments[2], arguments[3]);
}

static uint64_t chain(arch_function *function, void *data, uint64_t count,
                      const long *arguments, long zero, long *last)
{
    uint64_t total = 0;

    *last = 0;
    for (; count > 0; count--) {
        long nothing = *last & zero;

        *last = function((char *)data + nothing, arguments[0] + nothing,
                         arguments[1] + nothing, arguments[2] + nothing,
                         arguments[3] + nothing);
        total += (uint64_t)*last;
    }
    return total;
}

arch_chain *sonde_arch_chain(unsigned number, unsigned arguments)
{
    (void)number, (void)arguments;
    return chain;
}
