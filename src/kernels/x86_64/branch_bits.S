/* uint64_t sonde_kernel_branch_bits(void *data, uint64_t count, uint64_t argument)
 *
 * One conditional branch per bit of `data`, lowest bit first: taken over a 0, not taken
 * before a 1, which is counted. Bits are shifted out of a register, so that a branch waits
 * for one cycle and for no load.
 *   rax  ones    rdi  next word    rsi  steps left (a multiple of 64)    rdx  bits left
 * One iteration: 64 steps, 196 instructions (64 more branches, all forward), 1 load of 8
 * bytes, no stores. No loop is inside the loop: its end would be mispredicted as well. */
#include "kernels/x86_64/function.inc"

FUNCTION sonde_kernel_branch_bits
    xorl    %eax, %eax
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    movq    (%rdi), %rdx
    addq    $8, %rdi
    .rept 64
    shrq    $1, %rdx
    jnc     3f
    incq    %rax
3:
    .endr
    subq    $64, %rsi
    ja      1b
2:
    ret
END_FUNCTION sonde_kernel_branch_bits
