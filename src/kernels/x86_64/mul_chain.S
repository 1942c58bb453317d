/* uint64_t sonde_kernel_mul_chain(void *data, uint64_t count, uint64_t argument)
 * Multiplies in one chain: 32 dependent ones an iteration. The factor is made odd, so that the
 * product neither decays to 0 nor stays 1 (unless the factor is 1).
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * rax  the product   rsi  iterations left   rdx  the factor
 */
    .text
    .globl  sonde_kernel_mul_chain
    .hidden sonde_kernel_mul_chain
    .type   sonde_kernel_mul_chain, @function
    .p2align 6
sonde_kernel_mul_chain:
    endbr64
    shrq    $5, %rsi                /* 32 steps an iteration */
    orq     $1, %rdx
    movl    $1, %eax
    .p2align 6
1:
    .rept   32
    imulq   %rdx, %rax
    .endr
    decq    %rsi
    jnz     1b
    ret
    .size   sonde_kernel_mul_chain, . - sonde_kernel_mul_chain

    .section .note.GNU-stack, "", @progbits
