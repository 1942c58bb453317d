/* uint64_t sonde_kernel_fma_v256_chain(void *data, uint64_t count, uint64_t argument)
 * Fused multiply-adds in one chain: 32 dependent ones of 4 doubles an iteration. The
 * product is that of the last result, which is a fixed point: it neither grows nor
 * decays.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * ymm0  the chain   ymm14 ymm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fma_v256_chain
    operands v256, START64, FMA_FACTOR64, FMA_ADDEND64
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   16
    vfmadd213pd %ymm15, %ymm14, %ymm0
    vfmadd213pd %ymm15, %ymm14, %ymm0
    .endr
    subq    $32, %rsi
    jnz     1b
9:
    finish  fma_v256_chain, v256
