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

/* arch_chain *sonde_arch_chain(unsigned number, unsigned arguments): one of 16 copies of
 * the loop, of those that pass so many arguments, with eight calls a turn, so that it
 * costs next to nothing beside them. */
    .globl sonde_arch_chain
    .hidden sonde_arch_chain
    .type sonde_arch_chain, %function
    .type chains, %function

.set chains_count, 16
.set chain_bytes, 512
.set arguments_most, 4

sonde_arch_chain:
    hint    #34
    and     w0, w0, #(chains_count - 1)
    mov     w9, #arguments_most
    cmp     w1, w9
    csel    w1, w9, w1, hi
    cmp     w1, #1
    csinc   w1, w1, wzr, hs
    sub     w1, w1, #1
    mov     w9, #chains_count
    madd    w0, w1, w9, w0
    mov     w9, #chain_bytes
    adrp    x10, chains
    add     x10, x10, :lo12:chains
    madd    x0, x0, x9, x10
    ret
    .size sonde_arch_chain, . - sonde_arch_chain

.macro CHAINED_CALL
    and     x9, x0, x23
    .if passed > 1
    ldp     x1, x2, [x22]
    add     x2, x2, x9
    .else
    ldr     x1, [x22]
    .endif
    .if passed > 3
    ldp     x3, x4, [x22, #16]
    add     x3, x3, x9
    add     x4, x4, x9
    .elseif passed > 2
    ldr     x3, [x22, #16]
    add     x3, x3, x9
    .endif
    add     x0, x20, x9
    add     x1, x1, x9
    blr     x19
    add     x24, x24, x0
.endm

    .p2align 9
chains:
.set number, 0
.set passed, 1
.rept arguments_most
.rept chains_count
    .org    chains + number * chain_bytes
    hint    #34
    stp     x29, x30, [sp, #-80]!
    mov     x29, sp
    stp     x19, x20, [sp, #16]
    stp     x21, x22, [sp, #32]
    stp     x23, x24, [sp, #48]
    str     x5, [sp, #64]
    mov     x19, x0
    mov     x20, x1
    mov     x21, x2
    mov     x22, x3
    mov     x23, x4
    mov     x24, xzr
    mov     x0, xzr
1:  tst     x21, #7             /* what is no whole turn */
    b.eq    2f
    CHAINED_CALL
    sub     x21, x21, #1
    b       1b
2:  cbz     x21, 4f
    .p2align 4
3:
    .rept 8
    CHAINED_CALL
    .endr
    subs    x21, x21, #8
    b.ne    3b
4:  ldr     x5, [sp, #64]
    str     x0, [x5]
    mov     x0, x24
    ldp     x23, x24, [sp, #48]
    ldp     x21, x22, [sp, #32]
    ldp     x19, x20, [sp, #16]
    ldp     x29, x30, [sp], #80
    ret
.set number, number + 1
.endr
.set passed, passed + 1
.endr
    .org    chains + number * chain_bytes
    .size chains, . - chains
    .section .note.GNU-stack, "", %progbits
    /* NT_GNU_PROPERTY_TYPE_0: AArch64 features 1 = BTI */
    .section .note.gnu.property, "a", %note
    .p2align 3
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000000, 4, 1, 0
