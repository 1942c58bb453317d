/* uint64_t sonde_kernel_call_nest(void *data, uint64_t count, uint64_t argument)
 *
 * `argument` calls (1 to CALLS_DEPTH_MAX), each inside the one before, then as many
 * returns, each to an address of its own: an address forgotten by the return stack cannot
 * be guessed from another. Each level adds one to the result.
 *   x0  calls made    x1  steps left    x4  the outermost level
 * One iteration: 1 step, 3 instructions beside what is called, no loads, no stores. */
#include "kernels/calls.h"
#include "kernels/aarch64/function.inc"

FUNCTION sonde_kernel_call_nest
    stp     x29, x30, [sp, #-16]!
    adr     x4, nest_last
    sub     x4, x4, x2, lsl #5
    mov     x0, #0
    cbz     x1, 2f
    .p2align 6
1:
    blr     x4
    subs    x1, x1, #1
    b.ne    1b
2:
    ldp     x29, x30, [sp], #16
    ret
    /* The levels, 32 bytes each, the innermost one last: `argument` of them are entered
     * so many before nest_last. */
    .p2align 5
    .rept CALLS_DEPTH_MAX - 1
    hint    34
    str     x30, [sp, #-16]!
    bl      3f
    add     x0, x0, #1
    ldr     x30, [sp], #16
    ret
    .p2align 5
3:
    .endr
    hint    34
    add     x0, x0, #1
    ret
    .p2align 5
nest_last:
END_FUNCTION sonde_kernel_call_nest
