/* uint64_t sonde_kernel_chase(void *data, uint64_t count, uint64_t argument)
 * Walks a ring of pointers: 16 dependent loads an iteration. The counter is off the chain of
 * loads, so the time is theirs alone.
 * Per iteration: 18 instructions, 16 loads, 0 stores, 1 backward branch.
 *
 * rdi  current node, then the result   rsi  iterations left
 */
    .text
    .globl  sonde_kernel_chase
    .hidden sonde_kernel_chase
    .type   sonde_kernel_chase, @function
    .p2align 6
sonde_kernel_chase:
    endbr64
    shrq    $4, %rsi                /* 16 steps an iteration */
    .p2align 6
1:
    .rept   16
    movq    (%rdi), %rdi            /* waits for the load before */
    .endr
    decq    %rsi
    jnz     1b
    movq    %rdi, %rax
    ret
    .size   sonde_kernel_chase, . - sonde_kernel_chase

    .section .note.GNU-stack, "", @progbits
