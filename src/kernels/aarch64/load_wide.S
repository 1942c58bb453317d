/* uint64_t sonde_kernel_load_wide(void *data, uint64_t count, uint64_t argument)
 *
 * Loads the 32 words at `data` again and again, into eight registers; nothing waits for
 * anything, so as many run at once as the core has ports for. The value is the sum of the
 * last eight words loaded.
 *   x3 to x10  what is loaded    x0  data    x1  steps left (a multiple of 32)
 * One iteration: 32 steps, 34 instructions, 32 loads of 8 bytes, no stores. */
#include "kernels/aarch64/function.inc"

.macro EIGHT at
    ldr     x3, [x0, #\at]
    ldr     x4, [x0, #(\at + 8)]
    ldr     x5, [x0, #(\at + 16)]
    ldr     x6, [x0, #(\at + 24)]
    ldr     x7, [x0, #(\at + 32)]
    ldr     x8, [x0, #(\at + 40)]
    ldr     x9, [x0, #(\at + 48)]
    ldr     x10, [x0, #(\at + 56)]
.endm

FUNCTION sonde_kernel_load_wide
    mov     x3, xzr
    mov     x4, xzr
    mov     x5, xzr
    mov     x6, xzr
    mov     x7, xzr
    mov     x8, xzr
    mov     x9, xzr
    mov     x10, xzr
    cbz     x1, 2f
    .p2align 6
1:
    EIGHT   0
    EIGHT   64
    EIGHT   128
    EIGHT   192
    subs    x1, x1, #32
    b.hi    1b
2:
    add     x0, x3, x4
    add     x5, x5, x6
    add     x7, x7, x8
    add     x9, x9, x10
    add     x0, x0, x5
    add     x7, x7, x9
    add     x0, x0, x7
    ret
END_FUNCTION sonde_kernel_load_wide
