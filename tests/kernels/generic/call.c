/* Calls a kernel plainly: on an unknown instruction set its registers cannot be watched.
 * The kernels there are C, whose compiler keeps the rules. */
#include "call.h"

const uint64_t sonde_test_clobbered = 0;

uint64_t sonde_test_call(kernel_function *run, void *data, uint64_t count,
                         uint64_t argument, uint64_t *broken)
{
    *broken = 0;
    return run(data, count, argument);
}

uint64_t sonde_test_clobber(void *data, uint64_t count, uint64_t argument)
{
    (void)data;
    return count + argument;
}
