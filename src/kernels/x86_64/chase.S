/* uint64_t sonde_kernel_chase(void *data, uint64_t count, uint64_t argument)
 *
 * Follows pointers: each load gives the address of the next. Returns the last pointer.
 *   rax  the current node       rsi  steps left (a multiple of 16)
 * One iteration: 16 steps, 18 instructions, 16 loads of 8 bytes, no stores. The loop
 * control hangs on rsi alone, off the chain of loads. */
#include "kernels/x86_64/function.inc"

FUNCTION sonde_kernel_chase
    movq    %rdi, %rax
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    .rept 16
    movq    (%rax), %rax
    .endr
    subq    $16, %rsi
    ja      1b
2:
    ret
END_FUNCTION sonde_kernel_chase
