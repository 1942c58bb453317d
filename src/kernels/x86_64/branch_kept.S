/* uint64_t sonde_kernel_branch_kept(void *data, uint64_t count, uint64_t argument)
 *
 * Sums the bytes of 128 and more, by a conditional branch around the addition.
 *   rax  the sum    rdi  next byte    rsi  bytes left    rdx  the byte
 * One iteration: 1 step, 7 instructions (1 more branch, forward), 1 load of 1 byte, no
 * stores. */
#include "kernels/x86_64/function.inc"

FUNCTION sonde_kernel_branch_kept
    xorl    %eax, %eax
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    movzbl  (%rdi), %edx
    cmpl    $128, %edx
    jb      3f
    addq    %rdx, %rax
3:
    incq    %rdi
    decq    %rsi
    jnz     1b
2:
    ret
END_FUNCTION sonde_kernel_branch_kept
