/* uint64_t sonde_kernel_mul_chain(void *data, uint64_t count, uint64_t argument)
 * Multiplies in one chain: 32 dependent ones an iteration. The factor is made odd, so that the
 * product neither decays to 0 nor stays 1 (unless the factor is 1).
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * x0  the product   x1  iterations left   x2  the factor
 */
    .text
    .globl  sonde_kernel_mul_chain
    .hidden sonde_kernel_mul_chain
    .type   sonde_kernel_mul_chain, %function
    .p2align 6
sonde_kernel_mul_chain:
    hint    34                      /* bti c, where the core knows it */
    lsr     x1, x1, #5              /* 32 steps an iteration */
    orr     x2, x2, #1
    mov     x0, #1
    .p2align 6
1:
    .rept   32
    mul     x0, x0, x2
    .endr
    subs    x1, x1, #1
    b.ne    1b
    ret
    .size   sonde_kernel_mul_chain, . - sonde_kernel_mul_chain

    .section .note.GNU-stack, "", %progbits
