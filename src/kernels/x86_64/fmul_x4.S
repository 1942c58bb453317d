/* uint64_t sonde_kernel_fmul_x4(void *data, uint64_t count, uint64_t argument)
 * Floating multiplies in 4 chains, 32 an iteration: how much of their latency hides.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * xmm0 to xmm3  the chains   xmm14 xmm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fmul_x4
    operands s64, START64, FACTOR64, BACK64
    copies  s64, OTHERS_4
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   4
    .irp    n, CHAINS_4
    mulsd   %xmm14, %xmm\n
    .endr
    .irp    n, CHAINS_4
    mulsd   %xmm15, %xmm\n
    .endr
    .endr
    subq    $32, %rsi
    jnz     1b
9:
    finish  fmul_x4, s64, OTHERS_4
