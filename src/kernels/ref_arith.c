/* References of the arithmetic kernels: the same operations in C, to the bit.
 *
 * The operands are such that a kernel is back where it began after one or two steps
 * (operands.h), so a prediction computes these and knows the rest. Were it not back, all
 * steps would be computed: then the prediction is slow, not wrong. What can fool it: a
 * compiler that contracts a product and a sum into one operation, which the language
 * standard the build asks for rules out. */
#include "arch/arch.h"
#include "kernels/assembly.h"
#include "kernels/names.h"
#include "kernels/operands.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum operation { ADD, MULTIPLY, FUSED, DIVIDE, ROOT, INTEGER_ADD, INTEGER_MULTIPLY };

static double from64(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t to64(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float from32(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t to32(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double step64(enum operation operation, double x, bool second)
{
    double root;

    switch (operation) {
    case ADD:
        return x + from64(second ? MINUS64 : FACTOR64);
    case MULTIPLY:
        return x * from64(second ? BACK64 : FACTOR64);
    case FUSED:
        return fma(x, from64(FMA_FACTOR64), from64(FMA_ADDEND64));
    case DIVIDE:
        return x / from64(second ? BACK64 : FACTOR64);
    case ROOT:
        root = sqrt(x);
        return root * from64(ROOT_FACTOR64);
    case INTEGER_ADD:
    case INTEGER_MULTIPLY:
        break; /* of 32 bits only */
    }
    return NAN;
}

static float float_step(enum operation operation, float x, bool second)
{
    float root;

    switch (operation) {
    case ADD:
        return x + from32(second ? MINUS32 : FACTOR32);
    case MULTIPLY:
        return x * from32(second ? BACK32 : FACTOR32);
    case FUSED:
        return fmaf(x, from32(FMA_FACTOR32), from32(FMA_ADDEND32));
    case DIVIDE:
        return x / from32(second ? BACK32 : FACTOR32);
    case ROOT:
        root = sqrtf(x);
        return root * from32(ROOT_FACTOR32);
    case INTEGER_ADD:
    case INTEGER_MULTIPLY:
        break; /* no floats */
    }
    return NAN;
}

static bool is_integer(enum operation operation)
{
    return operation == INTEGER_ADD || operation == INTEGER_MULTIPLY;
}

static uint32_t start32(enum operation operation)
{
    return is_integer(operation) ? INTEGER_START : START32;
}

static uint32_t step32(enum operation operation, uint32_t x, bool second)
{
    if (operation == INTEGER_ADD)
        return x + (second ? INTEGER_MINUS : INTEGER_ADDEND);
    if (operation == INTEGER_MULTIPLY)
        return x * (second ? INTEGER_BACK : INTEGER_FACTOR);
    return to32(float_step(operation, from32(x), second));
}

/* One chain of `steps`. Once it is back at the start the rest goes round in twos. */
static uint64_t chain64(enum operation operation, uint64_t steps)
{
    double x = from64(START64);

    for (uint64_t i = 0; i < steps; i++) {
        x = step64(operation, x, i % 2);
        if (i == 1 && to64(x) == START64)
            steps = 2 + steps % 2;
    }
    return to64(x);
}

static uint64_t chain32(enum operation operation, uint64_t steps)
{
    const uint32_t start = start32(operation);
    uint32_t x = start;

    for (uint64_t i = 0; i < steps; i++) {
        x = step32(operation, x, i % 2);
        if (i == 1 && x == start)
            steps = 2 + steps % 2;
    }
    return x;
}

/* One of many chains: roots are all of one number, and depend on nothing. */
static uint64_t one_of_many64(enum operation operation, uint64_t steps)
{
    if (operation == ROOT)
        return steps ? to64(sqrt(from64(START64))) : START64;
    return chain64(operation, steps);
}

static uint64_t one_of_many32(enum operation operation, uint64_t steps)
{
    if (operation == ROOT)
        return steps ? to32(sqrtf(from32(START32))) : START32;
    return chain32(operation, steps);
}

/* Two floats fill 64 bits. */
static uint64_t twice(uint64_t bits)
{
    return bits << 32 | bits;
}

/* `chains` of them in each of `lanes` of 64 bits, summed as integers. */
#define REFERENCE(id, value)                                                             \
    uint64_t sonde_kernel_ref_##id(void *data, uint64_t count, uint64_t argument)        \
    {                                                                                    \
        (void)data, (void)argument, (void)count;                                         \
        return value;                                                                    \
    }
#define CHAINS64(id, operation, chains, lanes)                                           \
    REFERENCE(id, (uint64_t)(chains) * (lanes)*chain64(operation, count / (chains)))
#define BOTH64(id, operation, lanes)                                                     \
    CHAINS64(id##_chain, operation, 1, lanes)                                            \
    REFERENCE(id##_wide, (uint64_t)SONDE_WIDE_CHAINS *(lanes)*one_of_many64(             \
                             operation, count / SONDE_WIDE_CHAINS))
#define BOTH32(id, operation)                                                            \
    REFERENCE(id##_chain, chain32(operation, count))                                     \
    REFERENCE(id##_wide, (uint64_t)SONDE_WIDE_CHAINS *one_of_many32(                     \
                             operation, count / SONDE_WIDE_CHAINS))

BOTH64(fadd, ADD, 1)
BOTH64(fmul, MULTIPLY, 1)
BOTH64(fma, FUSED, 1)
BOTH64(fdiv, DIVIDE, 1)
BOTH64(fsqrt, ROOT, 1)
BOTH32(fadd32, ADD)
BOTH32(fmul32, MULTIPLY)
BOTH32(fma32, FUSED)
BOTH32(fdiv32, DIVIDE)
BOTH32(fsqrt32, ROOT)

#define LANES_v128 2
#define LANES_v256 4
#define LANES_v512 8
#define LANES_sve  (sonde_arch_scalable_bytes() / 8)
#define VECTOR_64  BOTH64
#define VECTOR_32(id, operation, lanes)                                                  \
    REFERENCE(id##_chain, (uint64_t)(lanes)*twice(chain32(operation, count)))            \
    REFERENCE(id##_wide, (uint64_t)SONDE_WIDE_CHAINS *(lanes)*twice(                     \
                             one_of_many32(operation, count / SONDE_WIDE_CHAINS)))
#define VECTOR(operation, kind, bits, width, ...)                                        \
    VECTOR_##bits(operation##_##width, kind, LANES_##width)
#include "kernels/vectors.def"

CHAINS64(fmul_x2, MULTIPLY, 2, 1)
CHAINS64(fmul_x4, MULTIPLY, 4, 1)
CHAINS64(fmul_x8, MULTIPLY, 8, 1)
CHAINS64(fmul_x16, MULTIPLY, 16, 1)

/* --- integers ----------------------------------------------------------------------- */

uint64_t sonde_kernel_ref_mul_wide(void *data, uint64_t count, uint64_t argument)
{
    return 8 * sonde_kernel_ref_mul_chain(data, count / 8, argument);
}

REFERENCE(div_chain, count % 2 ? DIVIDEND / DIVISOR_FIRST : DIVIDEND / DIVISOR_SECOND)
REFERENCE(div_wide, count *(DIVIDEND / DIVISOR_FIRST))

/* --- subnormal numbers -------------------------------------------------------------- */

/* Flushed, a subnormal number counts as 0 and stays 0; otherwise all four return. The
 * steps are computed all the same: they must stay subnormal and come back. */
static uint64_t subnormal(uint64_t count, uint64_t argument, uint64_t first,
                          uint64_t second, bool add)
{
    uint64_t start = argument & OPERANDS_SUBNORMAL ? SUBNORMAL64 : START64;
    double x = from64(start);

    if (count == 0)
        return start;
    if (argument & OPERANDS_SUBNORMAL && argument & OPERANDS_FLUSHED)
        return 0;
    x = add ? x + from64(first) : x * from64(first);
    x = add ? x + from64(second) : x * from64(second);
    return to64(x);
}

uint64_t sonde_kernel_ref_subnormal_add(void *data, uint64_t count, uint64_t argument)
{
    (void)data;
    if (argument & OPERANDS_SUBNORMAL)
        return subnormal(count, argument, SUBNORMAL_ADDEND64, SUBNORMAL_MINUS64, true);
    return subnormal(count, argument, FACTOR64, MINUS64, true);
}

uint64_t sonde_kernel_ref_subnormal_mul(void *data, uint64_t count, uint64_t argument)
{
    (void)data;
    return subnormal(count, argument, FACTOR64, BACK64, false);
}
