/* uint64_t sonde_kernel_div_chain(void *data, uint64_t count, uint64_t argument)
 * Unsigned divides of 64 bits in one chain, 16 an iteration: the quotient is the next
 * divisor. The dividend has 63 bits, divisors and quotients 32: two of them take
 * turns.
 * Per iteration: 18 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * x0  the quotient, then the divisor   x2  the dividend   x1  steps left
 */
#include "kernels/operands.h"

    .text
    .globl  sonde_kernel_div_chain
    .hidden sonde_kernel_div_chain
    .type   sonde_kernel_div_chain, %function
    .p2align 6
sonde_kernel_div_chain:
    hint    34                      /* bti c, where the core knows it */
    ldr     x2, =DIVIDEND
    ldr     x0, =DIVISOR_FIRST
    cbz     x1, 9f
    .p2align 6
1:
    .rept   16
    udiv    x0, x2, x0
    .endr
    subs    x1, x1, #16
    b.ne    1b
9:
    ret
    .ltorg
    .size   sonde_kernel_div_chain, . - sonde_kernel_div_chain

    .section .note.GNU-stack, "", %progbits
