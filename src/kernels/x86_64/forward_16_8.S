/* uint64_t sonde_kernel_forward_16_8(void *data, uint64_t count, uint64_t argument)
 *
 * Stores 16 bytes of a vector and loads 8 where the load half of the argument says; each step
 * needs the last one.
 * One iteration: 16 steps, 50 instructions, 16 loads, 16 stores. */
#include "kernels/x86_64/forward.inc"

FORWARD_VECTOR sonde_kernel_forward_16_8, movsd
