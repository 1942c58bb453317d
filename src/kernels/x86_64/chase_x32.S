/* uint64_t sonde_kernel_chase_x32(void *data, uint64_t count, uint64_t argument)
 *
 * 32 chases at once, kept in the array: data in rdi, count in rsi.
 * One iteration: 1 step, 98 instructions, 64 loads, 32 stores. */
#include "kernels/x86_64/cursors.inc"

CHASE_ARRAY sonde_kernel_chase_x32, 32
