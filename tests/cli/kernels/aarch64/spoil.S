/* Changes two registers that a function must preserve. */
#include <sonde.h>
    .text
    .globl  spoil
    .type   spoil, %function
spoil:
    add     x19, x19, #1
    fmov    d9, xzr
    mov     x0, #0
    ret
    .size   spoil, . - spoil
SONDE_KERNEL(spoil, "depth=1..9:3", "", "", "", "")
    .section .note.GNU-stack, "", %progbits
