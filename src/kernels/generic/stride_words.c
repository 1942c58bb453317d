/* Adds up words a stride apart, where no assembly does: four sums, begun anew after
 * each pass.
 *
 * What can fool it: the compiler chooses the loop, so its instructions are not counted,
 * and the end of a pass is a branch. */
#include "kernels/names.h"

uint64_t sonde_kernel_stride_words(void *data, uint64_t count, uint64_t argument)
{
    const uint64_t stride = argument & UINT32_MAX, pass = argument >> 32;
    const char *at = data;
    uint64_t sums[4] = {0}, left = pass;

    for (uint64_t i = 0; i < count; i += 4) {
        sums[0] += *(const volatile uint64_t *)(const volatile void *)at;
        sums[1] += *(const volatile uint64_t *)(const volatile void *)(at + stride);
        sums[2] += *(const volatile uint64_t *)(const volatile void *)(at + 2 * stride);
        sums[3] += *(const volatile uint64_t *)(const volatile void *)(at + 3 * stride);
        at += 4 * stride;
        left -= 4;
        if (left == 0) {
            left = pass;
            at = data;
        }
    }
    return sums[0] + sums[1] + sums[2] + sums[3];
}
