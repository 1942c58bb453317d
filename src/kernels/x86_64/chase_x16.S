/* uint64_t sonde_kernel_chase_x16(void *data, uint64_t count, uint64_t argument)
 *
 * 16 chases at once, kept in the array: data in rdi, count in rsi.
 * One iteration: 1 step, 50 instructions, 32 loads, 16 stores. */
#include "kernels/x86_64/cursors.inc"

CHASE_ARRAY sonde_kernel_chase_x16, 16
