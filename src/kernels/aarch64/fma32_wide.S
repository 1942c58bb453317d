/* uint64_t sonde_kernel_fma32_wide(void *data, uint64_t count, uint64_t argument)
 * Fused multiply-adds of a float in 24 chains, 48 an iteration: as many as the pipes
 * take. The product is that of the last result, which is a fixed point: it neither
 * grows nor decays.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0 to v7, v16 to v31  the chains   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fma32_wide
    operands s32, START32, FMA_FACTOR32, FMA_ADDEND32
    copies  s32, OTHERS_24
    cbz     x1, 9f
    .p2align 6
1:
    .irp    n, CHAINS_24
    fmadd   s\n, s\n, s8, s9
    .endr
    .irp    n, CHAINS_24
    fmadd   s\n, s\n, s8, s9
    .endr
    subs    x1, x1, #48
    b.ne    1b
9:
    finish  fma32_wide, s32, OTHERS_24
