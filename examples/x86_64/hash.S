/* long hash(const long *table, long slots): looks slots/2 keys up in a hash table of words
 * (open addressing, linear probing, a power of two of slots) and counts those found.
 *   sonde bench hash.S --param slots=2^8..2^22
 * Key i is (i + 1) times r8; its slot is taken from its product with r9. */
#include <sonde.h>
    .text

.macro NEXT_KEY                     /* rax the key, r11 its slot */
    addq    %r8, %rax
    movq    %rax, %r11
    imulq   %r9, %r11
    shrq    $32, %r11
    andq    %r10, %r11
.endm

.macro BEGIN                        /* rsi keys left, r10 the mask */
    movabsq $0xd1342543de82ef95, %r8
    movabsq $0x9e3779b97f4a7c15, %r9
    leaq    -1(%rsi), %r10
    shrq    %rsi
    xorl    %eax, %eax
.endm

    .globl  hash
    .type   hash, @function
    .p2align 6
hash:
    BEGIN
    xorl    %ecx, %ecx
1:  NEXT_KEY
2:  movq    (%rdi,%r11,8), %rdx
    cmpq    %rax, %rdx
    je      3f
    incq    %r11
    andq    %r10, %r11
    testq   %rdx, %rdx
    jnz     2b
    decq    %rcx                    /* not there */
3:  incq    %rcx
    decq    %rsi
    jnz     1b
    movq    %rcx, %rax
    ret
    .size   hash, . - hash

    .globl  hash_setup              /* void hash_setup(void *, long bytes, const long *) */
    .type   hash_setup, @function
hash_setup:
    movq    (%rdx), %rsi
    movq    %rdi, %r11
    movq    %rsi, %rcx
    xorl    %eax, %eax
    rep stosq
    movq    %r11, %rdi
    BEGIN
1:  NEXT_KEY
2:  cmpq    $0, (%rdi,%r11,8)
    je      3f
    incq    %r11
    andq    %r10, %r11
    jmp     2b
3:  movq    %rax, (%rdi,%r11,8)
    decq    %rsi
    jnz     1b
    ret
    .size   hash_setup, . - hash_setup

    .globl  hash_check              /* all keys are there */
    .type   hash_check, @function
hash_check:
    movq    (%rdx), %rdx
    shrq    %rdx
    xorl    %eax, %eax
    cmpq    %rcx, %rdx
    sete    %al
    ret
    .size   hash_check, . - hash_check

SONDE_KERNEL(hash, "slots=16..2^24:2^10,2^16", "8*slots", "slots/2", "4*slots", "slots/2")
    .section .note.GNU-stack, "", @progbits
