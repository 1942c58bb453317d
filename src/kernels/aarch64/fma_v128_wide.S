/* uint64_t sonde_kernel_fma_v128_wide(void *data, uint64_t count, uint64_t argument)
 * Fused multiply-adds of 2 doubles in 24 chains, 48 an iteration: as many as the pipes
 * take. Each step adds a product, the next takes it off: the chain is through the sum,
 * the only operand that the instruction shares with its result; some cores pass it on
 * early.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0 to v7, v16 to v31  the chains   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fma_v128_wide
    operands v128, START64, FMA_FACTOR64, FMA_ADDEND64
    copies  OTHERS_24
    cbz     x1, 9f
    .p2align 6
1:
    .irp    n, CHAINS_24
    fmla    v\n\().2d, v8.2d, v9.2d
    .endr
    .irp    n, CHAINS_24
    fmls    v\n\().2d, v8.2d, v9.2d
    .endr
    subs    x1, x1, #48
    b.ne    1b
9:
    finish  fma_v128_wide, v128, OTHERS_24
