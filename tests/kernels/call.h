/* Calls a kernel with every register that a function must preserve filled with a pattern,
 * and compares them afterwards. One file per instruction set does it. */
#ifndef SONDE_TESTS_KERNELS_CALL_H
#define SONDE_TESTS_KERNELS_CALL_H

#include "kernels/kernel.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns what `run` returned. `*broken` gets one bit per register that it changed. */
uint64_t sonde_test_call(kernel_function *run, void *data, uint64_t count,
                         uint64_t argument, uint64_t *broken);

/* The bits that calling sonde_test_clobber must set; 0 where calls cannot be watched. */
extern const uint64_t sonde_test_clobbered;
/* Breaks the rules: changes preserved registers. */
kernel_function sonde_test_clobber;

#endif
