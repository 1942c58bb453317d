/* uint64_t sonde_kernel_add_chain(void *data, uint64_t count, uint64_t argument)
 * Adds in one chain: 32 dependent register-register adds an iteration, one cycle each. Never
 * an immediate: some cores fold that away when registers are renamed.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * rax  the sum   rsi  iterations left   rdx  the addend
 */
    .text
    .globl  sonde_kernel_add_chain
    .hidden sonde_kernel_add_chain
    .type   sonde_kernel_add_chain, @function
    .p2align 6
sonde_kernel_add_chain:
    endbr64
    shrq    $5, %rsi                /* 32 steps an iteration */
    xorl    %eax, %eax
    .p2align 6
1:
    .rept   32
    addq    %rdx, %rax
    .endr
    decq    %rsi
    jnz     1b
    ret
    .size   sonde_kernel_add_chain, . - sonde_kernel_add_chain

    .section .note.GNU-stack, "", @progbits
