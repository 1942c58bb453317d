/* long sum(const long *p, long n, long stride): adds n words that lie stride bytes apart.
 *   sonde bench sum.S --check sum
 * One iteration: one load, four instructions. */
#include <sonde.h>

    .text
    .globl  sum
    .type   sum, @function
    .p2align 6
sum:
    xorl    %eax, %eax
    testq   %rsi, %rsi
    jle     2f
1:
    addq    (%rdi), %rax
    addq    %rdx, %rdi
    subq    $1, %rsi
    jnz     1b
2:
    ret
    .size   sum, . - sum

SONDE_KERNEL(sum, "n=1..2^24:4096 stride=8..4096/8:8,64", "n*stride", "n", "8*n", "n")
    .section .note.GNU-stack, "", @progbits
