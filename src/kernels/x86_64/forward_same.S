/* uint64_t sonde_kernel_forward_same(void *data, uint64_t count, uint64_t argument)
 *
 * Stores 8 bytes and loads them again, always at one address by one register: what cores
 * that rename memory never take to the cache.
 * One iteration: 16 steps, 50 instructions, 16 loads, 16 stores. */
#include "kernels/x86_64/forward.inc"

FUNCTION sonde_kernel_forward_same
    places_open
    movq    %rcx, %rax
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    .rept   FORWARD_PLACES
    movq    %rax, (%r8)
    movq    (%r8), %rax
    addq    %rcx, %rax
    .endr
    subq    $FORWARD_PLACES, %rsi
    jnz     1b
2:
    ret
END_FUNCTION sonde_kernel_forward_same
