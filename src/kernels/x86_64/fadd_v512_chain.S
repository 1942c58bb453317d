/* uint64_t sonde_kernel_fadd_v512_chain(void *data, uint64_t count, uint64_t argument)
 * Floating adds in one chain: 32 dependent ones of 8 doubles an iteration. A number is
 * added, then taken off again, by adding its negative: the sum neither grows nor
 * decays.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * zmm0  the chain   zmm14 zmm15  the constants   rsi  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fadd_v512_chain
    operands v512, START64, FACTOR64, MINUS64
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
    .rept   16
    vaddpd  %zmm14, %zmm0, %zmm0
    vaddpd  %zmm15, %zmm0, %zmm0
    .endr
    subq    $32, %rsi
    jnz     1b
9:
    finish  fadd_v512_chain, v512
