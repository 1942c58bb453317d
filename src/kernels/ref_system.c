/* References of the kernels that call the system: all of the steps succeed, and memory is
 * as before. */
#include "kernels/names.h"

#define SUCCEEDS(name)                                                                   \
    uint64_t sonde_kernel_ref_##name(void *data, uint64_t count, uint64_t argument)      \
    {                                                                                    \
        (void)data, (void)argument;                                                      \
        return count;                                                                    \
    }
SUCCEEDS(os_syscall)
SUCCEEDS(os_vdso)
SUCCEEDS(os_map)
SUCCEEDS(os_signal)
SUCCEEDS(os_thread)
SUCCEEDS(os_process)
SUCCEEDS(os_exec)
SUCCEEDS(os_pipe)
SUCCEEDS(os_eventfd)
SUCCEEDS(os_futex)
