/* long sonde_arch_watched_call(arch_function *function, void *data,
 *                              const long *arguments, uint64_t *broken)
 *
 * Bits of *broken: 0 to 9 x19 to x28, 10 x29, 11 to 18 d8 to d15. A stack pointer that
 * comes back elsewhere sends the return astray, which is a crash. */
    .text
    .globl sonde_arch_watched_call
    .hidden sonde_arch_watched_call
    .type sonde_arch_watched_call, %function

.macro PATTERN register, number
    mov     \register, #(0x5a00 + \number)
    movk    \register, #(0x1100 + \number), lsl #48
.endm

.macro NOTE_DIFFERENCE register, number
    PATTERN x9, \number
    cmp     \register, x9
    cset    x10, ne
    orr     x11, x11, x10, lsl #\number
.endm

sonde_arch_watched_call:
    hint    #34
    stp     x29, x30, [sp, #-176]!
    stp     x19, x20, [sp, #16]
    stp     x21, x22, [sp, #32]
    stp     x23, x24, [sp, #48]
    stp     x25, x26, [sp, #64]
    stp     x27, x28, [sp, #80]
    stp     d8, d9, [sp, #96]
    stp     d10, d11, [sp, #112]
    stp     d12, d13, [sp, #128]
    stp     d14, d15, [sp, #144]
    str     x3, [sp, #160]
    mov     x16, x0
    mov     x0, x1
    mov     x17, x2
    ldp     x1, x2, [x17]
    ldp     x3, x4, [x17, #16]
    .set    number, 0
    .irp    register, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29
    PATTERN \register, number
    .set    number, number + 1
    .endr
    .irp    register, d8, d9, d10, d11, d12, d13, d14, d15
    PATTERN x9, number
    fmov    \register, x9
    .set    number, number + 1
    .endr
    blr     x16
    mov     x11, xzr
    .set    number, 0
    .irp    register, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29
    NOTE_DIFFERENCE \register, number
    .set    number, number + 1
    .endr
    .irp    register, d8, d9, d10, d11, d12, d13, d14, d15
    fmov    x12, \register
    NOTE_DIFFERENCE x12, number
    .set    number, number + 1
    .endr
    ldr     x4, [sp, #160]
    str     x11, [x4]
    ldp     d14, d15, [sp, #144]
    ldp     d12, d13, [sp, #128]
    ldp     d10, d11, [sp, #112]
    ldp     d8, d9, [sp, #96]
    ldp     x27, x28, [sp, #80]
    ldp     x25, x26, [sp, #64]
    ldp     x23, x24, [sp, #48]
    ldp     x21, x22, [sp, #32]
    ldp     x19, x20, [sp, #16]
    ldp     x29, x30, [sp], #176
    ret
    .size sonde_arch_watched_call, . - sonde_arch_watched_call
    .section .note.GNU-stack, "", %progbits
    /* NT_GNU_PROPERTY_TYPE_0: AArch64 features 1 = BTI */
    .section .note.gnu.property, "a", %note
    .p2align 3
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000000, 4, 1, 0
