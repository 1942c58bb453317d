/* uint64_t sonde_kernel_chase_x6(void *data, uint64_t count, uint64_t argument)
 *
 * 6 chases at once, in registers: data in rdi, count in rsi.
 * One iteration: 4 steps, 26 instructions, 24 loads, no stores. */
#include "kernels/x86_64/cursors.inc"

CHASE_REGISTERS sonde_kernel_chase_x6, rax, rcx, rdx, r8, r9, r10
