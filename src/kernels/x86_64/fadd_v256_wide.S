/* uint64_t sonde_kernel_fadd_v256_wide(void *data, uint64_t count, uint64_t argument)
 * Floating adds of 4 doubles in 12 chains, 48 an iteration: as many as the pipes take.
 * A number is added, then taken off again, by adding its negative: the sum neither
 * grows nor decays.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * ymm0 to ymm11  the chains   ymm14 ymm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fadd_v256_wide
    operands v256, START64, FACTOR64, MINUS64
    copies  v256, OTHERS_12
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   2
    .irp    n, CHAINS_12
    vaddpd  %ymm14, %ymm\n, %ymm\n
    .endr
    .irp    n, CHAINS_12
    vaddpd  %ymm15, %ymm\n, %ymm\n
    .endr
    .endr
    subq    $48, %rsi
    jnz     1b
9:
    finish  fadd_v256_wide, v256, OTHERS_12
