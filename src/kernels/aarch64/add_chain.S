/* uint64_t sonde_kernel_add_chain(void *data, uint64_t count, uint64_t argument)
 * Adds in one chain: 32 dependent register-register adds an iteration, one cycle each. Never
 * an immediate: some cores fold that away when registers are renamed.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * x0  the sum   x1  iterations left   x2  the addend
 */
    .text
    .globl  sonde_kernel_add_chain
    .hidden sonde_kernel_add_chain
    .type   sonde_kernel_add_chain, %function
    .p2align 6
sonde_kernel_add_chain:
    hint    34                      /* bti c, where the core knows it */
    lsr     x1, x1, #5              /* 32 steps an iteration */
    mov     x0, #0
    .p2align 6
1:
    .rept   32
    add     x0, x0, x2
    .endr
    subs    x1, x1, #1
    b.ne    1b
    ret
    .size   sonde_kernel_add_chain, . - sonde_kernel_add_chain

    .section .note.GNU-stack, "", %progbits
