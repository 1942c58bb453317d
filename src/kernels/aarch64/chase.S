/* uint64_t sonde_kernel_chase(void *data, uint64_t count, uint64_t argument)
 *
 * Follows pointers: each load gives the address of the next. Returns the last pointer.
 *   x0  the current node    x1  steps left (a multiple of 16)
 * One iteration: 16 steps, 18 instructions, 16 loads of 8 bytes, no stores. The loop
 * control hangs on x1 alone, off the chain of loads. */
#include "kernels/aarch64/function.inc"

FUNCTION sonde_kernel_chase
    cbz     x1, 2f
    .p2align 6
1:
    .rept 16
    ldr     x0, [x0]
    .endr
    subs    x1, x1, #16
    b.hi    1b
2:
    ret
END_FUNCTION sonde_kernel_chase
