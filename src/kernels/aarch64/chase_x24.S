/* uint64_t sonde_kernel_chase_x24(void *data, uint64_t count, uint64_t argument)
 *
 * 24 chases at once, kept in the array: data in x0, count in x1.
 * One iteration: 1 step, 74 instructions, 48 loads, 24 stores. */
#include "kernels/aarch64/cursors.inc"

CHASE_ARRAY sonde_kernel_chase_x24, 24
