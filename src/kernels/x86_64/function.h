/* Begins and ends a kernel in assembly.
 *
 * A kernel is `uint64_t NAME(void *data, uint64_t count, uint64_t argument)`: data in rdi,
 * count in rsi, argument in rdx, the result in rax. endbr64 lets it be called through a
 * pointer where indirect branches are tracked, and the note at the end says that it may
 * be; the stack needs no execute permission. Loops start at a cache line, so that where
 * the linker puts them changes nothing. */
#ifndef SONDE_KERNELS_X86_64_FUNCTION_H
#define SONDE_KERNELS_X86_64_FUNCTION_H

.macro FUNCTION name
    .text
    .p2align 6
    .globl \name
    .hidden \name
    .type \name, @function
\name:
    endbr64
.endm

.macro END_FUNCTION name
    .size \name, . - \name
    .section .note.GNU-stack, "", @progbits
    /* NT_GNU_PROPERTY_TYPE_0: x86 features 1 = IBT and SHSTK */
    .section .note.gnu.property, "a", @note
    .p2align 3
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000002, 4, 3, 0
.endm

#endif
