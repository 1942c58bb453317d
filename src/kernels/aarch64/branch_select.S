/* uint64_t sonde_kernel_branch_select(void *data, uint64_t count, uint64_t argument)
 *
 * Sums the bytes of 128 and more by arithmetic: what is added is chosen by a conditional
 * select, and nothing depends on a prediction but the end of the loop.
 *   x3  the sum    x0  next byte    x1  bytes left    x2  the byte, then it or 0
 * One iteration: 1 step, 6 instructions, 1 load of 1 byte, no stores. */
#include "kernels/aarch64/function.inc"

FUNCTION sonde_kernel_branch_select
    mov     x3, #0
    cbz     x1, 2f
    .p2align 6
1:
    ldrb    w2, [x0], #1
    cmp     w2, #128
    csel    x2, x2, xzr, hs
    add     x3, x3, x2
    subs    x1, x1, #1
    b.ne    1b
2:
    mov     x0, x3
    ret
END_FUNCTION sonde_kernel_branch_select
