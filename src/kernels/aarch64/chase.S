/* uint64_t sonde_kernel_chase(void *data, uint64_t count, uint64_t argument)
 * Walks a ring of pointers: 16 dependent loads an iteration. The counter is off the chain of
 * loads, so the time is theirs alone.
 * Per iteration: 18 instructions, 16 loads, 0 stores, 1 backward branch.
 *
 * x0  current node, then the result   x1  iterations left
 */
    .text
    .globl  sonde_kernel_chase
    .hidden sonde_kernel_chase
    .type   sonde_kernel_chase, %function
    .p2align 6
sonde_kernel_chase:
    hint    34                      /* bti c, where the core knows it */
    lsr     x1, x1, #4              /* 16 steps an iteration */
    .p2align 6
1:
    .rept   16
    ldr     x0, [x0]                /* waits for the load before */
    .endr
    subs    x1, x1, #1
    b.ne    1b
    ret
    .size   sonde_kernel_chase, . - sonde_kernel_chase

    .section .note.GNU-stack, "", %progbits
