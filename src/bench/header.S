/* The public header as text, for kernels that are compiled: a program that was copied
 * somewhere by itself can still compile them. The build says where the file is. */
    .section .rodata
    .globl sonde_bench_header
    .hidden sonde_bench_header
    .globl sonde_bench_header_end
    .hidden sonde_bench_header_end
sonde_bench_header:
    .incbin "sonde.h"
sonde_bench_header_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
