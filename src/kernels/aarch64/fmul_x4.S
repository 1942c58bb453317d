/* uint64_t sonde_kernel_fmul_x4(void *data, uint64_t count, uint64_t argument)
 * Floating multiplies in 4 chains, 32 an iteration: how much of their latency hides.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0 to v3  the chains   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fmul_x4
    operands s64, START64, FACTOR64, BACK64
    copies  s64, OTHERS_4
    cbz     x1, 9f
    .p2align 6
1:
    .rept   4
    .irp    n, CHAINS_4
    fmul    d\n, d\n, d8
    .endr
    .irp    n, CHAINS_4
    fmul    d\n, d\n, d9
    .endr
    .endr
    subs    x1, x1, #32
    b.ne    1b
9:
    finish  fmul_x4, s64, OTHERS_4
