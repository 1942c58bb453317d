/* uint64_t sonde_kernel_chase_x4(void *data, uint64_t count, uint64_t argument)
 *
 * 4 chases at once, in registers: data in rdi, count in rsi.
 * One iteration: 4 steps, 18 instructions, 16 loads, no stores. */
#include "kernels/x86_64/cursors.inc"

CHASE_REGISTERS sonde_kernel_chase_x4, rax, rcx, rdx, r8
