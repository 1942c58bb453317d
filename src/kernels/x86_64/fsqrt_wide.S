/* uint64_t sonde_kernel_fsqrt_wide(void *data, uint64_t count, uint64_t argument)
 * Square roots of one number into 12 registers, 48 an iteration: nothing waits for
 * anything but for the unit.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * xmm0 to xmm11  the chains   xmm14 xmm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fsqrt_wide
    operands s64, START64, ROOT_FACTOR64, START64
    copies  s64, OTHERS_12
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   4
    .irp    n, CHAINS_12
    sqrtsd  %xmm15, %xmm\n
    .endr
    .endr
    subq    $48, %rsi
    jnz     1b
9:
    finish  fsqrt_wide, s64, OTHERS_12
