/* Streams through memory in C, where an instruction set has no assembly for them: a word
 * at a time, unrolled as far as the compiler likes. Arrays lie one behind the other, and
 * at the end of one the walk begins anew, as in the assembly.
 *
 * What can fool it: a compiler may make other widths of it than one word, or turn a copy
 * into a call; bytes are counted all the same, only the choice of width is then its own.
 */
#include "kernels/names.h"
#include "kernels/operands.h"

#include <string.h>

enum { UNROLL = 16 };

uint64_t sonde_kernel_read_c(void *data, uint64_t count, uint64_t argument)
{
    const uint64_t *words = data;
    uint64_t sums[4] = {0}, at = 0, length = argument / 8;

    for (; count > 0; count -= UNROLL) {
        for (unsigned i = 0; i < UNROLL; i++)
            sums[i % 4] += words[at + i];
        at = at + UNROLL == length ? 0 : at + UNROLL;
    }
    return sums[0] + sums[1] + sums[2] + sums[3];
}

uint64_t sonde_kernel_write_c(void *data, uint64_t count, uint64_t argument)
{
    uint64_t *words = data;
    uint64_t at = 0, length = argument / 8;

    for (; count > 0; count -= UNROLL) {
        for (unsigned i = 0; i < UNROLL; i++)
            words[at + i] = BANDWIDTH_WORD;
        at = at + UNROLL == length ? 0 : at + UNROLL;
    }
    return 8 * at;
}

uint64_t sonde_kernel_copy_c(void *data, uint64_t count, uint64_t argument)
{
    uint64_t at = 0, length = argument / 8;
    const uint64_t *restrict from = data;
    uint64_t *restrict to = (uint64_t *)data + length;

    for (; count > 0; count -= UNROLL) {
        for (unsigned i = 0; i < UNROLL; i++)
            to[at + i] = from[at + i];
        at = at + UNROLL == length ? 0 : at + UNROLL;
    }
    return 8 * at;
}

static double factor(void)
{
    const uint64_t bits = BANDWIDTH_SCALAR;
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

uint64_t sonde_kernel_triad_c(void *data, uint64_t count, uint64_t argument)
{
    uint64_t at = 0, length = argument / 8;
    double *restrict to = data;
    const double *restrict first = (double *)data + length;
    const double *restrict second = (double *)data + 2 * length;
    double scalar = factor();

    for (; count > 0; count -= UNROLL) {
        for (unsigned i = 0; i < UNROLL; i++) {
            double product = scalar * second[at + i];

            to[at + i] = first[at + i] + product;
        }
        at = at + UNROLL == length ? 0 : at + UNROLL;
    }
    return 8 * at;
}
