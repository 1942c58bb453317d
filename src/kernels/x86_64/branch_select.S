/* uint64_t sonde_kernel_branch_select(void *data, uint64_t count, uint64_t argument)
 *
 * Sums the bytes of 128 and more by arithmetic: what is added is chosen by a conditional
 * move, and nothing depends on a prediction but the end of the loop.
 *   rax  the sum    rdi  next byte    rsi  bytes left    rdx  the byte    rcx  it or 0
 * One iteration: 1 step, 8 instructions, 1 load of 1 byte, no stores. */
#include "kernels/x86_64/function.inc"

FUNCTION sonde_kernel_branch_select
    xorl    %eax, %eax
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    movzbl  (%rdi), %edx
    xorl    %ecx, %ecx
    cmpl    $128, %edx
    cmovaeq %rdx, %rcx
    addq    %rcx, %rax
    incq    %rdi
    decq    %rsi
    jnz     1b
2:
    ret
END_FUNCTION sonde_kernel_branch_select
