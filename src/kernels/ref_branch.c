/* References of the loops of branches and calls.
 *
 * None of them branches on the data: a prediction made just before a sample must not show
 * the outcomes to the branch predictor first. Whole repetitions of a pattern are counted
 * once and multiplied. */
#include "kernels/calls.h"
#include "kernels/names.h"
#include "kernels/taken.h"

static uint64_t count_ones(const uint64_t *words, uint64_t bits)
{
    uint64_t ones = 0;

    for (uint64_t i = 0; i < bits / 64; i++)
        ones += (uint64_t)__builtin_popcountll(words[i]);
    if (bits % 64)
        ones += (uint64_t)__builtin_popcountll(words[bits / 64] << (64 - bits % 64));
    return ones;
}

uint64_t sonde_kernel_ref_branch_bits(void *data, uint64_t count, uint64_t argument)
{
    (void)argument;
    return count_ones(data, count);
}

uint64_t sonde_kernel_ref_branch_one(void *data, uint64_t count, uint64_t argument)
{
    uint64_t period = argument + 1, whole = 0;

    if (period != 0 && count >= period)
        whole = count / period * count_ones(data, period);
    return whole + count_ones(data, period ? count % period : count);
}

/* A byte of 128 and more has its upper bit set. */
static uint64_t sum_upper(const unsigned char *bytes, uint64_t count)
{
    uint64_t sum = 0;

    for (uint64_t i = 0; i < count; i++)
        sum += bytes[i] & (0u - (unsigned)(bytes[i] >> 7));
    return sum;
}

uint64_t sonde_kernel_ref_branch_kept(void *data, uint64_t count, uint64_t argument)
{
    (void)argument;
    return sum_upper(data, count);
}

uint64_t sonde_kernel_ref_branch_select(void *data, uint64_t count, uint64_t argument)
{
    (void)argument;
    return sum_upper(data, count);
}

uint64_t sonde_kernel_ref_branch_compiled(void *data, uint64_t count, uint64_t argument)
{
    (void)argument;
    return sum_upper(data, count);
}

uint64_t sonde_kernel_ref_call_nest(void *data, uint64_t count, uint64_t argument)
{
    (void)data;
    return count * argument;
}

uint64_t sonde_kernel_ref_call_targets(void *data, uint64_t count, uint64_t argument)
{
    const uint16_t *choices = data;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < count; i++) {
        uint64_t target = choices[i] & argument & (CALLS_TARGETS - 1);

        sum += target + (uint64_t)__builtin_popcountll(target);
    }
    return sum;
}

#define TAKEN(spacing)                                                                   \
    uint64_t sonde_kernel_ref_taken_##spacing(void *data, uint64_t count,                \
                                              uint64_t argument)                         \
    {                                                                                    \
        (void)data;                                                                      \
        return count * (argument & ((UINT64_C(1) << TAKEN_NONE_SHIFT) - 1));             \
    }
TAKEN(16)
TAKEN(32)
TAKEN(64)
