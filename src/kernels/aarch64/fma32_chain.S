/* uint64_t sonde_kernel_fma32_chain(void *data, uint64_t count, uint64_t argument)
 * Fused multiply-adds in one chain: 32 dependent ones of a float an iteration. The
 * product is that of the last result, which is a fixed point: it neither grows nor
 * decays.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0  the chain   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fma32_chain
    operands s32, START32, FMA_FACTOR32, FMA_ADDEND32
    cbz     x1, 9f
    .p2align 6
1:
    .rept   16
    fmadd   s0, s0, s8, s9
    fmadd   s0, s0, s8, s9
    .endr
    subs    x1, x1, #32
    b.ne    1b
9:
    finish  fma32_chain, s32
