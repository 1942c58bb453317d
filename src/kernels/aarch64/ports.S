/* uint64_t sonde_kernel_ports_load_w<width>(void *data, uint64_t count, uint64_t argument)
 * uint64_t sonde_kernel_ports_store_w<width>(void *data, uint64_t count, uint64_t argument)
 *
 * Sixteen accesses of `width` bytes side by side, at the same places again and again:
 * nothing moves, nothing waits, so as many start as the ports allow. A load returns the
 * sum of the first words of the last eight loads, a store how many there were.
 *   x1  steps left     x3 to x10, or v16 to v23 (and v24 to v31)  what is loaded
 *   x3, or v0 and v1   what is stored
 * Width 8 is a general register, 16 a vector, 32 a pair of vectors.
 * One iteration: 16 steps, 18 instructions, 16 accesses. */
#include "kernels/aarch64/function.inc"
#include "kernels/operands.h"

/* By the number of the access, 0 to 15: registers come round after eight. */
.macro load width, at, general, first, second
    .if \width == 8
    ldr     x\general, [x0, #\at]
    .elseif \width == 16
    ldr     q\first, [x0, #\at]
    .else
    ldp     q\first, q\second, [x0, #\at]
    .endif
.endm

.macro eight width, from
    load    \width, ((\from + 0) * \width), 3, 16, 24
    load    \width, ((\from + 1) * \width), 4, 17, 25
    load    \width, ((\from + 2) * \width), 5, 18, 26
    load    \width, ((\from + 3) * \width), 6, 19, 27
    load    \width, ((\from + 4) * \width), 7, 20, 28
    load    \width, ((\from + 5) * \width), 8, 21, 29
    load    \width, ((\from + 6) * \width), 9, 22, 30
    load    \width, ((\from + 7) * \width), 10, 23, 31
.endm

.macro store width, at
    .if \width == 8
    str     x3, [x0, #\at]
    .elseif \width == 16
    str     q0, [x0, #\at]
    .else
    stp     q0, q1, [x0, #\at]
    .endif
.endm

.macro clear register
    movi    v\register\().2d, #0
.endm

.macro loads width
FUNCTION sonde_kernel_ports_load_w\width
    .irp    n, 3, 4, 5, 6, 7, 8, 9, 10
    mov     x\n, #0
    .endr
    .irp    n, 16, 17, 18, 19, 20, 21, 22, 23
    clear   \n
    .endr
    cbz     x1, 2f
    .p2align 6
1:
    eight   \width, 0
    eight   \width, 8
    subs    x1, x1, #16
    b.ne    1b
2:
    mov     x0, #0
    .irp    n, 3, 4, 5, 6, 7, 8, 9, 10
    add     x0, x0, x\n
    .endr
    .irp    n, 16, 17, 18, 19, 20, 21, 22, 23
    fmov    x12, d\n
    add     x0, x0, x12
    .endr
    ret
END_FUNCTION sonde_kernel_ports_load_w\width
.endm

.macro stores width
FUNCTION sonde_kernel_ports_store_w\width
    ldr     x3, =BANDWIDTH_WORD
    dup     v0.2d, x3
    mov     v1.16b, v0.16b
    mov     x2, x1
    cbz     x1, 2f
    .p2align 6
1:
    .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    store   \width, (\n * \width)
    .endr
    subs    x1, x1, #16
    b.ne    1b
2:
    mov     x0, x2
    ret
    .ltorg
END_FUNCTION sonde_kernel_ports_store_w\width
.endm

    .irp    w, 8, 16, 32
    loads   \w
    stores  \w
    .endr
