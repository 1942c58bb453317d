/* uint64_t sonde_kernel_taken_32(void *data, uint64_t count, uint64_t argument)
 *
 * A row of `argument` branches, 32 bytes apart. One iteration: 1 step, 3 instructions beside
 * what is called, no loads, no stores. */
#include "kernels/aarch64/taken.inc"

TAKEN sonde_kernel_taken_32, 32, 5
