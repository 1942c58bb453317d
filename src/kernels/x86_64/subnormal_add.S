/* uint64_t sonde_kernel_subnormal_add(void *data, uint64_t count, uint64_t argument)
 * Floating adds in one chain, 32 an iteration, on normal or subnormal numbers, with or
 * without flushing subnormal results and operands to zero: the same loop for all four.
 * The mode is set for the loop alone and put back.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * xmm0  the chain   xmm14 xmm15  the constants   rsi  steps left
 * edx  OPERANDS_SUBNORMAL, OPERANDS_FLUSHED   -4(rsp) -8(rsp)  modes: the caller's, the loop's
 */
#include "kernels/operands.h"

#include "chain.inc"

#define FLUSH 0x8040 /* MXCSR: flush to zero (bit 15), denormals are zero (bit 6) */

    begin   subnormal_add
    stmxcsr -4(%rsp)
    movl    -4(%rsp), %eax
    andl    $~FLUSH, %eax
    testl   $OPERANDS_FLUSHED, %edx
    jz      2f
    orl     $FLUSH, %eax
2:
    movl    %eax, -8(%rsp)
    operands s64, START64, FACTOR64, MINUS64
    testl   $OPERANDS_SUBNORMAL, %edx
    jz      3f
    operands s64, SUBNORMAL64, SUBNORMAL_ADDEND64, SUBNORMAL_MINUS64
3:
    ldmxcsr -8(%rsp)
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   16
    addsd   %xmm14, %xmm0
    addsd   %xmm15, %xmm0
    .endr
    subq    $32, %rsi
    jnz     1b
9:
    ldmxcsr -4(%rsp)
    finish  subnormal_add, s64
