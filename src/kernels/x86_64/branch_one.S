/* uint64_t sonde_kernel_branch_one(void *data, uint64_t count, uint64_t argument)
 *
 * One and the same conditional branch for all bits of `data`: the bits number 0, 1, ... and
 * after bit `argument`, a power of two less one, again from 0. Counts the ones.
 *   rax  ones    rcx  number of the bit    rsi  steps left    r8, r9  the word
 * One iteration: 1 step, 10 instructions, 1 load of 8 bytes, no stores. */
#include "kernels/x86_64/function.inc"

FUNCTION sonde_kernel_branch_one
    xorl    %eax, %eax
    xorl    %ecx, %ecx
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    movq    %rcx, %r8
    shrq    $6, %r8
    movq    (%rdi,%r8,8), %r9
    btq     %rcx, %r9
    jnc     3f
    incq    %rax
3:
    incq    %rcx
    andq    %rdx, %rcx
    decq    %rsi
    jnz     1b
2:
    ret
END_FUNCTION sonde_kernel_branch_one
