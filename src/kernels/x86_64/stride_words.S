/* uint64_t sonde_kernel_stride_words(void *data, uint64_t count, uint64_t argument)
 *
 * Adds up words that lie a stride apart, in four accumulators, so that loads and not the
 * adds are what is waited for. The low half of `argument` is the stride in bytes; the
 * upper half is the steps of one pass (a multiple of 32), after which it begins anew at
 * `data`, without a branch that could be mispredicted; 0: it goes on.
 *   rax rcx r11 rbx  accumulators    rdi  where it is    rbp  data
 *   rdx r8 r9 r10  1, 3, 5 and 7 strides    r12  steps of a pass    r13  left of this one
 *   rsi  steps left (a multiple of 32)
 * One iteration: 32 steps, 41 instructions, 32 loads of 8 bytes, no stores. */
#include "kernels/x86_64/function.inc"

FUNCTION sonde_kernel_stride_words
    pushq   %rbx
    pushq   %rbp
    pushq   %r12
    pushq   %r13
    movq    %rdi, %rbp
    xorl    %r12d, %r12d
    shldq   $32, %rdx, %r12
    movq    %r12, %r13
    movl    %edx, %edx
    leaq    (%rdx, %rdx, 2), %r8
    leaq    (%rdx, %rdx, 4), %r9
    leaq    (%r8, %rdx, 4), %r10
    xorl    %eax, %eax
    xorl    %ecx, %ecx
    xorl    %r11d, %r11d
    xorl    %ebx, %ebx
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    .rept 4
    addq    (%rdi), %rax
    addq    (%rdi, %rdx), %rcx
    addq    (%rdi, %rdx, 2), %r11
    addq    (%rdi, %r8), %rbx
    addq    (%rdi, %rdx, 4), %rax
    addq    (%rdi, %r9), %rcx
    addq    (%rdi, %r8, 2), %r11
    addq    (%rdi, %r10), %rbx
    leaq    (%rdi, %rdx, 8), %rdi
    .endr
    subq    $32, %r13
    cmoveq  %rbp, %rdi
    cmoveq  %r12, %r13
    subq    $32, %rsi
    ja      1b
2:
    addq    %rcx, %rax
    addq    %r11, %rax
    addq    %rbx, %rax
    popq    %r13
    popq    %r12
    popq    %rbp
    popq    %rbx
    ret
END_FUNCTION sonde_kernel_stride_words
