/* uint64_t sonde_kernel_chase_x6(void *data, uint64_t count, uint64_t argument)
 *
 * 6 chases at once, in registers: data in x0, count in x1.
 * One iteration: 4 steps, 26 instructions, 24 loads, no stores. */
#include "kernels/aarch64/cursors.inc"

CHASE_REGISTERS sonde_kernel_chase_x6, x3, x4, x5, x6, x7, x8
