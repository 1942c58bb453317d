/* Calls of the C library's functions, timed as a program makes them.
 *
 *   sin_chain   x = sin(x) + 1.25      comes to rest near 2.2
 *   exp_chain   x = exp(-x)            comes to rest near 0.57
 *   pow_chain   x = pow(1.3, x)        comes to rest near 1.47
 *
 * Each argument is the last result, kept in a range where no shortcut is taken; the sum
 * of sin_chain is taken off by inference, the sign of exp_chain is a cycle at most. The
 * wide ones call on eight arguments in turn, which wait for nothing.
 *
 * What can fool it: the library chooses its code by the core, and time depends on the
 * argument; so a figure holds for this library, core and range. The references call the
 * same functions, but stop where a chain has come to rest. */
#include "kernels/names.h"

#include <math.h>
#include <string.h>

enum { ARGUMENTS = 8 };

/* Volatile, so that no call can be moved out of a loop. */
static const volatile double arguments[ARGUMENTS] = {0.31, 0.83, 1.37, 2.11,
                                                     2.83, 3.59, 4.37, 5.71};

static uint64_t to_bits(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double sin_step(double x)
{
    return sin(x) + 1.25;
}

static double exp_step(double x)
{
    return exp(-x);
}

static double pow_step(double x)
{
    return pow(1.3, x);
}

static double sin_of(double x)
{
    return sin(x);
}

static double exp_of(double x)
{
    return exp(x);
}

static double pow_of(double x)
{
    return pow(x, 1.7);
}

/* The chain, until a value comes back after two steps: the rest goes round. */
static uint64_t settle(double (*step)(double), uint64_t count)
{
    double x = 1, before = 0;

    while (count--) {
        double next = step(x);

        if (next == before)
            count %= 2;
        before = x;
        x = next;
    }
    return to_bits(x);
}

static uint64_t sum_round(double (*call)(double), uint64_t count)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < ARGUMENTS; i++)
        sum += to_bits(call(arguments[i]));
    return sum * (count / ARGUMENTS);
}

#define LIBRARY(name)                                                                    \
    uint64_t sonde_kernel_##name##_chain(void *data, uint64_t count, uint64_t argument)  \
    {                                                                                    \
        double x = 1;                                                                    \
                                                                                         \
        (void)data, (void)argument;                                                      \
        while (count--)                                                                  \
            x = name##_step(x);                                                          \
        return to_bits(x);                                                               \
    }                                                                                    \
    uint64_t sonde_kernel_##name##_wide(void *data, uint64_t count, uint64_t argument)   \
    {                                                                                    \
        uint64_t sum = 0;                                                                \
                                                                                         \
        (void)data, (void)argument;                                                      \
        for (uint64_t i = 0; i < count; i++)                                             \
            sum += to_bits(name##_of(arguments[i % ARGUMENTS]));                         \
        return sum;                                                                      \
    }                                                                                    \
    uint64_t sonde_kernel_ref_##name##_chain(void *data, uint64_t count,                 \
                                             uint64_t argument)                          \
    {                                                                                    \
        (void)data, (void)argument;                                                      \
        return settle(name##_step, count);                                               \
    }                                                                                    \
    uint64_t sonde_kernel_ref_##name##_wide(void *data, uint64_t count,                  \
                                            uint64_t argument)                           \
    {                                                                                    \
        (void)data, (void)argument;                                                      \
        return sum_round(name##_of, count);                                              \
    }

LIBRARY(sin)
LIBRARY(exp)
LIBRARY(pow)
