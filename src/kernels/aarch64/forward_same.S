/* uint64_t sonde_kernel_forward_same(void *data, uint64_t count, uint64_t argument)
 *
 * Stores 8 bytes and loads them again, always at one address by one register: what cores
 * that rename memory never take to the cache.
 * One iteration: 16 steps, 50 instructions, 16 loads, 16 stores. */
#include "kernels/aarch64/forward.inc"

FUNCTION sonde_kernel_forward_same
    places_open
    mov     x5, x6
    cbz     x1, 2f
    .p2align 6
1:
    .rept   FORWARD_PLACES
    str     x5, [x3]
    ldr     x5, [x3]
    add     x5, x5, x6
    .endr
    subs    x1, x1, #FORWARD_PLACES
    b.ne    1b
2:
    mov     x0, x5
    ret
END_FUNCTION sonde_kernel_forward_same
