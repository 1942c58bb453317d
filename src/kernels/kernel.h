/* The loops that get timed.
 *
 * All have one signature. A kernel does `count` steps on the memory at `data`, with one
 * more parameter whose meaning its row states, and returns a value that the C reference
 * (ref.c) predicts: nothing it did can be deleted, and a wrong value fails the point.
 * What a step is, and how many instructions, loads, stores and bytes it takes, is
 * declared in kernels.def and proven against the disassembly and against the reference in
 * tests/kernels. A kernel knows no clock and no statistics. */
#ifndef SONDE_KERNELS_KERNEL_H
#define SONDE_KERNELS_KERNEL_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t kernel_function(void *data, uint64_t count, uint64_t argument);

struct kernel {
    const char *name;     /* "chase" */
    const char *summary;  /* one line */
    const char *step;     /* what one step is: "one dependent load" */
    const char *argument; /* meaning of the third parameter, or "" */
    unsigned unroll; /* `count` must be a multiple of this; steps per loop iteration */
    unsigned
        instructions; /* per loop iteration, loop control included (0: C, not fixed) */
    unsigned loads, stores;             /* instructions per loop iteration */
    unsigned bytes_read, bytes_written; /* per loop iteration */
    unsigned features;                  /* enum arch_feature bits that it needs */
    kernel_function *run;
    kernel_function *reference; /* the same value in plain C, memory effects included */
};

/* The table in the order of kernels.def; the count behind it. */
const struct kernel *sonde_kernels(size_t *count);
/* How many chains the floating and vector kernels named _wide keep going: a throughput of
 * as many operations in the time of one is a lower bound. */
unsigned sonde_kernel_wide_chains(void);
/* By name; NULL if there is none. */
const struct kernel *sonde_kernel_find(const char *name);

#endif
