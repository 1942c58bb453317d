/* uint64_t sonde_kernel_mul_wide(void *data, uint64_t count, uint64_t argument)
 * Integer multiplies in eight chains, 32 an iteration. The factor is made odd, so that
 * no product decays to 0. The sum of all chains is the result.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * rax rcx rdi r8 r9 r10 r11 rbx  the chains   rsi  steps left   rdx  the factor
 */
#include "chain.inc"

    begin   mul_wide
    pushq   %rbx                    /* the eighth chain's register is the caller's */
    orq     $1, %rdx
    .irp    chain, rax, rcx, rdi, r8, r9, r10, r11, rbx
    movq    $1, %\chain
    .endr
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   4
    .irp    chain, rax, rcx, rdi, r8, r9, r10, r11, rbx
    imulq   %rdx, %\chain
    .endr
    .endr
    subq    $32, %rsi
    jnz     1b
9:
    .irp    chain, rcx, rdi, r8, r9, r10, r11, rbx
    addq    %\chain, %rax
    .endr
    popq    %rbx
    ret
    .size   sonde_kernel_mul_wide, . - sonde_kernel_mul_wide

    .section .note.GNU-stack, "", @progbits
