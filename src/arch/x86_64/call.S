/* long sonde_arch_watched_call(arch_function *function, void *data,
 *                              const long *arguments, uint64_t *broken)
 *
 * Bits of *broken: 0 rbx, 1 rbp, 2 to 5 r12 to r15, 6 the direction flag. A stack pointer
 * that comes back elsewhere sends the return astray, which is a crash. */
    .text
    .globl sonde_arch_watched_call
    .hidden sonde_arch_watched_call
    .type sonde_arch_watched_call, @function

.set pattern, 0x5a01020304050607

.macro PUSH_PRESERVED
    pushq   %rbx
    pushq   %rbp
    pushq   %r12
    pushq   %r13
    pushq   %r14
    pushq   %r15
.endm

.macro POP_PRESERVED
    popq    %r15
    popq    %r14
    popq    %r13
    popq    %r12
    popq    %rbp
    popq    %rbx
.endm

.macro FILL register, number
    movabsq $(pattern + \number * 0x1111), \register
.endm

.macro COMPARE register, number
    movabsq $(pattern + \number * 0x1111), %r9
    xorl    %r10d, %r10d
    cmpq    %r9, \register
    setne   %r10b
    shlq    $\number, %r10
    orq     %r10, %r11
.endm

sonde_arch_watched_call:
    endbr64
    PUSH_PRESERVED
    pushq   %rcx                /* 16 bytes aligned at the call */
    movq    %rdi, %rax
    movq    %rsi, %rdi
    movq    %rdx, %r9
    movq    0(%r9), %rsi
    movq    8(%r9), %rdx
    movq    16(%r9), %rcx
    movq    24(%r9), %r8
    FILL    %rbx, 0
    FILL    %rbp, 1
    FILL    %r12, 2
    FILL    %r13, 3
    FILL    %r14, 4
    FILL    %r15, 5
    call    *%rax
    xorl    %r11d, %r11d
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
    orq     %r9, %r11
    cld
    popq    %rcx
    movq    %r11, (%rcx)
    POP_PRESERVED
    ret
    .size sonde_arch_watched_call, . - sonde_arch_watched_call

/* arch_chain *sonde_arch_chain(unsigned number, unsigned arguments): one of 16 copies of
 * the loop, of those that pass so many arguments.
 *
 * Eight calls a turn, and no argument that nobody reads: with one argument a call takes
 * 4.4 cycles on Zen 3 then, 4.1 being those of calls and returns with nothing between
 * them, and 4.9 with four. A neighbour on the core, which takes every other turn of the
 * decoder, makes 5.5, 5.0 and 6.3 of them. */
    .globl sonde_arch_chain
    .hidden sonde_arch_chain
    .type sonde_arch_chain, @function
    .type chains, @function

.set chains_count, 16
.set chain_bytes, 512
.set arguments_most, 4

sonde_arch_chain:
    endbr64
    andl    $(chains_count - 1), %edi
    movl    $arguments_most, %eax
    cmpl    %eax, %esi
    cmoval  %eax, %esi
    movl    $1, %eax
    testl   %esi, %esi
    cmovel  %eax, %esi
    subl    $1, %esi
    imull   $(chains_count * chain_bytes), %esi, %esi
    imull   $chain_bytes, %edi, %edi
    leaq    chains(%rip), %rax
    addq    %rdi, %rax
    addq    %rsi, %rax
    ret
    .size sonde_arch_chain, . - sonde_arch_chain

.macro PASS number, register
    .if passed > \number
    movq    8 * \number(%rbx), \register
    addq    %rax, \register
    .endif
.endm

.macro CHAINED_CALL
    andq    %r15, %rax
    leaq    (%r13,%rax), %rdi
    PASS    0, %rsi
    PASS    1, %rdx
    PASS    2, %rcx
    PASS    3, %r8
    call    *%r12
    addq    %rax, %r14
.endm

    .p2align 9
chains:
.set number, 0
.set passed, 1
.rept arguments_most
.rept chains_count
    .org    chains + number * chain_bytes
    endbr64
    PUSH_PRESERVED
    pushq   %r9                 /* 16 bytes aligned at the calls */
    movq    %rdi, %r12
    movq    %rsi, %r13
    movq    %rdx, %rbp
    movq    %rcx, %rbx
    movq    %r8, %r15
    xorl    %eax, %eax
    xorl    %r14d, %r14d
1:  testq   $7, %rbp            /* what is no whole turn */
    jz      2f
    CHAINED_CALL
    subq    $1, %rbp
    jmp     1b
2:  testq   %rbp, %rbp
    jz      4f
    .p2align 5
3:
    .rept 8
    CHAINED_CALL
    .endr
    subq    $8, %rbp
    jnz     3b
4:  popq    %r9
    movq    %rax, (%r9)
    movq    %r14, %rax
    POP_PRESERVED
    ret
.set number, number + 1
.endr
.set passed, passed + 1
.endr
    .org    chains + number * chain_bytes
    .size chains, . - chains
    .section .note.GNU-stack, "", @progbits
    /* NT_GNU_PROPERTY_TYPE_0: x86 features 1 = IBT and SHSTK */
    .section .note.gnu.property, "a", @note
    .p2align 3
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000002, 4, 3, 0
