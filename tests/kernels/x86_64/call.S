/* uint64_t sonde_test_call(kernel_function *run, void *data, uint64_t count,
 *                          uint64_t argument, uint64_t *broken)
 *
 * Bits of *broken: 0 rbx, 1 rbp, 2 to 5 r12 to r15, 6 the direction flag. A stack pointer
 * that is off would crash the return. */
    .text
    .globl sonde_test_call
    .type sonde_test_call, @function

.set pattern, 0x5a01020304050607

.macro FILL register, number
    movabsq $(pattern + \number * 0x1111), \register
.endm

.macro COMPARE register, number
    movabsq $(pattern + \number * 0x1111), %r9
    xorl    %r10d, %r10d
    cmpq    %r9, \register
    setne   %r10b
    shlq    $\number, %r10
    orq     %r10, %rcx
.endm

sonde_test_call:
    endbr64
    pushq   %rbx
    pushq   %rbp
    pushq   %r12
    pushq   %r13
    pushq   %r14
    pushq   %r15
    pushq   %r8
    movq    %rdi, %rax
    movq    %rsi, %rdi
    movq    %rdx, %rsi
    movq    %rcx, %rdx
    FILL    %rbx, 0
    FILL    %rbp, 1
    FILL    %r12, 2
    FILL    %r13, 3
    FILL    %r14, 4
    FILL    %r15, 5
    call    *%rax
    xorl    %ecx, %ecx
    COMPARE %rbx, 0
    COMPARE %rbp, 1
    COMPARE %r12, 2
    COMPARE %r13, 3
    COMPARE %r14, 4
    COMPARE %r15, 5
    pushfq
    popq    %r9
    shrq    $10, %r9
    andl    $1, %r9d
    shlq    $6, %r9
    orq     %r9, %rcx
    cld
    popq    %r8
    movq    %rcx, (%r8)
    popq    %r15
    popq    %r14
    popq    %r13
    popq    %r12
    popq    %rbp
    popq    %rbx
    ret
    .size sonde_test_call, . - sonde_test_call

    .globl sonde_test_clobber
    .type sonde_test_clobber, @function
sonde_test_clobber:
    endbr64
    incq    %rbx
    xorl    %r15d, %r15d
    std
    ret
    .size sonde_test_clobber, . - sonde_test_clobber

    .section .rodata
    .globl sonde_test_clobbered
    .type sonde_test_clobbered, @object
    .p2align 3
sonde_test_clobbered:
    .quad   1 << 0 | 1 << 5 | 1 << 6
    .size sonde_test_clobbered, 8
    .section .note.GNU-stack, "", @progbits
