/* uint64_t sonde_kernel_call_targets(void *data, uint64_t count, uint64_t argument)
 *
 * One indirect call to one of up to CALLS_TARGETS targets, chosen by the next 16 bits of
 * `data` and `argument`, which is the number of targets, a power of two, less one. Target k
 * adds k to the result: a wrong one shows. Before it a branch for each bit of the choice
 * spells it out, and counts the ones: some cores keep only the directions of conditional
 * branches in the history by which they tell targets apart.
 *   x5  the sum    x0  next choice    x1  steps left    x3  target 0    x4  the target
 * One iteration: 1 step, 84 instructions beside what is called, padding included (10 more
 * branches, all forward, 32 bytes apart: closer together taken branches cost now more, now
 * less), 1 load of 2 bytes, no stores. */
#include "kernels/calls.h"
#include "kernels/aarch64/function.inc"

FUNCTION sonde_kernel_call_targets
    stp     x29, x30, [sp, #-16]!
    adr     x3, targets
    and     x2, x2, #(CALLS_TARGETS - 1)
    mov     x5, #0
    cbz     x1, 2f
    .p2align 6
1:
    ldrh    w4, [x0], #2
    and     x4, x4, x2
    .set    bit, 0
    .rept CALLS_TARGET_BITS
    tbz     x4, #bit, 3f
    add     x5, x5, #1
    .p2align 5
3:
    .set    bit, bit + 1
    .endr
    add     x4, x3, x4, lsl #4
    blr     x4
    subs    x1, x1, #1
    b.ne    1b
2:
    mov     x0, x5
    ldp     x29, x30, [sp], #16
    ret
    .p2align 6
targets:
    .set    target, 0
    .rept CALLS_TARGETS
    hint    34
    add     x5, x5, #target
    ret
    .p2align 4
    .set    target, target + 1
    .endr
END_FUNCTION sonde_kernel_call_targets
