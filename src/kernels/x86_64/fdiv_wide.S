/* uint64_t sonde_kernel_fdiv_wide(void *data, uint64_t count, uint64_t argument)
 * Floating divides of a double in 12 chains, 48 an iteration: as many as the pipes
 * take. A divisor and its inverse take turns, both with full mantissas: nothing ends a
 * divider early.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * xmm0 to xmm11  the chains   xmm14 xmm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fdiv_wide
    operands s64, START64, FACTOR64, BACK64
    copies  s64, OTHERS_12
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   2
    .irp    n, CHAINS_12
    divsd   %xmm14, %xmm\n
    .endr
    .irp    n, CHAINS_12
    divsd   %xmm15, %xmm\n
    .endr
    .endr
    subq    $48, %rsi
    jnz     1b
9:
    finish  fdiv_wide, s64, OTHERS_12
