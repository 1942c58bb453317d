/* uint64_t sonde_kernel_branch_bits(void *data, uint64_t count, uint64_t argument)
 *
 * One conditional branch per bit of `data`, lowest bit first: taken over a 0, not taken
 * before a 1, which is counted. Each branch tests its bit in a register and waits for no
 * load.
 *   x3  ones    x0  next word    x1  steps left (a multiple of 64)    x2  the word
 * One iteration: 64 steps, 131 instructions (64 more branches, all forward), 1 load of 8
 * bytes, no stores. No loop is inside the loop: its end would be mispredicted as well. */
#include "kernels/aarch64/function.inc"

FUNCTION sonde_kernel_branch_bits
    mov     x3, #0
    cbz     x1, 2f
    .p2align 6
1:
    ldr     x2, [x0], #8
    .set    bit, 0
    .rept 64
    tbz     x2, #bit, 3f
    add     x3, x3, #1
3:
    .set    bit, bit + 1
    .endr
    subs    x1, x1, #64
    b.hi    1b
2:
    mov     x0, x3
    ret
END_FUNCTION sonde_kernel_branch_bits
