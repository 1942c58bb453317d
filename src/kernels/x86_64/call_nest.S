/* uint64_t sonde_kernel_call_nest(void *data, uint64_t count, uint64_t argument)
 *
 * `argument` calls (1 to CALLS_DEPTH_MAX), each inside the one before, then as many
 * returns, each to an address of its own: an address forgotten by the return stack cannot
 * be guessed from another. Each level adds one to the result.
 *   rax  calls made    rsi  steps left    r8  the outermost level
 * One iteration: 1 step, 3 instructions beside what is called, no loads, no stores. */
#include "kernels/calls.h"
#include "kernels/x86_64/function.inc"

FUNCTION sonde_kernel_call_nest
    leaq    nest_last(%rip), %r8
    shlq    $4, %rdx
    subq    %rdx, %r8
    xorl    %eax, %eax
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    call    *%r8
    decq    %rsi
    jnz     1b
2:
    ret
    /* The levels, 16 bytes each, the innermost one last: `argument` of them are entered
     * so many before nest_last. */
    .p2align 4
    .rept CALLS_DEPTH_MAX - 1
    endbr64
    call    3f
    incq    %rax
    ret
    .p2align 4
3:
    .endr
    endbr64
    incq    %rax
    ret
    .p2align 4
nest_last:
END_FUNCTION sonde_kernel_call_nest
