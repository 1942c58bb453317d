/* uint64_t sonde_kernel_fdiv32_wide(void *data, uint64_t count, uint64_t argument)
 * Floating divides of a float in 24 chains, 48 an iteration: as many as the pipes
 * take. A divisor and its inverse take turns, both with full mantissas: nothing ends a
 * divider early.
 * Per iteration: 50 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * v0 to v7, v16 to v31  the chains   v8 v9  the constants   x1  steps left
 */
#include "kernels/operands.h"

#include "chain.inc"

    begin   fdiv32_wide
    operands s32, START32, FACTOR32, BACK32
    copies  s32, OTHERS_24
    cbz     x1, 9f
    .p2align 6
1:
    .irp    n, CHAINS_24
    fdiv    s\n, s\n, s8
    .endr
    .irp    n, CHAINS_24
    fdiv    s\n, s\n, s9
    .endr
    subs    x1, x1, #48
    b.ne    1b
9:
    finish  fdiv32_wide, s32, OTHERS_24
