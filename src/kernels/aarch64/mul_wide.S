/* uint64_t sonde_kernel_mul_wide(void *data, uint64_t count, uint64_t argument)
 * Integer multiplies in eight chains, 32 an iteration. The factor is made odd, so that
 * no product decays to 0. The sum of all chains is the result.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * x0 x3 to x9  the chains   x1  steps left   x2  the factor
 */
    .text
    .globl  sonde_kernel_mul_wide
    .hidden sonde_kernel_mul_wide
    .type   sonde_kernel_mul_wide, %function
    .p2align 6
sonde_kernel_mul_wide:
    hint    34                      /* bti c, where the core knows it */
    orr     x2, x2, #1
    .irp    n, 0, 3, 4, 5, 6, 7, 8, 9
    mov     x\n, #1
    .endr
    cbz     x1, 9f
    .p2align 6
1:
    .rept   4
    .irp    n, 0, 3, 4, 5, 6, 7, 8, 9
    mul     x\n, x\n, x2
    .endr
    .endr
    subs    x1, x1, #32
    b.ne    1b
9:
    .irp    n, 3, 4, 5, 6, 7, 8, 9
    add     x0, x0, x\n
    .endr
    ret
    .ltorg
    .size   sonde_kernel_mul_wide, . - sonde_kernel_mul_wide

    .section .note.GNU-stack, "", %progbits
