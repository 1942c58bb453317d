/* uint64_t sonde_kernel_<operation>_w<width>_u<unroll>s<streams>(void *data,
 *                                             uint64_t count, uint64_t argument)
 *
 * Streams through arrays of `argument` bytes that lie one behind the other, `count`
 * accesses of `width` bytes of each, and begins anew at the end of an array. read returns
 * the sum of all 64-bit words, the others where in its (first half of the) array the walk
 * ended.
 *
 *   x1  steps left             x9   how far to move: onward, or back to the start
 *   x10 the way back           x11  where x3 is in the last iteration of a pass
 *   x12 the way onward         x0   where it began
 *   x3 x4 x5  the arrays of stream 0: written one first (copy: read one first)
 *   x6 x7 x8  the same of stream 1
 *   v2 to v5 (x2, x13, x14, x15)  sums, or what is on its way
 *   v12 to v17, v22 to v25, x16, x17  what was loaded
 *        v0 v1  what is written, or the factor
 *
 * Width 8 is a general register, 16 a vector, 32 a pair of vectors; non-temporal stores
 * come in pairs only, so there 16 is a pair of general registers. The way back is chosen
 * by csel: the end of an array is no branch that could be mispredicted.
 * Per iteration: the accesses, 4 instructions, 1 for each pointer; 1 backward branch. */
#include "kernels/aarch64/function.inc"
#include "kernels/operands.h"

.macro access_read width, n, at, first, second, third
    .if \width == 8
    ldr     x16, [\first, #\at]
    .if \n == 2
    add     x2, x2, x16
    .elseif \n == 3
    add     x13, x13, x16
    .elseif \n == 4
    add     x14, x14, x16
    .else
    add     x15, x15, x16
    .endif
    .elseif \width == 16
    ldr     q2\n, [\first, #\at]
    add     v\n\().2d, v\n\().2d, v2\n\().2d
    .else
    ldp     q1\n, q2\n, [\first, #\at]
    add     v\n\().2d, v\n\().2d, v1\n\().2d
    add     v\n\().2d, v\n\().2d, v2\n\().2d
    .endif
.endm

.macro access_write width, n, at, first, second, third
    .if \width == 8
    str     x16, [\first, #\at]
    .elseif \width == 16
    str     q0, [\first, #\at]
    .else
    stp     q0, q1, [\first, #\at]
    .endif
.endm

.macro access_copy width, n, at, first, second, third
    .if \width == 8
    ldr     x16, [\first, #\at]
    str     x16, [\second, #\at]
    .elseif \width == 16
    ldr     q2\n, [\first, #\at]
    str     q2\n, [\second, #\at]
    .else
    ldp     q1\n, q2\n, [\first, #\at]
    stp     q1\n, q2\n, [\second, #\at]
    .endif
.endm

/* First array = second + factor * third, rounded twice as in C. */
.macro access_triad width, n, at, first, second, third
    .if \width == 8
    ldr     d2\n, [\third, #\at]
    ldr     d1\n, [\second, #\at]
    fmul    d2\n, d2\n, d0
    fadd    d2\n, d2\n, d1\n
    str     d2\n, [\first, #\at]
    .else
    ldr     q2\n, [\third, #\at]
    ldr     q1\n, [\second, #\at]
    fmul    v2\n\().2d, v2\n\().2d, v0.2d
    fadd    v2\n\().2d, v2\n\().2d, v1\n\().2d
    str     q2\n, [\first, #\at]
    .endif
.endm

.macro access_nt_write width, n, at, first, second, third
    .if \width == 16
    stnp    x16, x17, [\first, #\at]
    .else
    stnp    q0, q1, [\first, #\at]
    .endif
.endm

.macro access_nt_copy width, n, at, first, second, third
    .if \width == 16
    ldp     x16, x17, [\first, #\at]
    stnp    x16, x17, [\second, #\at]
    .else
    ldp     q1\n, q2\n, [\first, #\at]
    stnp    q1\n, q2\n, [\second, #\at]
    .endif
.endm

.macro access_nt_triad width, n, at, first, second, third
    ldp     q1\n, q2\n, [\third, #\at]
    fmul    v1\n\().2d, v1\n\().2d, v0.2d
    fmul    v2\n\().2d, v2\n\().2d, v0.2d
    ldp     q16, q17, [\second, #\at]
    fadd    v1\n\().2d, v1\n\().2d, v16.2d
    fadd    v2\n\().2d, v2\n\().2d, v17.2d
    stnp    q1\n, q2\n, [\first, #\at]
.endm

/* Four at a time by four registers; those of the two streams take turns. */
.macro accesses operation, width, each, streams
    .irp    g, 0, 1, 2, 3
    .if 4 * \g < \each
    .irp    n, 2, 3, 4, 5
    access_\operation \width, \n, ((4 * \g + \n - 2) * \width), x3, x4, x5
    .if \streams == 2
    access_\operation \width, \n, ((4 * \g + \n - 2) * \width), x6, x7, x8
    .endif
    .endr
    .endif
    .endr
.endm

.macro clear register
    movi    v\register\().2d, #0
.endm

.macro sum_into_2 register
    add     v2.2d, v2.2d, v\register\().2d
.endm

.macro clear_sums
    .irp    n, 2, 3, 4, 5
    clear   \n
    .endr
    .irp    n, 2, 13, 14, 15
    mov     x\n, #0
    .endr
.endm

/* x0: all lanes of all four registers, and the general ones, summed. */
.macro sum_up
    .irp    n, 3, 4, 5
    sum_into_2 \n
    .endr
    fmov    x0, d2
    mov     x9, v2.d[1]
    add     x0, x0, x9
    .irp    n, 2, 13, 14, 15
    add     x0, x0, x\n
    .endr
.endm

.macro stream operation, arrays, width, unroll, streams, bits
FUNCTION sonde_kernel_\operation\()_w\width\()_u\unroll\()s\streams
    stp     d12, d13, [sp, #-32]!   /* the caller's */
    stp     d14, d15, [sp, #16]
    mov     x3, x0
    add     x4, x3, x2
    add     x5, x4, x2
    mov     x12, #(\unroll / \streams * \width)
    mov     x9, x2
    .if \streams == 2
    lsr     x9, x9, #1              /* bytes of half an array */
    add     x6, x3, x9
    add     x7, x4, x9
    add     x8, x5, x9
    .endif
    sub     x9, x9, x12             /* bytes from the first iteration to the last */
    add     x11, x3, x9
    neg     x10, x9
    clear_sums
    .ifnb \bits
    ldr     x16, =\bits
    mov     x17, x16
    dup     v0.2d, x16
    mov     v1.16b, v0.16b
    .endif
    cbz     x1, 9f
    .p2align 6
1:
    accesses \operation, \width, (\unroll / \streams), \streams
    cmp     x3, x11
    csel    x9, x10, x12, eq
    add     x3, x3, x9
    .if \arrays > 1
    add     x4, x4, x9
    .endif
    .if \arrays > 2
    add     x5, x5, x9
    .endif
    .if \streams == 2
    add     x6, x6, x9
    .if \arrays > 1
    add     x7, x7, x9
    .endif
    .if \arrays > 2
    add     x8, x8, x9
    .endif
    .endif
    subs    x1, x1, #\unroll
    b.ne    1b
9:
    .ifc \operation, read
    sum_up
    .else
    sub     x0, x3, x0
    .endif
    ldp     d14, d15, [sp, #16]
    ldp     d12, d13, [sp], #32
    ret
    .ltorg
END_FUNCTION sonde_kernel_\operation\()_w\width\()_u\unroll\()s\streams
.endm

.macro shapes operation, arrays, width, bits
    stream  \operation, \arrays, \width, 4, 1, \bits
    stream  \operation, \arrays, \width, 16, 1, \bits
    stream  \operation, \arrays, \width, 16, 2, \bits
.endm

    .irp    w, 8, 16, 32
    shapes  read, 1, \w,
    shapes  write, 1, \w, BANDWIDTH_WORD
    shapes  copy, 2, \w,
    .endr
    .irp    w, 8, 16
    shapes  triad, 3, \w, BANDWIDTH_SCALAR
    .endr
    .irp    w, 16, 32
    shapes  nt_write, 1, \w, BANDWIDTH_WORD
    shapes  nt_copy, 2, \w,
    .endr
    shapes  nt_triad, 3, 32, BANDWIDTH_SCALAR
