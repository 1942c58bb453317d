/* uint64_t sonde_kernel_fmul_x16(void *data, uint64_t count, uint64_t argument)
 * Floating multiplies in 16 chains, 32 an iteration. All registers hold chains, so the
 * factors are read from memory, beside the chains, never on one.
 * Per iteration: 34 instructions, 32 loads, 0 stores, 1 backward branch.
 *
 * xmm0 to xmm15  the chains   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    .section .rodata.cst8, "aM", @progbits, 8
    .p2align 3
factor:
    .quad   FACTOR64
back:
    .quad   BACK64

    begin   fmul_x16
    spread  s64, START64, 0
    copies  s64, OTHERS_16
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .irp    n, CHAINS_16
    mulsd   factor(%rip), %xmm\n
    .endr
    .irp    n, CHAINS_16
    mulsd   back(%rip), %xmm\n
    .endr
    subq    $32, %rsi
    jnz     1b
9:
    finish  fmul_x16, s64, OTHERS_16
