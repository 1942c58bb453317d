/* uint64_t sonde_kernel_fsqrt32_wide(void *data, uint64_t count, uint64_t argument)
 * Square roots of one number into 24 registers, 48 an iteration: nothing waits for
 * anything but for the unit.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0 to v7, v16 to v31  the chains   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fsqrt32_wide
    operands s32, START32, ROOT_FACTOR32, START32
    copies  s32, OTHERS_24
    cbz     x1, 9f
    .p2align 6
1:
    .rept   2
    .irp    n, CHAINS_24
    fsqrt   s\n, s9
    .endr
    .endr
    subs    x1, x1, #48
    b.ne    1b
9:
    finish  fsqrt32_wide, s32, OTHERS_24
