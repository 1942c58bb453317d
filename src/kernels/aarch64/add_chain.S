/* uint64_t sonde_kernel_add_chain(void *data, uint64_t count, uint64_t argument)
 *
 * Adds the argument to a sum, each add waiting for the one before: one cycle each. Both
 * operands are registers, since some cores fold an add of a constant away at rename.
 * Returns the sum.
 *   x0  the sum    x2  the addend    x1  steps left (a multiple of 32)
 * One iteration: 32 steps, 34 instructions, no loads, no stores. */
#include "kernels/aarch64/function.inc"

FUNCTION sonde_kernel_add_chain
    mov     x0, xzr
    cbz     x1, 2f
    .p2align 6
1:
    .rept 32
    add     x0, x0, x2
    .endr
    subs    x1, x1, #32
    b.hi    1b
2:
    ret
END_FUNCTION sonde_kernel_add_chain
