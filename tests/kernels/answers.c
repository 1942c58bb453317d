/* Memory to try kernels on, and the values they must return. */
#include "answers.h"

#include "../unit/support.h"
#include "arch/arch.h"
#include "base/random.h"
#include "kernels/calls.h"
#include "kernels/fields.h"
#include "kernels/forward.h"
#include "kernels/kernel.h"
#include "kernels/operands.h"
#include "kernels/tile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A random closed ring through all words; the seed fixes it. */
void fill_ring(const struct trial *trial)
{
    uint32_t *order = malloc(trial->words * sizeof *order);
    uintptr_t *nodes = trial->data;
    struct random_source random;

    assert_non_null(order);
    for (uint32_t i = 0; i < trial->words; i++)
        order[i] = i;
    sonde_base_random_seed(&random, 1);
    sonde_base_random_shuffle(&random, order, trial->words);
    for (uint64_t i = 0; i < trial->words; i++)
        nodes[order[i]] = (uintptr_t)&nodes[order[(i + 1) % trial->words]];
    free(order);
}

/* Cursors, as many as the subject's constant says, spread over the ring behind them. */
void fill_cursors(const struct trial *trial)
{
    uintptr_t *cursors = trial->data;
    uint64_t nodes = trial->words - trial->constant;
    struct trial ring = {.data = cursors + trial->constant, .words = nodes};

    fill_ring(&ring);
    for (uint64_t i = 0; i < trial->constant; i++)
        cursors[i] = (uintptr_t)(cursors + trial->constant + i * 5 % nodes);
}

void fill_words(const struct trial *trial)
{
    uint64_t *words = trial->data;
    struct random_source random;

    sonde_base_random_seed(&random, 2);
    for (uint64_t i = 0; i < trial->words; i++)
        words[i] = sonde_base_random_next(&random);
}

void fill_nothing(const struct trial *trial)
{
    (void)trial;
}

uint64_t answer_chase(const struct trial *trial)
{
    uintptr_t node = (uintptr_t)trial->data;
    uint64_t steps = trial->count % trial->words; /* once around leads back */

    while (steps-- > 0)
        node = *(uintptr_t *)node;
    return node;
}

uint64_t answer_cursors(const struct trial *trial)
{
    const uintptr_t *cursors = trial->data;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < trial->constant; i++) {
        struct trial one = {.data = (void *)cursors[i],
                            .words = trial->words - trial->constant,
                            .count = trial->count};

        sum += answer_chase(&one);
    }
    return sum;
}

/* By a memory of bytes in a list of its own; the constant says how wide store and load
 * are, as 100 * stored + loaded. */
uint64_t answer_forward(const struct trial *trial)
{
    size_t stored = (size_t)(trial->constant / 100), loaded = trial->constant % 100;
    size_t bytes = (size_t)trial->words * 8;
    unsigned char *memory = malloc(bytes + 1), number[16];
    uint64_t value = 0;

    assert_non_null(memory);
    memcpy(memory, trial->data, bytes);
    memset(number, 1, sizeof number);
    for (uint64_t step = 0; step < trial->count; step++) {
        size_t place = (size_t)(step % FORWARD_PLACES) * FORWARD_PITCH;
        unsigned carry = 0;

        for (size_t i = 0; i < stored; i++)
            memory[(trial->argument & UINT32_MAX) + place + i] = number[i];
        for (size_t i = 0; i < sizeof number; i++) {
            unsigned byte =
                i < loaded ? memory[(trial->argument >> FORWARD_LOAD_SHIFT) + place + i]
                           : 0;

            carry = i == 8 ? 0 : carry; /* two numbers of 8 bytes */
            carry += byte + 1;
            number[i] = (unsigned char)carry;
            carry >>= 8;
        }
    }
    memcpy(&value, number, sizeof value);
    free(memory);
    return value;
}

uint64_t answer_raised(const struct trial *trial)
{
    return (trial->count + 1) * UINT64_C(0x0101010101010101);
}

uint64_t answer_add(const struct trial *trial)
{
    return trial->count * trial->argument;
}

/* By repeated squaring, so that not a loop is compared with the same loop. */
uint64_t answer_multiply(const struct trial *trial)
{
    uint64_t power = trial->argument | 1, result = 1;

    for (uint64_t left = trial->count; left > 0; left /= 2, power *= power)
        if (left % 2 == 1)
            result *= power;
    return result;
}

uint64_t answer_wide(const struct trial *trial)
{
    uint64_t result = 0;

    for (uint64_t k = 0; k < 8; k++)
        result = 2 * result + k + trial->count / 8 * trial->argument;
    return result;
}

uint64_t answer_sum(const struct trial *trial)
{
    const uint64_t *words = trial->data;
    uint64_t sum = 0;

    for (uint64_t i = trial->count; i-- > 0;)
        sum += words[i];
    return sum;
}

uint64_t answer_touch(const struct trial *trial)
{
    const uint64_t *words = trial->data;
    uint64_t sum = trial->count; /* one is added to each */

    for (uint64_t i = 0; i < trial->count; i++)
        sum += words[i * trial->argument / 8];
    return sum;
}

uint64_t answer_put(const struct trial *trial)
{
    uint64_t sum = 0;

    for (uint64_t i = trial->count; i > 0; i--)
        sum += i;
    return sum;
}

uint64_t answer_steps(const struct trial *trial)
{
    return trial->count;
}

void fill_zero(const struct trial *trial)
{
    memset(trial->data, 0, trial->words * sizeof(uint64_t));
}

/* Bit by bit, with a counter that wraps. */
uint64_t answer_bits(const struct trial *trial)
{
    const uint64_t *words = trial->data;
    uint64_t ones = 0, bit = 0;

    for (uint64_t i = 0; i < trial->count; i++) {
        ones += words[bit / 64] >> bit % 64 & 1;
        bit = trial->constant ? bit + 1 : (bit + 1) & trial->argument;
    }
    return ones;
}

uint64_t answer_upper(const struct trial *trial)
{
    const unsigned char *bytes = trial->data;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < trial->count; i++)
        sum += bytes[i] < 128 ? 0 : bytes[i];
    return sum;
}

uint64_t answer_targets(const struct trial *trial)
{
    const uint16_t *choices = trial->data;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < trial->count; i++)
        for (uint64_t left = choices[i] % (trial->argument + 1), bit = 512; bit; bit /= 2)
            sum += (left & bit) ? bit + 1 : 0;
    return sum;
}

/* Doubles whose exponents differ so much that in a sum now one of two shows, now both. */
void fill_doubles(const struct trial *trial)
{
    uint64_t *words = trial->data;
    struct random_source random;

    sonde_base_random_seed(&random, 3);
    for (uint64_t i = 0; i < trial->words; i++)
        words[i] = (sonde_base_random_next(&random) & UINT64_C(0x800fffffffffffff)) |
                   (uint64_t)(1023 - 80 + (int)sonde_base_random_below(&random, 160))
                       << 52;
}

/* Pass by pass: whole ones by a sum of everything, the rest by iterations. */
uint64_t answer_read(const struct trial *trial)
{
    const uint64_t *words = trial->data;
    uint64_t width = trial->constant >> 16, unroll = trial->constant >> 8 & 255;
    uint64_t streams = trial->constant & 255, total = trial->argument / 8;
    uint64_t done = trial->count * width / 8, sum = 0,
             chunk = unroll * width / 8 / streams;

    for (uint64_t i = 0; i < total; i++)
        sum += words[i];
    sum *= done / total;
    for (uint64_t i = 0; i < done % total / streams; i += chunk)
        for (uint64_t k = 0; k < streams * chunk; k++)
            sum += words[k / chunk * (total / streams) + i + k % chunk];
    return sum;
}

uint64_t answer_place(const struct trial *trial)
{
    uint64_t width = trial->constant >> 16, streams = trial->constant & 255;

    return trial->count * width / streams % (trial->argument / streams);
}

/* Content that begins anew after a tile. */
void fill_tiles(const struct trial *trial)
{
    uint64_t *words = trial->data;

    fill_words(trial);
    for (uint64_t i = TILE_BYTES / 8; i < trial->words; i++)
        words[i] = words[i - TILE_BYTES / 8];
}

/* Step by step, with a place that is counted and not carried along; the constant is the
 * width of a load. */
uint64_t answer_stride(const struct trial *trial)
{
    uint64_t stride = trial->argument & UINT32_MAX, pass = trial->argument >> 32, sum = 0;

    for (uint64_t i = 0; i < trial->count; i++) {
        const unsigned char *at =
            (unsigned char *)trial->data + (pass ? i % pass : i) * stride;
        uint64_t word = 0;

        memcpy(&word, at, trial->constant);
        sum += word;
    }
    return sum;
}

uint64_t answer_last_eight(const struct trial *trial)
{
    struct trial last = {(uint64_t *)trial->data + 24, 8, trial->count ? 8 : 0, 0, 0};

    return answer_sum(&last);
}

/* By the bytes of each access: the constant is its width. */
uint64_t answer_ports(const struct trial *trial)
{
    uint64_t sum = 0;

    for (uint64_t access = 16; trial->count && access-- > 8;) {
        uint64_t word;

        memcpy(&word, (const char *)trial->data + access * trial->constant, sizeof word);
        sum += word;
    }
    return sum;
}

/* Element by element, in the order the argument asks for. */
uint64_t answer_fields(const struct trial *trial)
{
    const uint64_t *words = trial->data;
    uint64_t elements = UINT64_C(1) << trial->argument % 32;
    uint64_t at = trial->argument >> 32, sum = 0;

    for (uint64_t i = 0; i < trial->count; i++) {
        for (uint64_t field = 0; field < 8; field++)
            sum += trial->argument & FIELDS_ARRAYS
                       ? words[at % elements + field * (elements + FIELDS_PAD / 8)]
                       : words[8 * (at % elements) + field];
        at = trial->argument & FIELDS_SCATTERED ? at * (uint64_t)FIELDS_FACTOR + 1
                                                : at + 1;
    }
    return sum;
}

uint64_t answer_zero(const struct trial *trial)
{
    (void)trial;
    return 0;
}

/* Operands return to where they began: a sum of that many starts. */
uint64_t answer_start(const struct trial *trial)
{
    return trial->constant * START64;
}

uint64_t answer_start_float(const struct trial *trial)
{
    return trial->constant * START32;
}

uint64_t answer_start_wide(const struct trial *trial)
{
    return trial->constant * sonde_kernel_wide_chains() * START64;
}

uint64_t answer_start_wide_float(const struct trial *trial)
{
    return trial->constant * sonde_kernel_wide_chains() * START32;
}

/* Roots found by the search that chose the operands: start / factor is the root. */
uint64_t answer_root(const struct trial *trial)
{
    uint64_t root = trial->count ? trial->constant : START64;

    return sonde_kernel_wide_chains() * root;
}

uint64_t answer_root_float(const struct trial *trial)
{
    uint64_t root = trial->count ? trial->constant : START32;

    return sonde_kernel_wide_chains() * root;
}

uint64_t answer_vector(const struct trial *trial)
{
    uint64_t shape = trial->constant >> 16 & 255, lanes = trial->constant >> 8 & 255;
    bool root = shape == VECTOR_ROOT && trial->count > 0;
    uint64_t lane = root ? UINT64_C(0x3ff1c454cf6608b9) : START64;

    if (trial->constant & VECTOR_INTEGERS)
        lane = UINT64_C(0x100000001) * INTEGER_START;
    else if ((trial->constant & 255) == 32)
        lane = UINT64_C(0x100000001) * (root ? 0x3f948817 : START32);
    if (lanes == 0)
        lanes = sonde_arch_scalable_bytes() / 8;
    return lane * lanes * (shape == VECTOR_CHAIN ? 1 : sonde_kernel_wide_chains());
}

uint64_t answer_row(const struct trial *trial)
{
    return trial->count * (uint32_t)trial->argument;
}

uint64_t answer_multiply_wide(const struct trial *trial)
{
    struct trial one = {.count = trial->count / 8, .argument = trial->argument};

    return 8 * answer_multiply(&one);
}

uint64_t answer_constant(const struct trial *trial)
{
    return trial->constant;
}

uint64_t answer_quotients(const struct trial *trial)
{
    return trial->count * DIVISOR_SECOND;
}

uint64_t answer_subnormal(const struct trial *trial)
{
    static const uint64_t by_argument[] = {START64, SUBNORMAL64, START64, 0};

    if (trial->count == 0)
        return trial->argument & OPERANDS_SUBNORMAL ? SUBNORMAL64 : START64;
    return by_argument[trial->argument];
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double call_library(uint64_t function, double x)
{
    if (function == 's')
        return sin(x) + 1.25;
    return function == 'e' ? exp(-x) : pow(1.3, x);
}

uint64_t answer_library(const struct trial *trial)
{
    double x = 1;

    for (uint64_t i = 0; i < trial->count; i++)
        x = call_library(trial->constant, x);
    return bits_of(x);
}

uint64_t answer_library_wide(const struct trial *trial)
{
    static const double from[] = {0.31, 0.83, 1.37, 2.11, 2.83, 3.59, 4.37, 5.71};
    uint64_t sum = 0;

    for (uint64_t i = trial->count; i-- > 0;) {
        double x = from[i % 8];

        if (trial->constant == 's')
            sum += bits_of(sin(x));
        else
            sum += bits_of(trial->constant == 'e' ? exp(x) : pow(x, 1.7));
    }
    return sum;
}
