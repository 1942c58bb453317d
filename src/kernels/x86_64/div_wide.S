/* uint64_t sonde_kernel_div_wide(void *data, uint64_t count, uint64_t argument)
 * Unsigned divides of 64 bits that wait for nothing, 16 an iteration; their quotients
 * are summed. The dividend has 63 bits, divisor and quotient 32.
 * Per iteration: 66 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * rax  the quotient   rcx  the divisor   rdx  upper half of the dividend: 0
 * r8  the dividend   r9  the sum   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   div_wide
    movabsq $DIVIDEND, %r8
    movl    $DIVISOR_FIRST, %ecx
    xorl    %r9d, %r9d
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   16
    movq    %r8, %rax
    xorl    %edx, %edx
    divq    %rcx
    addq    %rax, %r9
    .endr
    subq    $16, %rsi
    jnz     1b
9:
    movq    %r9, %rax
    ret
    .size   sonde_kernel_div_wide, . - sonde_kernel_div_wide

    .section .note.GNU-stack, "", @progbits
