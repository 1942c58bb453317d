/* uint64_t sonde_kernel_fadd32_chain(void *data, uint64_t count, uint64_t argument)
 * Floating adds in one chain: 32 dependent ones of a float an iteration. A number is
 * added, then taken off again, by adding its negative: the sum neither grows nor
 * decays.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * xmm0  the chain   xmm14 xmm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fadd32_chain
    operands s32, START32, FACTOR32, MINUS32
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   16
    addss   %xmm14, %xmm0
    addss   %xmm15, %xmm0
    .endr
    subq    $32, %rsi
    jnz     1b
9:
    finish  fadd32_chain, s32
