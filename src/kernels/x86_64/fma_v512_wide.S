/* uint64_t sonde_kernel_fma_v512_wide(void *data, uint64_t count, uint64_t argument)
 * Fused multiply-adds of 8 doubles in 12 chains, 48 an iteration: as many as the pipes
 * take. The product is that of the last result, which is a fixed point: it neither
 * grows nor decays.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * zmm0 to zmm11  the chains   zmm14 zmm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fma_v512_wide
    operands v512, START64, FMA_FACTOR64, FMA_ADDEND64
    copies  v512, OTHERS_12
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   2
    .irp    n, CHAINS_12
    vfmadd213pd %zmm15, %zmm14, %zmm\n
    .endr
    .irp    n, CHAINS_12
    vfmadd213pd %zmm15, %zmm14, %zmm\n
    .endr
    .endr
    subq    $48, %rsi
    jnz     1b
9:
    finish  fma_v512_wide, v512, OTHERS_12
