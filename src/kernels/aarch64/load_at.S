/* uint64_t sonde_kernel_load_at(void *data, uint64_t count, uint64_t argument)
 *
 * Loads 8 bytes of zero at one place, any place; the result is part of the next address. The
 * block must be zero; the result is the number of steps.
 * One iteration: 16 steps, 18 instructions, 16 loads, no stores. */
#include "kernels/aarch64/forward.inc"

FUNCTION sonde_kernel_load_at
    places_open
    mov     x9, x1
    mov     x5, #0
    cbz     x1, 2f
    .p2align 6
1:
    .rept   FORWARD_PLACES
    ldr     x5, [x4, x5]
    .endr
    subs    x1, x1, #FORWARD_PLACES
    b.ne    1b
2:
    add     x0, x5, x9
    ret
END_FUNCTION sonde_kernel_load_at
