/* uint64_t sonde_kernel_chase_x12(void *data, uint64_t count, uint64_t argument)
 *
 * 12 chases at once, in registers: data in rdi, count in rsi.
 * One iteration: 4 steps, 50 instructions, 48 loads, no stores. */
#include "kernels/x86_64/cursors.inc"

CHASE_REGISTERS sonde_kernel_chase_x12, rax, rcx, rdx, r8, r9, r10, r11, rbx, rbp, r12, r13, r14
