/* uint64_t sonde_kernel_fma32_wide(void *data, uint64_t count, uint64_t argument)
 * Fused multiply-adds of a float in 12 chains, 48 an iteration: as many as the pipes
 * take. The product is that of the last result, which is a fixed point: it neither
 * grows nor decays.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * xmm0 to xmm11  the chains   xmm14 xmm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fma32_wide
    operands s32, START32, FMA_FACTOR32, FMA_ADDEND32
    copies  s32, OTHERS_12
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   2
    .irp    n, CHAINS_12
    vfmadd213ss %xmm15, %xmm14, %xmm\n
    .endr
    .irp    n, CHAINS_12
    vfmadd213ss %xmm15, %xmm14, %xmm\n
    .endr
    .endr
    subq    $48, %rsi
    jnz     1b
9:
    finish  fma32_wide, s32, OTHERS_12
