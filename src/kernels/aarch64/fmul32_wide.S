/* uint64_t sonde_kernel_fmul32_wide(void *data, uint64_t count, uint64_t argument)
 * Floating multiplies of a float in 24 chains, 48 an iteration: as many as the pipes
 * take. A factor and its inverse take turns: the product neither grows nor decays.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0 to v7, v16 to v31  the chains   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fmul32_wide
    operands s32, START32, FACTOR32, BACK32
    copies  s32, OTHERS_24
    cbz     x1, 9f
    .p2align 6
1:
    .irp    n, CHAINS_24
    fmul    s\n, s\n, s8
    .endr
    .irp    n, CHAINS_24
    fmul    s\n, s\n, s9
    .endr
    subs    x1, x1, #48
    b.ne    1b
9:
    finish  fmul32_wide, s32, OTHERS_24
