/* uint64_t sonde_kernel_div_wide(void *data, uint64_t count, uint64_t argument)
 * Unsigned divides of 64 bits that wait for nothing, 16 an iteration; their quotients
 * are summed. The dividend has 63 bits, divisor and quotient 32.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * x4  the quotient   x3  the divisor   x2  the dividend   x0  the sum   x1  steps left
 */
#include "kernels/operands.h"

    .text
    .globl  sonde_kernel_div_wide
    .hidden sonde_kernel_div_wide
    .type   sonde_kernel_div_wide, %function
    .p2align 6
sonde_kernel_div_wide:
    hint    34                      /* bti c, where the core knows it */
    ldr     x2, =DIVIDEND
    ldr     x3, =DIVISOR_FIRST
    mov     x0, #0
    cbz     x1, 9f
    .p2align 6
1:
    .rept   16
    udiv    x4, x2, x3
    add     x0, x0, x4
    .endr
    subs    x1, x1, #16
    b.ne    1b
9:
    ret
    .ltorg
    .size   sonde_kernel_div_wide, . - sonde_kernel_div_wide

    .section .note.GNU-stack, "", %progbits
