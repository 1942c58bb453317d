/* uint64_t sonde_kernel_<operation>_w<width>_u<unroll>s<streams>(void *data,
 *                                             uint64_t count, uint64_t argument)
 *
 * Streams through arrays of `argument` bytes that lie one behind the other, `count`
 * accesses of `width` bytes of each, and begins anew at the end of an array. read returns
 * the sum of all 64-bit words, the others where in its (first half of the) array the walk
 * ended.
 *
 *   rsi  steps left            rax  how far to move: onward, or back to the start
 *   rcx  the way back          rdx  where rdi is at the end of the last iteration
 *   rdi r8 r9    the arrays of stream 0: written one first (copy: read one first)
 *   r10 r11 rbx  the same of stream 1
 *   2 to 5 of xmm, ymm or zmm, or r12 to r15: sums, or what is on its way
 *   0  what is written, or the factor of the triad
 *
 * The way back is chosen by a conditional move: the end of an array is no branch that
 * could be mispredicted, so small arrays cost what large ones do. Each pointer moves by
 * itself, since some cores start fewer accesses a cycle with indexed addresses. That of
 * plain writes moves line by line: with all of an iteration at distances from one pointer
 * a Zen 3 wrote 29 to 30 bytes a cycle to its second level, and so 32.
 * Per iteration: the accesses, 5 instructions, 1 for each pointer, and each time that one
 * moves on the way; 1 backward branch. */
#include "kernels/operands.h"
#include "kernels/x86_64/function.inc"

/* Word to lanes of register 0 (and r12). */
.macro constant width, bits
    movabsq $\bits, %r12
    movq    %r12, %xmm0
    .if \width == 16
    punpcklqdq %xmm0, %xmm0
    .elseif \width == 32
    vpbroadcastq %xmm0, %ymm0
    .elseif \width == 64
    vpbroadcastq %xmm0, %zmm0
    .endif
.endm

/* One access at `at` of each array of a stream, by register `n` (2 to 5). */
.macro access_read width, n, at, first, second, third
    .if \width == 8
    addq    \at(%\first), %r1\n
    .elseif \width == 16
    paddq   \at(%\first), %xmm\n
    .elseif \width == 32
    vpaddq  \at(%\first), %ymm\n, %ymm\n
    .else
    vpaddq  \at(%\first), %zmm\n, %zmm\n
    .endif
.endm

.macro access_write width, n, at, first, second, third
    .if \width == 8
    movq    %r12, \at(%\first)
    .elseif \width == 16
    movaps  %xmm0, \at(%\first)
    .elseif \width == 32
    vmovaps %ymm0, \at(%\first)
    .else
    vmovaps %zmm0, \at(%\first)
    .endif
.endm

.macro access_copy width, n, at, first, second, third
    .if \width == 8
    movq    \at(%\first), %r1\n
    movq    %r1\n, \at(%\second)
    .elseif \width == 16
    movaps  \at(%\first), %xmm\n
    movaps  %xmm\n, \at(%\second)
    .elseif \width == 32
    vmovaps \at(%\first), %ymm\n
    vmovaps %ymm\n, \at(%\second)
    .else
    vmovaps \at(%\first), %zmm\n
    vmovaps %zmm\n, \at(%\second)
    .endif
.endm

/* Register n = second + factor * third. */
.macro multiply_add width, n, at, second, third
    .if \width == 8
    movsd   \at(%\third), %xmm\n
    mulsd   %xmm0, %xmm\n
    addsd   \at(%\second), %xmm\n
    .elseif \width == 16
    movaps  \at(%\third), %xmm\n
    mulpd   %xmm0, %xmm\n
    addpd   \at(%\second), %xmm\n
    .elseif \width == 32
    vmulpd  \at(%\third), %ymm0, %ymm\n
    vaddpd  \at(%\second), %ymm\n, %ymm\n
    .else
    vmulpd  \at(%\third), %zmm0, %zmm\n
    vaddpd  \at(%\second), %zmm\n, %zmm\n
    .endif
.endm

.macro access_triad width, n, at, first, second, third
    multiply_add \width, \n, \at, \second, \third
    .if \width == 8
    movsd   %xmm\n, \at(%\first)
    .elseif \width == 16
    movaps  %xmm\n, \at(%\first)
    .elseif \width == 32
    vmovaps %ymm\n, \at(%\first)
    .else
    vmovaps %zmm\n, \at(%\first)
    .endif
.endm

.macro access_nt_triad width, n, at, first, second, third
    multiply_add \width, \n, \at, \second, \third
    .if \width == 16
    movntps %xmm\n, \at(%\first)
    .elseif \width == 32
    vmovntps %ymm\n, \at(%\first)
    .else
    vmovntps %zmm\n, \at(%\first)
    .endif
.endm

.macro access_nt_write width, n, at, first, second, third
    .if \width == 8
    movnti  %r12, \at(%\first)
    .elseif \width == 16
    movntps %xmm0, \at(%\first)
    .elseif \width == 32
    vmovntps %ymm0, \at(%\first)
    .else
    vmovntps %zmm0, \at(%\first)
    .endif
.endm

.macro access_nt_copy width, n, at, first, second, third
    .if \width == 8
    movq    \at(%\first), %r1\n
    movnti  %r1\n, \at(%\second)
    .elseif \width == 16
    movaps  \at(%\first), %xmm\n
    movntps %xmm\n, \at(%\second)
    .elseif \width == 32
    vmovaps \at(%\first), %ymm\n
    vmovntps %ymm\n, \at(%\second)
    .else
    vmovaps \at(%\first), %zmm\n
    vmovntps %zmm\n, \at(%\second)
    .endif
.endm

/* Four at a time by four registers; those of the two streams take turns. Pointers move
 * after every `piece` bytes but the last. */
.macro accesses operation, width, each, streams, piece
    .irp    g, 0, 1, 2, 3
    .if 4 * \g < \each
    .irp    n, 2, 3, 4, 5
    access_\operation \width, \n, ((4 * \g + \n - 2) * \width % (\piece)), rdi, r8, r9
    .if \streams == 2
    access_\operation \width, \n, ((4 * \g + \n - 2) * \width % (\piece)), r10, r11, rbx
    .endif
    .if (4 * \g + \n - 1) * \width % (\piece) == 0 && (4 * \g + \n - 1) < \each
    addq    $(\piece), %rdi
    .if \streams == 2
    addq    $(\piece), %r10
    .endif
    .endif
    .endr
    .endif
    .endr
.endm

.macro clear_sums
    .irp    n, 2, 3, 4, 5
    xorq    %r1\n, %r1\n
    pxor    %xmm\n, %xmm\n          /* the upper lanes are clear: see vzeroupper below */
    .endr
.endm

/* rax: all lanes of all four registers summed, and r12 to r15. */
.macro sum_up width
    .if \width == 64
    .irp    n, 3, 4, 5
    vpaddq  %zmm\n, %zmm2, %zmm2
    .endr
    vextracti64x4 $1, %zmm2, %ymm3
    vpaddq  %ymm3, %ymm2, %ymm2
    .elseif \width == 32
    .irp    n, 3, 4, 5
    vpaddq  %ymm\n, %ymm2, %ymm2
    .endr
    .else
    .irp    n, 3, 4, 5
    paddq   %xmm\n, %xmm2
    .endr
    .endif
    .if \width >= 32
    vextracti128 $1, %ymm2, %xmm3
    vpaddq  %xmm3, %xmm2, %xmm2
    vzeroupper
    .endif
    movq    %xmm2, %rax
    psrldq  $8, %xmm2
    movq    %xmm2, %rcx
    addq    %rcx, %rax
    .irp    n, 2, 3, 4, 5
    addq    %r1\n, %rax
    .endr
.endm

.macro stream operation, arrays, width, unroll, streams, piece, bits
FUNCTION sonde_kernel_\operation\()_w\width\()_u\unroll\()s\streams
    pushq   %rbx
    .irp    n, 2, 3, 4, 5
    pushq   %r1\n
    .endr
    pushq   %rdi
    .if \width >= 32
    vzeroupper
    .endif
    clear_sums
    .ifnb \bits
    constant \width, \bits
    .endif
    testq   %rsi, %rsi
    je      9f
    leaq    (%rdi,%rdx), %r8
    leaq    (%r8,%rdx), %r9
    .if \streams == 2
    shrq    $1, %rdx                /* bytes of half an array */
    leaq    (%rdi,%rdx), %r10
    leaq    (%r8,%rdx), %r11
    leaq    (%r9,%rdx), %rbx
    .endif
    leaq    -(\piece)(%rdi,%rdx), %rdx
    movq    %rdi, %rcx
    subq    %rdx, %rcx
    .p2align 6
1:
    accesses \operation, \width, (\unroll / \streams), \streams, \piece
    movl    $(\piece), %eax
    cmpq    %rdx, %rdi
    cmoveq  %rcx, %rax
    addq    %rax, %rdi
    .if \arrays > 1
    addq    %rax, %r8
    .endif
    .if \arrays > 2
    addq    %rax, %r9
    .endif
    .if \streams == 2
    addq    %rax, %r10
    .if \arrays > 1
    addq    %rax, %r11
    .endif
    .if \arrays > 2
    addq    %rax, %rbx
    .endif
    .endif
    subq    $\unroll, %rsi
    jne     1b
9:
    .ifc \operation, read
    sum_up  \width
    popq    %rdi
    .else
    .if \width >= 32
    vzeroupper
    .endif
    sfence                          /* what went past the caches is under way */
    movq    %rdi, %rax
    popq    %rdi
    subq    %rdi, %rax
    .endif
    .irp    n, 5, 4, 3, 2
    popq    %r1\n
    .endr
    popq    %rbx
    ret
END_FUNCTION sonde_kernel_\operation\()_w\width\()_u\unroll\()s\streams
.endm

.macro shape operation, arrays, width, unroll, streams, by_line, bits
    .if \by_line && \unroll / \streams * \width > 64
    stream  \operation, \arrays, \width, \unroll, \streams, 64, \bits
    .else
    stream  \operation, \arrays, \width, \unroll, \streams, (\unroll / \streams * \width), \bits
    .endif
.endm

.macro shapes operation, arrays, width, by_line, bits
    shape   \operation, \arrays, \width, 4, 1, \by_line, \bits
    shape   \operation, \arrays, \width, 16, 1, \by_line, \bits
    shape   \operation, \arrays, \width, 16, 2, \by_line, \bits
.endm

    .irp    w, 8, 16, 32, 64
    shapes  read, 1, \w, 0,
    shapes  write, 1, \w, 1, BANDWIDTH_WORD
    shapes  copy, 2, \w, 0,
    shapes  triad, 3, \w, 0, BANDWIDTH_SCALAR
    shapes  nt_write, 1, \w, 0, BANDWIDTH_WORD
    shapes  nt_copy, 2, \w, 0,
    .endr
    .irp    w, 16, 32, 64
    shapes  nt_triad, 3, \w, 0, BANDWIDTH_SCALAR
    .endr
