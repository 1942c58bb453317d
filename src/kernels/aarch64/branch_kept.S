/* uint64_t sonde_kernel_branch_kept(void *data, uint64_t count, uint64_t argument)
 *
 * Sums the bytes of 128 and more, by a conditional branch around the addition.
 *   x3  the sum    x0  next byte    x1  bytes left    x2  the byte
 * One iteration: 1 step, 6 instructions (1 more branch, forward), 1 load of 1 byte, no
 * stores. */
#include "kernels/aarch64/function.inc"

FUNCTION sonde_kernel_branch_kept
    mov     x3, #0
    cbz     x1, 2f
    .p2align 6
1:
    ldrb    w2, [x0], #1
    cmp     w2, #128
    b.lo    3f
    add     x3, x3, x2
3:
    subs    x1, x1, #1
    b.ne    1b
2:
    mov     x0, x3
    ret
END_FUNCTION sonde_kernel_branch_kept
