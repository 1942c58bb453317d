/* uint64_t sonde_kernel_fma_wide(void *data, uint64_t count, uint64_t argument)
 * Fused multiply-adds of a double in 24 chains, 48 an iteration: as many as the pipes
 * take. The product is that of the last result, which is a fixed point: it neither
 * grows nor decays.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0 to v7, v16 to v31  the chains   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fma_wide
    operands s64, START64, FMA_FACTOR64, FMA_ADDEND64
    copies  s64, OTHERS_24
    cbz     x1, 9f
    .p2align 6
1:
    .irp    n, CHAINS_24
    fmadd   d\n, d\n, d8, d9
    .endr
    .irp    n, CHAINS_24
    fmadd   d\n, d\n, d8, d9
    .endr
    subs    x1, x1, #48
    b.ne    1b
9:
    finish  fma_wide, s64, OTHERS_24
