/* uint64_t sonde_kernel_fsqrt32_chain(void *data, uint64_t count, uint64_t argument)
 * Square roots in one chain, 16 an iteration, each times a number that makes up for
 * it: without that they would end at 1, where a root is trivial. What the multiply
 * takes is taken off by inference.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0  the chain   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fsqrt32_chain
    operands s32, START32, ROOT_FACTOR32, START32
    cbz     x1, 9f
    .p2align 6
1:
    .rept   16
    fsqrt   s0, s0
    fmul    s0, s0, s8
    .endr
    subs    x1, x1, #16
    b.ne    1b
9:
    finish  fsqrt32_chain, s32
