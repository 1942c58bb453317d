/* uint64_t sonde_kernel_fadd_chain(void *data, uint64_t count, uint64_t argument)
 * Floating adds in one chain: 32 dependent ones of a double an iteration. A number is
 * added, then taken off again, by adding its negative: the sum neither grows nor
 * decays.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0  the chain   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fadd_chain
    operands s64, START64, FACTOR64, MINUS64
    cbz     x1, 9f
    .p2align 6
1:
    .rept   16
    fadd    d0, d0, d8
    fadd    d0, d0, d9
    .endr
    subs    x1, x1, #32
    b.ne    1b
9:
    finish  fadd_chain, s64
