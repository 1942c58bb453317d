/* long matrix(double *m, long n, long block): c += a * b in blocks of `block` columns and
 * rows of b; n must be a multiple of the block. a, b and c lie behind each other in m.
 *   sonde bench matrix.S --param n=256 --param block=256,32
 * rdi a, r8 bytes of a row, r15 bytes of a block's row; the innermost loop has two loads,
 * one store, a multiply and an add. */
#include <sonde.h>
    .text
    .globl  matrix
    .type   matrix, @function
matrix:
    pushq   %rbx
    pushq   %rbp
    pushq   %r12
    pushq   %r13
    pushq   %r14
    pushq   %r15
    leaq    (,%rsi,8), %r8
    leaq    (,%rdx,8), %r15
    movq    %r8, %rax
    imulq   %rsi, %rax              /* bytes of a matrix */
    leaq    (%rdi,%rax), %r9        /* b, at the block's first column */
    leaq    (%r9,%rax), %r10        /* c, likewise */
    leaq    (%r9,%r8), %rcx         /* where the columns end */
1:  movq    %r9, %rbx               /* b, at the block's first row */
    movq    %rdi, %rbp              /* a, at the block's first column */
2:  movq    %rsi, %r11              /* rows of a left */
    movq    %rbp, %r12
    movq    %r10, %r14
3:  movq    %rdx, %rax              /* numbers of the row left in the block */
    pushq   %rbx
    pushq   %r12
4:  movsd   (%r12), %xmm0
    xorl    %r13d, %r13d
    .p2align 5
5:  movsd   (%rbx,%r13), %xmm1
    mulsd   %xmm0, %xmm1
    addsd   (%r14,%r13), %xmm1
    movsd   %xmm1, (%r14,%r13)
    addq    $8, %r13
    cmpq    %r15, %r13
    jb      5b
    addq    $8, %r12
    addq    %r8, %rbx
    decq    %rax
    jnz     4b
    popq    %r12
    popq    %rbx
    addq    %r8, %r12
    addq    %r8, %r14
    decq    %r11
    jnz     3b
    movq    %r15, %rax
    imulq   %rsi, %rax              /* a block's rows of b */
    addq    %rax, %rbx
    addq    %r15, %rbp
    leaq    (%rdi,%r8), %rax        /* the end of a's first row */
    cmpq    %rax, %rbp
    jb      2b
    addq    %r15, %r9
    addq    %r15, %r10
    cmpq    %rcx, %r9
    jb      1b
    popq    %r15
    popq    %r14
    popq    %r13
    popq    %r12
    popq    %rbp
    popq    %rbx
    xorl    %eax, %eax
    ret
    .size   matrix, . - matrix

    .globl  matrix_setup            /* void matrix_setup(void *m, long bytes, ...): ones */
    .type   matrix_setup, @function
matrix_setup:
    movabsq $0x3ff0000000000000, %rax
    movq    %rsi, %rcx
    shrq    $3, %rcx
    rep stosq
    ret
    .size   matrix_setup, . - matrix_setup

    .globl  matrix_check            /* all ones: c is 1 and n for each call, everywhere */
    .type   matrix_check, @function
matrix_check:
    movq    (%rdx), %rax            /* n */
    cvtsi2sdq %rax, %xmm1
    movsd   -8(%rdi,%rsi), %xmm0    /* the last of c */
    movabsq $0x3ff0000000000000, %rcx
    movq    %rcx, %xmm2
    subsd   %xmm2, %xmm0
    divsd   %xmm1, %xmm0            /* calls so far: whole, and at least one */
    cvttsd2siq %xmm0, %rcx
    cvtsi2sdq %rcx, %xmm1
    xorl    %eax, %eax
    ucomisd %xmm0, %xmm1
    jne     1f
    jp      1f
    testq   %rcx, %rcx
    setg    %al
1:  ret
    .size   matrix_check, . - matrix_check

SONDE_KERNEL(matrix, "n=8..4096/8:256 block=8..4096/8:256,32", "24*n*n", "n*n*n", "24*n*n*n", "2*n*n*n")
    .section .note.GNU-stack, "", @progbits
