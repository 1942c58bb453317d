/* uint64_t sonde_kernel_fma_chain(void *data, uint64_t count, uint64_t argument)
 * Fused multiply-adds in one chain: 32 dependent ones of a double an iteration. The
 * product is that of the last result, which is a fixed point: it neither grows nor
 * decays.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * xmm0  the chain   xmm14 xmm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fma_chain
    operands s64, START64, FMA_FACTOR64, FMA_ADDEND64
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   16
    vfmadd213sd %xmm15, %xmm14, %xmm0
    vfmadd213sd %xmm15, %xmm14, %xmm0
    .endr
    subq    $32, %rsi
    jnz     1b
9:
    finish  fma_chain, s64
