/* uint64_t sonde_kernel_call_targets(void *data, uint64_t count, uint64_t argument)
 *
 * One indirect call to one of up to CALLS_TARGETS targets, chosen by the next 16 bits of
 * `data` and `argument`, which is the number of targets, a power of two, less one. Target k
 * adds k to the result: a wrong one shows. Before it a branch for each bit of the choice
 * spells it out, and counts the ones: some cores keep only the directions of conditional
 * branches in the history by which they tell targets apart.
 *   rax  the sum    rdi  next choice    rsi  steps left    r8  target 0    rcx  the target
 * One iteration: 1 step, 108 instructions beside what is called, padding included (10 more
 * branches, all forward, 64 bytes apart: closer together taken branches cost now more, now
 * less), 1 load of 2 bytes, no stores. */
#include "kernels/calls.h"
#include "kernels/x86_64/function.inc"

FUNCTION sonde_kernel_call_targets
    leaq    targets(%rip), %r8
    andl    $(CALLS_TARGETS - 1), %edx
    xorl    %eax, %eax
    testq   %rsi, %rsi
    je      2f
    .p2align 6
1:
    movzwl  (%rdi), %ecx
    andl    %edx, %ecx
    .set    bit, 0
    .rept CALLS_TARGET_BITS
    btl     $bit, %ecx
    jnc     3f
    incq    %rax
    .rept 6                         /* 64 bytes with what is before; as bytes, since */
    .byte   0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0   /* assemblers pad differently */
    .endr
    nop
3:
    .set    bit, bit + 1
    .endr
    shll    $4, %ecx
    addq    %r8, %rcx
    addq    $2, %rdi
    call    *%rcx
    decq    %rsi
    jnz     1b
2:
    ret
    .p2align 6
targets:
    .set    target, 0
    .rept CALLS_TARGETS
    endbr64
    addq    $target, %rax
    ret
    .p2align 4
    .set    target, target + 1
    .endr
END_FUNCTION sonde_kernel_call_targets
