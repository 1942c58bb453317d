/* uint64_t sonde_kernel_fmul_x8(void *data, uint64_t count, uint64_t argument)
 * Floating multiplies in 8 chains, 32 an iteration: how much of their latency hides.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0 to v7  the chains   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fmul_x8
    operands s64, START64, FACTOR64, BACK64
    copies  s64, OTHERS_8
    cbz     x1, 9f
    .p2align 6
1:
    .rept   2
    .irp    n, CHAINS_8
    fmul    d\n, d\n, d8
    .endr
    .irp    n, CHAINS_8
    fmul    d\n, d\n, d9
    .endr
    .endr
    subs    x1, x1, #32
    b.ne    1b
9:
    finish  fmul_x8, s64, OTHERS_8
