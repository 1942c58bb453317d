/* uint64_t sonde_kernel_load_at(void *data, uint64_t count, uint64_t argument)
 *
 * Loads 8 bytes of zero at one place, any place; the result is part of the next address. The
 * block must be zero; the result is the number of steps.
 * One iteration: 16 steps, 18 instructions, 16 loads, no stores. */
#include "kernels/x86_64/forward.inc"

FUNCTION sonde_kernel_load_at
    places_open
    movq    %rsi, %r11
    xorl    %eax, %eax
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    .rept   FORWARD_PLACES
    movq    (%r9,%rax), %rax
    .endr
    subq    $FORWARD_PLACES, %rsi
    jnz     1b
2:
    addq    %r11, %rax
    ret
END_FUNCTION sonde_kernel_load_at
