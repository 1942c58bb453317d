/* long matrix(double *m, long n, long block): c += a * b in blocks of `block` columns and
 * rows of b; n must be a multiple of the block. a, b and c lie behind each other in m.
 *   sonde bench matrix.S --param n=256 --param block=256,32
 * x0 a, x8 bytes of a row, x15 bytes of a block's row; the innermost loop has two loads,
 * one store, a multiply and an add. */
#include <sonde.h>
    .text
    .globl  matrix
    .type   matrix, %function
matrix:
    lsl     x8, x1, #3
    lsl     x15, x2, #3
    mul     x3, x8, x1              /* bytes of a matrix */
    add     x9, x0, x3              /* b, at the block's first column */
    add     x10, x9, x3             /* c, likewise */
    add     x16, x9, x8             /* where the columns end */
1:  mov     x4, x9                  /* b, at the block's first row */
    mov     x5, x0                  /* a, at the block's first column */
2:  mov     x11, x1                 /* rows of a left */
    mov     x12, x5
    mov     x14, x10
3:  mov     x6, x2                  /* numbers of the row left in the block */
    mov     x7, x4
    mov     x17, x12
4:  ldr     d0, [x17], #8
    mov     x13, #0
    .p2align 5
5:  ldr     d1, [x7, x13]
    ldr     d2, [x14, x13]
    fmul    d1, d1, d0
    fadd    d1, d1, d2
    str     d1, [x14, x13]
    add     x13, x13, #8
    cmp     x13, x15
    b.lo    5b
    add     x7, x7, x8
    subs    x6, x6, #1
    b.ne    4b
    add     x12, x12, x8
    add     x14, x14, x8
    subs    x11, x11, #1
    b.ne    3b
    madd    x4, x15, x1, x4         /* a block's rows of b */
    add     x5, x5, x15
    add     x3, x0, x8              /* the end of a's first row */
    cmp     x5, x3
    b.lo    2b
    add     x9, x9, x15
    add     x10, x10, x15
    cmp     x9, x16
    b.lo    1b
    mov     x0, #0
    ret
    .size   matrix, . - matrix

    .globl  matrix_setup            /* void matrix_setup(void *m, long bytes, ...): ones */
    .type   matrix_setup, %function
matrix_setup:
    fmov    d0, #1.0
    cbz     x1, 2f
1:  str     d0, [x0], #8
    subs    x1, x1, #8
    b.ne    1b
2:  ret
    .size   matrix_setup, . - matrix_setup

    .globl  matrix_check            /* all ones: c is 1 and n for each call, everywhere */
    .type   matrix_check, %function
matrix_check:
    ldr     x3, [x2]                /* n */
    scvtf   d1, x3
    add     x0, x0, x1
    ldur    d0, [x0, #-8]           /* the last of c */
    fmov    d2, #1.0
    fsub    d0, d0, d2
    fdiv    d0, d0, d1              /* calls so far: whole, and at least one */
    fcvtzs  x3, d0
    scvtf   d1, x3
    cmp     x3, #0
    cset    w0, gt
    fcmp    d0, d1
    csel    w0, w0, wzr, eq
    ret
    .size   matrix_check, . - matrix_check

SONDE_KERNEL(matrix, "n=8..4096/8:256 block=8..4096/8:256,32", "24*n*n", "n*n*n", "24*n*n*n", "2*n*n*n")
    .section .note.GNU-stack, "", %progbits
