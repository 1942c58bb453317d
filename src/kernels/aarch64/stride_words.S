/* uint64_t sonde_kernel_stride_words(void *data, uint64_t count, uint64_t argument)
 *
 * Adds up words that lie a stride apart, in four accumulators, so that loads and not the
 * adds are what is waited for. The low half of `argument` is the stride in bytes; the
 * upper half is the steps of one pass (a multiple of 32), after which it begins anew at
 * `data`, without a branch that could be mispredicted; 0: it goes on.
 *   x13 x14 x15 x16  accumulators    x3  where it is    x0  data
 *   x2 x4 x5 x6  1, 2, 3 and 4 strides    x8  steps of a pass    x7  left of this one
 *   x9 x10 x11 x12  what is loaded    x1  steps left (a multiple of 32)
 * One iteration: 32 steps, 77 instructions, 32 loads of 8 bytes, no stores. */
#include "kernels/aarch64/function.inc"

FUNCTION sonde_kernel_stride_words
    mov     x3, x0
    extr    x8, xzr, x2, #32
    mov     x7, x8
    ubfx    x2, x2, #0, #32
    add     x4, x2, x2
    add     x5, x4, x2
    add     x6, x4, x4
    mov     x13, xzr
    mov     x14, xzr
    mov     x15, xzr
    mov     x16, xzr
    cbz     x1, 2f
    .p2align 6
1:
    .rept 8
    ldr     x9, [x3]
    ldr     x10, [x3, x2]
    ldr     x11, [x3, x4]
    ldr     x12, [x3, x5]
    add     x3, x3, x6
    add     x13, x13, x9
    add     x14, x14, x10
    add     x15, x15, x11
    add     x16, x16, x12
    .endr
    subs    x7, x7, #32
    csel    x3, x0, x3, eq
    csel    x7, x8, x7, eq
    subs    x1, x1, #32
    b.hi    1b
2:
    add     x13, x13, x14
    add     x15, x15, x16
    add     x0, x13, x15
    ret
END_FUNCTION sonde_kernel_stride_words
