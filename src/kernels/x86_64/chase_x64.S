/* uint64_t sonde_kernel_chase_x64(void *data, uint64_t count, uint64_t argument)
 *
 * 64 chases at once, kept in the array: data in rdi, count in rsi.
 * One iteration: 1 step, 194 instructions, 128 loads, 64 stores. */
#include "kernels/x86_64/cursors.inc"

CHASE_ARRAY sonde_kernel_chase_x64, 64
