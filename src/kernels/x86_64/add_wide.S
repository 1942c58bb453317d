/* uint64_t sonde_kernel_add_wide(void *data, uint64_t count, uint64_t argument)
 * Adds in eight chains, 32 an iteration: more than any core issues at once, so the rate is the
 * issue width this thread gets, its share of the core. The sum of all chains is the result.
 * Per iteration: 34 instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * rax rcx rdi r8 r9 r10 r11 rbx  the chains   rsi  iterations left   rdx  the addend
 */
    .text
    .globl  sonde_kernel_add_wide
    .hidden sonde_kernel_add_wide
    .type   sonde_kernel_add_wide, @function
    .p2align 6
sonde_kernel_add_wide:
    endbr64
    pushq   %rbx                    /* the eighth chain's register is the caller's */
    shrq    $5, %rsi                /* 32 steps an iteration */
    xorl    %eax, %eax
    xorl    %ecx, %ecx
    xorl    %edi, %edi
    xorl    %r8d, %r8d
    xorl    %r9d, %r9d
    xorl    %r10d, %r10d
    xorl    %r11d, %r11d
    xorl    %ebx, %ebx
    .p2align 6
1:
    .rept   4
    addq    %rdx, %rax
    addq    %rdx, %rcx
    addq    %rdx, %rdi
    addq    %rdx, %r8
    addq    %rdx, %r9
    addq    %rdx, %r10
    addq    %rdx, %r11
    addq    %rdx, %rbx
    .endr
    decq    %rsi
    jnz     1b
    addq    %rcx, %rax
    addq    %rdi, %rax
    addq    %r8, %rax
    addq    %r9, %rax
    addq    %r10, %rax
    addq    %r11, %rax
    addq    %rbx, %rax
    popq    %rbx
    ret
    .size   sonde_kernel_add_wide, . - sonde_kernel_add_wide

    .section .note.GNU-stack, "", @progbits
