/* sonde.h - the public face of sonde: kernels for `sonde bench`, and libsonde.
 *
 * Part 1 declares a kernel, from C, C++ or assembly (this file may be included in a .S).
 * Part 2, for C and C++, is the library: link with -lsonde (pkg-config sonde).
 *
 * Everything here keeps its meaning within one major version. */
#ifndef SONDE_H
#define SONDE_H

#define SONDE_VERSION_MAJOR  0
#define SONDE_VERSION_MINOR  1
#define SONDE_KERNEL_VERSION 1

/* --- 1. Declaring a kernel -------------------------------------------------------------
 *
 *   SONDE_KERNEL(name, parameters, buffer, elements, bytes, operations)
 *
 * declares the function `name` as a kernel:
 *
 *   long name(void *data, long p1, long p2, long p3, long p4)
 *
 * with the declared parameters in their order (fewer are fine). All but the name are
 * strings:
 *
 *   parameters  up to four, separated by spaces: NAME=FROM..TO[/MULTIPLE][:DEFAULTS],
 * such as "n=1..2^24:4096 stride=8..4096/8:8,64". MULTIPLE: values must be a multiple of
 * it. DEFAULTS: what is run without --param. buffer      bytes at `data`, as a formula in
 * the parameters: "n*stride". "": none. elements    what one call works on, for "per
 * element" figures: "n" bytes       that one call reads and writes: "8*n" operations that
 * one call does: "n"
 *
 * Formulas know whole numbers, parameters, + - * / and brackets. If the file defines
 *
 *   void name_setup(void *data, long bytes, const long *parameters)
 *   int name_check(const void *data, long bytes, const long *parameters, long value)
 *
 * the first fills the buffer before every visit (otherwise it is filled with random
 * words), and the second looks at the buffer and the value of the last call after every
 * batch: it answers 1 if they are right, else 0. */

#ifdef __ASSEMBLER__

/* In assembly: one line, at any place of the file. `;` separates statements in GNU as on
 * x86-64 and AArch64. */
/* clang-format off */
#define SONDE_KERNEL(name, parameters, buffer, elements, bytes, operations)              \
    .pushsection .rodata; 7101: .asciz #name; 7102: .asciz parameters;                   \
    7103: .asciz buffer; 7104: .asciz elements; 7105: .asciz bytes;                      \
    7106: .asciz operations; .popsection;                                                \
    .pushsection .data.rel.ro, "aw"; .balign 8; .globl sonde_kernel_##name;              \
    .type sonde_kernel_##name, SONDE_OBJECT; .size sonde_kernel_##name, 80;              \
    sonde_kernel_##name: .long SONDE_KERNEL_VERSION, __LINE__; .quad 7101b; .quad name;  \
    .quad 7102b; .quad 7103b; .quad 7104b; .quad 7105b; .quad 7106b;                     \
    .weak name##_setup; .quad name##_setup; .weak name##_check; .quad name##_check;      \
    .popsection
/* clang-format on */
#define SONDE_OBJECT STT_OBJECT

#else

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef long sonde_function(void *data, long, long, long, long);
typedef void sonde_setup_function(void *data, long bytes, const long *parameters);
typedef int sonde_check_function(const void *data, long bytes, const long *parameters,
                                 long value);

/* What SONDE_KERNEL defines: 80 bytes, ten words, in this order. */
struct sonde_kernel {
    unsigned version; /* SONDE_KERNEL_VERSION */
    unsigned line;    /* of the declaration: kernels are run in this order */
    const char *name;
    sonde_function *run;
    const char *parameters, *buffer, *elements, *bytes, *operations;
    sonde_setup_function *setup; /* NULL: random words */
    sonde_check_function *check; /* NULL: unchecked */
};

#ifdef __cplusplus
#define SONDE_DECLARED extern "C"
#else
#define SONDE_DECLARED extern
#endif

/* In C and C++: at file scope, after the function, followed by a semicolon. The function
 * may have any parameters that a call with a pointer and longs fits. */
#define SONDE_KERNEL(name_, parameters_, buffer_, elements_, bytes_, operations_)        \
    SONDE_DECLARED __attribute__((weak)) sonde_setup_function name_##_setup;             \
    SONDE_DECLARED __attribute__((weak)) sonde_check_function name_##_check;             \
    SONDE_DECLARED __attribute__((visibility("default")))                                \
    const struct sonde_kernel sonde_kernel_##name_;                                      \
    const struct sonde_kernel sonde_kernel_##name_ = {                                   \
        SONDE_KERNEL_VERSION,                                                            \
        __LINE__,                                                                        \
        #name_,                                                                          \
        (sonde_function *)(void (*)(void))name_,                                         \
        parameters_,                                                                     \
        buffer_,                                                                         \
        elements_,                                                                       \
        bytes_,                                                                          \
        operations_,                                                                     \
        name_##_setup,                                                                   \
        name_##_check}

#ifdef __cplusplus
}
#endif

#endif /* __ASSEMBLER__ */
#endif /* SONDE_H */
