/* uint64_t sonde_kernel_load_wide(void *data, uint64_t count, uint64_t argument)
 *
 * Loads the 32 words at `data` again and again, into eight registers; nothing waits for
 * anything, so as many run at once as the core has ports for. The value is the sum of the
 * last eight words loaded.
 *   rax rcx rdx r8 r9 r10 r11 rbx  what is loaded    rdi  data
 *   rsi  steps left (a multiple of 32)
 * One iteration: 32 steps, 34 instructions, 32 loads of 8 bytes, no stores. */
#include "kernels/x86_64/function.inc"

.macro EIGHT at
    movq    \at(%rdi), %rax
    movq    \at + 8(%rdi), %rcx
    movq    \at + 16(%rdi), %rdx
    movq    \at + 24(%rdi), %r8
    movq    \at + 32(%rdi), %r9
    movq    \at + 40(%rdi), %r10
    movq    \at + 48(%rdi), %r11
    movq    \at + 56(%rdi), %rbx
.endm

FUNCTION sonde_kernel_load_wide
    pushq   %rbx
    xorl    %eax, %eax
    xorl    %ecx, %ecx
    xorl    %edx, %edx
    xorl    %r8d, %r8d
    xorl    %r9d, %r9d
    xorl    %r10d, %r10d
    xorl    %r11d, %r11d
    xorl    %ebx, %ebx
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    EIGHT   0
    EIGHT   64
    EIGHT   128
    EIGHT   192
    subq    $32, %rsi
    ja      1b
2:
    addq    %rcx, %rax
    addq    %rdx, %rax
    addq    %r8, %rax
    addq    %r9, %rax
    addq    %r10, %rax
    addq    %r11, %rax
    addq    %rbx, %rax
    popq    %rbx
    ret
END_FUNCTION sonde_kernel_load_wide
