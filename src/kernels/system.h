/* The kernels that call the system: what their argument means, and whether they may. */
#ifndef SONDE_KERNELS_SYSTEM_H
#define SONDE_KERNELS_SYSTEM_H

#include "kernels/kernel.h"

/* Of the handoffs os_pipe, os_eventfd and os_futex: one thread does both sides alone; two
 * of a team take one each; or one starts a thread for the other side, which inherits its
 * CPU. */
enum system_role { ROLE_ALONE, ROLE_SENDS, ROLE_ANSWERS, ROLE_WITH_THREAD };

/* One step of a kernel in a process of its own, which may be ended by whoever forbids
 * what it calls. 0; the negative errno of what was refused; -ECANCELED when the process
 * was ended by a signal; -ETIMEDOUT when it took two seconds. */
int sonde_kernel_system_try(const struct kernel *kernel, uint64_t argument);

#endif
