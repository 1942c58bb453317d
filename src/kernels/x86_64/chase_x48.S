/* uint64_t sonde_kernel_chase_x48(void *data, uint64_t count, uint64_t argument)
 *
 * 48 chases at once, kept in the array: data in rdi, count in rsi.
 * One iteration: 1 step, 146 instructions, 96 loads, 48 stores. */
#include "kernels/x86_64/cursors.inc"

CHASE_ARRAY sonde_kernel_chase_x48, 48
