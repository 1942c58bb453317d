/* uint64_t sonde_kernel_chase_x2(void *data, uint64_t count, uint64_t argument)
 *
 * 2 chases at once, in registers: data in x0, count in x1.
 * One iteration: 4 steps, 10 instructions, 8 loads, no stores. */
#include "kernels/aarch64/cursors.inc"

CHASE_REGISTERS sonde_kernel_chase_x2, x3, x4
