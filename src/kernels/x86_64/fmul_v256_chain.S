/* uint64_t sonde_kernel_fmul_v256_chain(void *data, uint64_t count, uint64_t argument)
 * Floating multiplies in one chain: 32 dependent ones of 4 doubles an iteration. A
 * factor and its inverse take turns: the product neither grows nor decays.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * ymm0  the chain   ymm14 ymm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fmul_v256_chain
    operands v256, START64, FACTOR64, BACK64
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   16
    vmulpd  %ymm14, %ymm0, %ymm0
    vmulpd  %ymm15, %ymm0, %ymm0
    .endr
    subq    $32, %rsi
    jnz     1b
9:
    finish  fmul_v256_chain, v256
