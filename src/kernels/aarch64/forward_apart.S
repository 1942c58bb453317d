/* uint64_t sonde_kernel_forward_apart(void *data, uint64_t count, uint64_t argument)
 *
 * Stores a zero, then loads a zero from elsewhere; the load's result is part of both next
 * addresses. The block must be zero; the result is the number of steps.
 * One iteration: 16 steps, 66 instructions, 16 loads, 16 stores. */
#include "kernels/aarch64/forward.inc"

FUNCTION sonde_kernel_forward_apart
    places_open
    mov     x9, x1
    mov     x5, #0
    cbz     x1, 2f
    .p2align 6
1:
    .set    at, 0
    .rept   FORWARD_PLACES
    add     x7, x3, x5
    str     xzr, [x7, #at]
    add     x8, x4, x5
    ldr     x5, [x8, #at]
    .set    at, at + FORWARD_PITCH
    .endr
    subs    x1, x1, #FORWARD_PLACES
    b.ne    1b
2:
    add     x0, x5, x9
    ret
END_FUNCTION sonde_kernel_forward_apart
