/* Changes two registers that a function must preserve. */
#include <sonde.h>
    .text
    .globl  spoil
    .type   spoil, @function
spoil:
    incq    %rbx
    xorl    %r12d, %r12d
    xorl    %eax, %eax
    ret
    .size   spoil, . - spoil
SONDE_KERNEL(spoil, "depth=1..9:3", "", "", "", "")
    .section .note.GNU-stack, "", @progbits
