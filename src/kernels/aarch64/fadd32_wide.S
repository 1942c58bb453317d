/* uint64_t sonde_kernel_fadd32_wide(void *data, uint64_t count, uint64_t argument)
 * Floating adds of a float in 24 chains, 48 an iteration: as many as the pipes take. A
 * number is added, then taken off again, by adding its negative: the sum neither grows
 * nor decays.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0 to v7, v16 to v31  the chains   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fadd32_wide
    operands s32, START32, FACTOR32, MINUS32
    copies  s32, OTHERS_24
    cbz     x1, 9f
    .p2align 6
1:
    .irp    n, CHAINS_24
    fadd    s\n, s\n, s8
    .endr
    .irp    n, CHAINS_24
    fadd    s\n, s\n, s9
    .endr
    subs    x1, x1, #48
    b.ne    1b
9:
    finish  fadd32_wide, s32, OTHERS_24
