/* uint64_t sonde_kernel_add_wide(void *data, uint64_t count, uint64_t argument)
 * Adds in eight chains, 32 an iteration: more than any core issues at once, so the rate is the
 * issue width this thread gets, its share of the core. The sum of all chains is the result.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * x0 x3 to x9  the chains   x1  iterations left   x2  the addend
 */
    .text
    .globl  sonde_kernel_add_wide
    .hidden sonde_kernel_add_wide
    .type   sonde_kernel_add_wide, %function
    .p2align 6
sonde_kernel_add_wide:
    hint    34                      /* bti c, where the core knows it */
    lsr     x1, x1, #5              /* 32 steps an iteration */
    mov     x0, #0
    mov     x3, #0
    mov     x4, #0
    mov     x5, #0
    mov     x6, #0
    mov     x7, #0
    mov     x8, #0
    mov     x9, #0
    .p2align 6
1:
    .rept   4
    add     x0, x0, x2
    add     x3, x3, x2
    add     x4, x4, x2
    add     x5, x5, x2
    add     x6, x6, x2
    add     x7, x7, x2
    add     x8, x8, x2
    add     x9, x9, x2
    .endr
    subs    x1, x1, #1
    b.ne    1b
    add     x0, x0, x3
    add     x0, x0, x4
    add     x0, x0, x5
    add     x0, x0, x6
    add     x0, x0, x7
    add     x0, x0, x8
    add     x0, x0, x9
    ret
    .size   sonde_kernel_add_wide, . - sonde_kernel_add_wide

    .section .note.GNU-stack, "", %progbits
