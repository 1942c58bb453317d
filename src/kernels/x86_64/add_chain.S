/* uint64_t sonde_kernel_add_chain(void *data, uint64_t count, uint64_t argument)
 *
 * Adds the argument to a sum, each add waiting for the one before: one cycle each. Both
 * operands are registers, since some cores fold an add of a constant away at rename.
 * Returns the sum.
 *   rax  the sum    rdx  the addend    rsi  steps left (a multiple of 32)
 * One iteration: 32 steps, 34 instructions, no loads, no stores. */
#include "kernels/x86_64/function.inc"

FUNCTION sonde_kernel_add_chain
    xorl    %eax, %eax
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    .rept 32
    addq    %rdx, %rax
    .endr
    subq    $32, %rsi
    ja      1b
2:
    ret
END_FUNCTION sonde_kernel_add_chain
