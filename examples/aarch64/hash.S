/* long hash(const long *table, long slots): looks slots/2 keys up in a hash table of words
 * (open addressing, linear probing, a power of two of slots) and counts those found.
 *   sonde bench hash.S --param slots=2^8..2^22
 * Key i is (i + 1) times x8; its slot is taken from its product with x9. */
#include <sonde.h>
    .text

.macro NEXT_KEY                     /* x7 the key, x11 its slot */
    add     x7, x7, x8
    mul     x11, x7, x9
    and     x11, x10, x11, lsr #32
.endm

.macro BEGIN                        /* x1 keys left, x10 the mask */
    ldr     x8, =0xd1342543de82ef95
    ldr     x9, =0x9e3779b97f4a7c15
    sub     x10, x1, #1
    lsr     x1, x1, #1
    mov     x7, #0
.endm

    .globl  hash
    .type   hash, %function
    .p2align 6
hash:
    BEGIN
    mov     x3, #0
1:  NEXT_KEY
2:  ldr     x2, [x0, x11, lsl #3]
    cmp     x2, x7
    b.eq    3f
    add     x11, x11, #1
    and     x11, x11, x10
    cbnz    x2, 2b
    sub     x3, x3, #1              /* not there */
3:  add     x3, x3, #1
    subs    x1, x1, #1
    b.ne    1b
    mov     x0, x3
    ret
    .size   hash, . - hash

    .globl  hash_setup              /* void hash_setup(void *, long bytes, const long *) */
    .type   hash_setup, %function
hash_setup:
    ldr     x1, [x2]
    mov     x4, x0
    mov     x5, x1
0:  str     xzr, [x4], #8
    subs    x5, x5, #1
    b.ne    0b
    BEGIN
1:  NEXT_KEY
2:  ldr     x2, [x0, x11, lsl #3]
    cbz     x2, 3f
    add     x11, x11, #1
    and     x11, x11, x10
    b       2b
3:  str     x7, [x0, x11, lsl #3]
    subs    x1, x1, #1
    b.ne    1b
    ret
    .size   hash_setup, . - hash_setup

    .globl  hash_check              /* all keys are there */
    .type   hash_check, %function
hash_check:
    ldr     x2, [x2]
    cmp     x3, x2, lsr #1
    cset    w0, eq
    ret
    .size   hash_check, . - hash_check

SONDE_KERNEL(hash, "slots=16..2^24:2^10,2^16", "8*slots", "slots/2", "4*slots", "slots/2")
    .section .note.GNU-stack, "", %progbits
