/* long sum(const long *p, long n, long stride): adds n words that lie stride bytes apart.
 *   sonde bench sum.S --check sum
 * One iteration: one load, five instructions. */
#include <sonde.h>

    .text
    .globl  sum
    .type   sum, %function
    .p2align 6
sum:
    mov     x4, x0
    mov     x0, #0
    cbz     x1, 2f
1:
    ldr     x3, [x4]
    add     x0, x0, x3
    add     x4, x4, x2
    subs    x1, x1, #1
    b.ne    1b
2:
    ret
    .size   sum, . - sum
SONDE_KERNEL(sum, "n=1..2^24:4096 stride=8..4096/8:8,64", "n*stride", "n", "8*n", "n")
    .section .note.GNU-stack, "", %progbits
