/* Begins and ends a kernel in assembly.
 *
 * A kernel is `uint64_t NAME(void *data, uint64_t count, uint64_t argument)`: data in x0,
 * count in x1, argument in x2, the result in x0. The hint is "bti c": it lets the kernel
 * be called through a pointer where indirect branches are checked, and is a nop elsewhere;
 * the note at the end says so. Loops start at 64 bytes, so that where the linker puts them
 * changes nothing. */
#ifndef SONDE_KERNELS_AARCH64_FUNCTION_H
#define SONDE_KERNELS_AARCH64_FUNCTION_H

.macro FUNCTION name
    .text
    .p2align 6
    .globl \name
    .hidden \name
    .type \name, %function
\name:
    hint    #34
.endm

.macro END_FUNCTION name
    .size \name, . - \name
    .section .note.GNU-stack, "", %progbits
    /* NT_GNU_PROPERTY_TYPE_0: AArch64 features 1 = BTI */
    .section .note.gnu.property, "a", %note
    .p2align 3
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000000, 4, 1, 0
.endm

#endif
