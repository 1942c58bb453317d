/* uint64_t sonde_kernel_mul_chain(void *data, uint64_t count, uint64_t argument)
 *
 * Multiplies 1 by the argument, made odd so that it never decays to 0, each product
 * waiting for the one before. Returns the product.
 *   x0  the product    x2  the factor    x1  steps left (a multiple of 32)
 * One iteration: 32 steps, 34 instructions, no loads, no stores. */
#include "kernels/aarch64/function.inc"

FUNCTION sonde_kernel_mul_chain
    mov     x0, #1
    orr     x2, x2, #1
    cbz     x1, 2f
    .p2align 6
1:
    .rept 32
    mul     x0, x0, x2
    .endr
    subs    x1, x1, #32
    b.hi    1b
2:
    ret
END_FUNCTION sonde_kernel_mul_chain
