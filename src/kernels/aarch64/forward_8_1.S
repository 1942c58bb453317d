/* uint64_t sonde_kernel_forward_8_1(void *data, uint64_t count, uint64_t argument)
 *
 * Stores 8 bytes and loads 1 where the load half of the argument says; each step needs the
 * last one.
 * One iteration: 16 steps, 50 instructions, 16 loads, 16 stores. */
#include "kernels/aarch64/forward.inc"

FORWARD sonde_kernel_forward_8_1, x5, ldrb, w5
