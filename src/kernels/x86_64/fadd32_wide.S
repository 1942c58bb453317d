/* uint64_t sonde_kernel_fadd32_wide(void *data, uint64_t count, uint64_t argument)
 * Floating adds of a float in 12 chains, 48 an iteration: as many as the pipes take. A
 * number is added, then taken off again, by adding its negative: the sum neither grows
 * nor decays.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * xmm0 to xmm11  the chains   xmm14 xmm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fadd32_wide
    operands s32, START32, FACTOR32, MINUS32
    copies  s32, OTHERS_12
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   2
    .irp    n, CHAINS_12
    addss   %xmm14, %xmm\n
    .endr
    .irp    n, CHAINS_12
    addss   %xmm15, %xmm\n
    .endr
    .endr
    subq    $48, %rsi
    jnz     1b
9:
    finish  fadd32_wide, s32, OTHERS_12
