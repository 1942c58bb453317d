/* uint64_t sonde_kernel_fsqrt32_chain(void *data, uint64_t count, uint64_t argument)
 * Square roots in one chain, 16 an iteration, each times a number that makes up for
 * it: without that they would end at 1, where a root is trivial. What the multiply
 * takes is taken off by inference.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * xmm0  the chain   xmm14 xmm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fsqrt32_chain
    operands s32, START32, ROOT_FACTOR32, START32
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   16
    sqrtss  %xmm0, %xmm0
    mulss   %xmm14, %xmm0
    .endr
    subq    $16, %rsi
    jnz     1b
9:
    finish  fsqrt32_chain, s32
