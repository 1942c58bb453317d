/* uint64_t sonde_kernel_fmul_v512_wide(void *data, uint64_t count, uint64_t argument)
 * Floating multiplies of 8 doubles in 12 chains, 48 an iteration: as many as the pipes
 * take. A factor and its inverse take turns: the product neither grows nor decays.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * zmm0 to zmm11  the chains   zmm14 zmm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fmul_v512_wide
    operands v512, START64, FACTOR64, BACK64
    copies  v512, OTHERS_12
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   2
    .irp    n, CHAINS_12
    vmulpd  %zmm14, %zmm\n, %zmm\n
    .endr
    .irp    n, CHAINS_12
    vmulpd  %zmm15, %zmm\n, %zmm\n
    .endr
    .endr
    subq    $48, %rsi
    jnz     1b
9:
    finish  fmul_v512_wide, v512, OTHERS_12
