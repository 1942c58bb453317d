/* uint64_t sonde_kernel_fmul_x2(void *data, uint64_t count, uint64_t argument)
 * Floating multiplies in 2 chains, 32 an iteration: how much of their latency hides.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * xmm0 to xmm1  the chains   xmm14 xmm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fmul_x2
    operands s64, START64, FACTOR64, BACK64
    copies  s64, OTHERS_2
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   8
    .irp    n, CHAINS_2
    mulsd   %xmm14, %xmm\n
    .endr
    .irp    n, CHAINS_2
    mulsd   %xmm15, %xmm\n
    .endr
    .endr
    subq    $32, %rsi
    jnz     1b
9:
    finish  fmul_x2, s64, OTHERS_2
