/* uint64_t sonde_kernel_add_wide(void *data, uint64_t count, uint64_t argument)
 *
 * Eight chains of adds that do not wait for each other: as many run at once as the core
 * has room for. Chain k begins with k; at the end they are folded, value = 2 value + chain,
 * from chain 0 to chain 7, so that the result depends on each in its own way.
 *   rax rcx rdi r8 r9 r10 r11 rbx  the chains    rdx  the addend
 *   rsi  steps left (a multiple of 32)
 * One iteration: 32 steps (four of each chain), 34 instructions, no loads, no stores. */
#include "kernels/x86_64/function.inc"

FUNCTION sonde_kernel_add_wide
    pushq   %rbx
    xorl    %eax, %eax
    movl    $1, %ecx
    movl    $2, %edi
    movl    $3, %r8d
    movl    $4, %r9d
    movl    $5, %r10d
    movl    $6, %r11d
    movl    $7, %ebx
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    .rept 4
    addq    %rdx, %rax
    addq    %rdx, %rcx
    addq    %rdx, %rdi
    addq    %rdx, %r8
    addq    %rdx, %r9
    addq    %rdx, %r10
    addq    %rdx, %r11
    addq    %rdx, %rbx
    .endr
    subq    $32, %rsi
    ja      1b
2:
    leaq    (%rcx, %rax, 2), %rax
    leaq    (%rdi, %rax, 2), %rax
    leaq    (%r8, %rax, 2), %rax
    leaq    (%r9, %rax, 2), %rax
    leaq    (%r10, %rax, 2), %rax
    leaq    (%r11, %rax, 2), %rax
    leaq    (%rbx, %rax, 2), %rax
    popq    %rbx
    ret
END_FUNCTION sonde_kernel_add_wide
