/* uint64_t sonde_kernel_div_chain(void *data, uint64_t count, uint64_t argument)
 * Unsigned divides of 64 bits in one chain, 16 an iteration: the quotient is the next
 * divisor. The dividend has 63 bits, divisors and quotients 32: two of them take
 * turns. The moves around a divide are taken out when registers are renamed, or cost a
 * cycle.
 * Per iteration: 66 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * rax  the quotient   rcx  the divisor   rdx  upper half of the dividend: 0
 * r8  the dividend   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   div_chain
    movabsq $DIVIDEND, %r8
    movl    $DIVISOR_FIRST, %eax
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   16
    movq    %rax, %rcx
    movq    %r8, %rax
    xorl    %edx, %edx
    divq    %rcx
    .endr
    subq    $16, %rsi
    jnz     1b
9:
    ret
    .size   sonde_kernel_div_chain, . - sonde_kernel_div_chain

    .section .note.GNU-stack, "", @progbits
