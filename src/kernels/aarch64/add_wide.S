/* uint64_t sonde_kernel_add_wide(void *data, uint64_t count, uint64_t argument)
 *
 * Eight chains of adds that do not wait for each other: as many run at once as the core
 * has room for. Chain k begins with k; at the end they are folded, value = 2 value + chain,
 * from chain 0 to chain 7, so that the result depends on each in its own way.
 *   x0 x3 x4 x5 x6 x7 x8 x9  the chains    x2  the addend
 *   x1  steps left (a multiple of 32)
 * One iteration: 32 steps (four of each chain), 34 instructions, no loads, no stores. */
#include "kernels/aarch64/function.inc"

FUNCTION sonde_kernel_add_wide
    mov     x0, xzr
    mov     x3, #1
    mov     x4, #2
    mov     x5, #3
    mov     x6, #4
    mov     x7, #5
    mov     x8, #6
    mov     x9, #7
    cbz     x1, 2f
    .p2align 6
1:
    .rept 4
    add     x0, x0, x2
    add     x3, x3, x2
    add     x4, x4, x2
    add     x5, x5, x2
    add     x6, x6, x2
    add     x7, x7, x2
    add     x8, x8, x2
    add     x9, x9, x2
    .endr
    subs    x1, x1, #32
    b.hi    1b
2:
    add     x0, x3, x0, lsl #1
    add     x0, x4, x0, lsl #1
    add     x0, x5, x0, lsl #1
    add     x0, x6, x0, lsl #1
    add     x0, x7, x0, lsl #1
    add     x0, x8, x0, lsl #1
    add     x0, x9, x0, lsl #1
    ret
END_FUNCTION sonde_kernel_add_wide
