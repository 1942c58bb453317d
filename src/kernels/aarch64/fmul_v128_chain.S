/* uint64_t sonde_kernel_fmul_v128_chain(void *data, uint64_t count, uint64_t argument)
 * Floating multiplies in one chain: 32 dependent ones of 2 doubles an iteration. A
 * factor and its inverse take turns: the product neither grows nor decays.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0  the chain   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fmul_v128_chain
    operands v128, START64, FACTOR64, BACK64
    cbz     x1, 9f
    .p2align 6
1:
    .rept   16
    fmul    v0.2d, v0.2d, v8.2d
    fmul    v0.2d, v0.2d, v9.2d
    .endr
    subs    x1, x1, #32
    b.ne    1b
9:
    finish  fmul_v128_chain, v128
