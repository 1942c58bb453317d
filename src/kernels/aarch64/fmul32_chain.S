/* uint64_t sonde_kernel_fmul32_chain(void *data, uint64_t count, uint64_t argument)
 * Floating multiplies in one chain: 32 dependent ones of a float an iteration. A
 * factor and its inverse take turns: the product neither grows nor decays.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0  the chain   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fmul32_chain
    operands s32, START32, FACTOR32, BACK32
    cbz     x1, 9f
    .p2align 6
1:
    .rept   16
    fmul    s0, s0, s8
    fmul    s0, s0, s9
    .endr
    subs    x1, x1, #32
    b.ne    1b
9:
    finish  fmul32_chain, s32
