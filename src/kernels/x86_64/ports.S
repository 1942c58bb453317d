/* uint64_t sonde_kernel_ports_load_w<width>(void *data, uint64_t count, uint64_t argument)
 * uint64_t sonde_kernel_ports_store_w<width>(void *data, uint64_t count, uint64_t argument)
 *
 * Sixteen accesses of `width` bytes side by side, at the same places again and again:
 * nothing moves, nothing waits, so as many start as the ports allow. A load returns the
 * sum of the first words of the last eight loads, a store how many there were.
 *   rsi  steps left       r8 to r15, or 8 to 15 of xmm, ymm or zmm  what is loaded
 *   r8, or register 0     what is stored
 * One iteration: 16 steps, 18 instructions, 16 accesses. */
#include "kernels/operands.h"
#include "kernels/x86_64/function.inc"

.macro load width, n, at
    .if \width == 8
    movq    \at(%rdi), %r\n
    .elseif \width == 16
    movaps  \at(%rdi), %xmm\n
    .elseif \width == 32
    vmovaps \at(%rdi), %ymm\n
    .else
    vmovaps \at(%rdi), %zmm\n
    .endif
.endm

.macro store width, at
    .if \width == 8
    movq    %r8, \at(%rdi)
    .elseif \width == 16
    movaps  %xmm0, \at(%rdi)
    .elseif \width == 32
    vmovaps %ymm0, \at(%rdi)
    .else
    vmovaps %zmm0, \at(%rdi)
    .endif
.endm

.macro loads width
FUNCTION sonde_kernel_ports_load_w\width
    .irp    n, 12, 13, 14, 15
    pushq   %r\n
    .endr
    .if \width >= 32
    vzeroupper
    .endif
    .irp    n, 8, 9, 10, 11, 12, 13, 14, 15
    xorq    %r\n, %r\n
    pxor    %xmm\n, %xmm\n          /* the upper lanes are clear */
    .endr
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    .irp    n, 8, 9, 10, 11, 12, 13, 14, 15
    load    \width, \n, ((\n - 8) * \width)
    .endr
    .irp    n, 8, 9, 10, 11, 12, 13, 14, 15
    load    \width, \n, (\n * \width)
    .endr
    subq    $16, %rsi
    jne     1b
2:
    .if \width >= 32
    vzeroupper
    .endif
    xorl    %eax, %eax
    .irp    n, 8, 9, 10, 11, 12, 13, 14, 15
    addq    %r\n, %rax
    movq    %xmm\n, %rcx
    addq    %rcx, %rax
    .endr
    .irp    n, 15, 14, 13, 12
    popq    %r\n
    .endr
    ret
END_FUNCTION sonde_kernel_ports_load_w\width
.endm

.macro stores width
FUNCTION sonde_kernel_ports_store_w\width
    movq    %rsi, %rax
    movabsq $BANDWIDTH_WORD, %r8
    movq    %r8, %xmm0
    .if \width == 16
    punpcklqdq %xmm0, %xmm0
    .elseif \width == 32
    vpbroadcastq %xmm0, %ymm0
    .elseif \width == 64
    vpbroadcastq %xmm0, %zmm0
    .endif
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    store   \width, (\n * \width)
    .endr
    subq    $16, %rsi
    jne     1b
2:
    .if \width >= 32
    vzeroupper
    .endif
    ret
END_FUNCTION sonde_kernel_ports_store_w\width
.endm

    .irp    w, 8, 16, 32, 64
    loads   \w
    stores  \w
    .endr
