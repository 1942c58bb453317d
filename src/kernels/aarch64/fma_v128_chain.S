/* uint64_t sonde_kernel_fma_v128_chain(void *data, uint64_t count, uint64_t argument)
 * Fused multiply-adds in one chain: 32 dependent ones of 2 doubles an iteration. Each
 * step adds a product, the next takes it off: the chain is through the sum, the only
 * operand that the instruction shares with its result; some cores pass it on early.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0  the chain   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fma_v128_chain
    operands v128, START64, FMA_FACTOR64, FMA_ADDEND64
    cbz     x1, 9f
    .p2align 6
1:
    .rept   16
    fmla    v0.2d, v8.2d, v9.2d
    fmls    v0.2d, v8.2d, v9.2d
    .endr
    subs    x1, x1, #32
    b.ne    1b
9:
    finish  fma_v128_chain, v128
