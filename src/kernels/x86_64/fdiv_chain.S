/* uint64_t sonde_kernel_fdiv_chain(void *data, uint64_t count, uint64_t argument)
 * Floating divides in one chain: 32 dependent ones of a double an iteration. A divisor
 * and its inverse take turns, both with full mantissas: nothing ends a divider early.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * xmm0  the chain   xmm14 xmm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fdiv_chain
    operands s64, START64, FACTOR64, BACK64
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   16
    divsd   %xmm14, %xmm0
    divsd   %xmm15, %xmm0
    .endr
    subq    $32, %rsi
    jnz     1b
9:
    finish  fdiv_chain, s64
