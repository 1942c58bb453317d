/* uint64_t sonde_kernel_forward_apart(void *data, uint64_t count, uint64_t argument)
 *
 * Stores a zero, then loads a zero from elsewhere; the load's result is part of both next
 * addresses. The block must be zero; the result is the number of steps.
 * One iteration: 16 steps, 34 instructions, 16 loads, 16 stores. */
#include "kernels/x86_64/forward.inc"

FUNCTION sonde_kernel_forward_apart
    places_open
    movq    %rsi, %r11
    xorl    %eax, %eax
    xorl    %r10d, %r10d
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    .set    at, 0
    .rept   FORWARD_PLACES
    movq    %r10, at(%r8,%rax)
    movq    at(%r9,%rax), %rax
    .set    at, at + FORWARD_PITCH
    .endr
    subq    $FORWARD_PLACES, %rsi
    jnz     1b
2:
    addq    %r11, %rax
    ret
END_FUNCTION sonde_kernel_forward_apart
