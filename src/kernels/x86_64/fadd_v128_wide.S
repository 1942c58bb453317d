/* uint64_t sonde_kernel_fadd_v128_wide(void *data, uint64_t count, uint64_t argument)
 * Floating adds of 2 doubles in 12 chains, 48 an iteration: as many as the pipes take.
 * A number is added, then taken off again, by adding its negative: the sum neither
 * grows nor decays.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * xmm0 to xmm11  the chains   xmm14 xmm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fadd_v128_wide
    operands v128, START64, FACTOR64, MINUS64
    copies  v128, OTHERS_12
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   2
    .irp    n, CHAINS_12
    addpd   %xmm14, %xmm\n
    .endr
    .irp    n, CHAINS_12
    addpd   %xmm15, %xmm\n
    .endr
    .endr
    subq    $48, %rsi
    jnz     1b
9:
    finish  fadd_v128_wide, v128, OTHERS_12
