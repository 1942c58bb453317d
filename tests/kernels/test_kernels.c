/* Every kernel against its reference, and both against a formula.
 *
 * A kernel runs between two pages that must not be touched, its memory once flush with
 * the first and once with the second, for several counts and arguments; its value, what
 * it left in the memory, and the registers that it must preserve are compared. A kernel
 * without a row in `subjects` fails: it has no test yet. With --table the program prints
 * the rows of the table instead, for the check of the disassembly. */
#include "../unit/support.h"

#include "arch/arch.h"
#include "base/random.h"
#include "call.h"
#include "kernels/calls.h"
#include "kernels/fields.h"
#include "kernels/forward.h"
#include "kernels/kernel.h"
#include "kernels/operands.h"
#include "kernels/tile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- memory between two guards --- */

struct guarded {
    char *mapping, *start;
    size_t mapped, bytes;
};

static struct guarded map_guarded(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct guarded memory = {.bytes = (bytes + page - 1) / page * page};

    memory.mapped = memory.bytes + 2 * page;
    memory.mapping =
        mmap(NULL, memory.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory.mapping, MAP_FAILED);
    memory.start = memory.mapping + page;
    assert_int_equal(mprotect(memory.start, memory.bytes, PROT_READ | PROT_WRITE), 0);
    return memory;
}

/* --- what each kernel gets, and what it must answer --- */

struct trial {
    void *data;     /* the kernel's first parameter */
    uint64_t words; /* that `data` points to */
    uint64_t count, argument;
    uint64_t constant; /* of the subject */
};

/* A random closed ring through all words; the seed fixes it. */
static void fill_ring(const struct trial *trial)
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
static void fill_cursors(const struct trial *trial)
{
    uintptr_t *cursors = trial->data;
    uint64_t nodes = trial->words - trial->constant;
    struct trial ring = {.data = cursors + trial->constant, .words = nodes};

    fill_ring(&ring);
    for (uint64_t i = 0; i < trial->constant; i++)
        cursors[i] = (uintptr_t)(cursors + trial->constant + i * 5 % nodes);
}

static void fill_words(const struct trial *trial)
{
    uint64_t *words = trial->data;
    struct random_source random;

    sonde_base_random_seed(&random, 2);
    for (uint64_t i = 0; i < trial->words; i++)
        words[i] = sonde_base_random_next(&random);
}

static void fill_nothing(const struct trial *trial)
{
    (void)trial;
}

static uint64_t answer_chase(const struct trial *trial)
{
    uintptr_t node = (uintptr_t)trial->data;
    uint64_t steps = trial->count % trial->words; /* once around leads back */

    while (steps-- > 0)
        node = *(uintptr_t *)node;
    return node;
}

static uint64_t answer_cursors(const struct trial *trial)
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
static uint64_t answer_forward(const struct trial *trial)
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

static uint64_t answer_raised(const struct trial *trial)
{
    return (trial->count + 1) * UINT64_C(0x0101010101010101);
}

static uint64_t answer_add(const struct trial *trial)
{
    return trial->count * trial->argument;
}

/* By repeated squaring, so that not a loop is compared with the same loop. */
static uint64_t answer_multiply(const struct trial *trial)
{
    uint64_t power = trial->argument | 1, result = 1;

    for (uint64_t left = trial->count; left > 0; left /= 2, power *= power)
        if (left % 2 == 1)
            result *= power;
    return result;
}

static uint64_t answer_wide(const struct trial *trial)
{
    uint64_t result = 0;

    for (uint64_t k = 0; k < 8; k++)
        result = 2 * result + k + trial->count / 8 * trial->argument;
    return result;
}

static uint64_t answer_sum(const struct trial *trial)
{
    const uint64_t *words = trial->data;
    uint64_t sum = 0;

    for (uint64_t i = trial->count; i-- > 0;)
        sum += words[i];
    return sum;
}

static uint64_t answer_touch(const struct trial *trial)
{
    const uint64_t *words = trial->data;
    uint64_t sum = trial->count; /* one is added to each */

    for (uint64_t i = 0; i < trial->count; i++)
        sum += words[i * trial->argument / 8];
    return sum;
}

static uint64_t answer_steps(const struct trial *trial)
{
    return trial->count;
}

static void fill_zero(const struct trial *trial)
{
    memset(trial->data, 0, trial->words * sizeof(uint64_t));
}

/* Bit by bit, with a counter that wraps. */
static uint64_t answer_bits(const struct trial *trial)
{
    const uint64_t *words = trial->data;
    uint64_t ones = 0, bit = 0;

    for (uint64_t i = 0; i < trial->count; i++) {
        ones += words[bit / 64] >> bit % 64 & 1;
        bit = trial->constant ? bit + 1 : (bit + 1) & trial->argument;
    }
    return ones;
}

static uint64_t answer_upper(const struct trial *trial)
{
    const unsigned char *bytes = trial->data;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < trial->count; i++)
        sum += bytes[i] < 128 ? 0 : bytes[i];
    return sum;
}

static uint64_t answer_targets(const struct trial *trial)
{
    const uint16_t *choices = trial->data;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < trial->count; i++)
        for (uint64_t left = choices[i] % (trial->argument + 1), bit = 512; bit; bit /= 2)
            sum += (left & bit) ? bit + 1 : 0;
    return sum;
}

/* Content that begins anew after a tile. */
static void fill_tiles(const struct trial *trial)
{
    uint64_t *words = trial->data;

    fill_words(trial);
    for (uint64_t i = TILE_BYTES / 8; i < trial->words; i++)
        words[i] = words[i - TILE_BYTES / 8];
}

/* Step by step, with a place that is counted and not carried along; the constant is the
 * width of a load. */
static uint64_t answer_stride(const struct trial *trial)
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

static uint64_t answer_last_eight(const struct trial *trial)
{
    struct trial last = {(uint64_t *)trial->data + 24, 8, trial->count ? 8 : 0, 0, 0};

    return answer_sum(&last);
}

/* Element by element, in the order the argument asks for. */
static uint64_t answer_fields(const struct trial *trial)
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

static uint64_t answer_zero(const struct trial *trial)
{
    (void)trial;
    return 0;
}

/* Operands return to where they began: a sum of that many starts. */
static uint64_t answer_start(const struct trial *trial)
{
    return trial->constant * START64;
}

static uint64_t answer_start_float(const struct trial *trial)
{
    return trial->constant * START32;
}

static uint64_t answer_start_wide(const struct trial *trial)
{
    return trial->constant * sonde_kernel_wide_chains() * START64;
}

static uint64_t answer_start_wide_float(const struct trial *trial)
{
    return trial->constant * sonde_kernel_wide_chains() * START32;
}

/* Roots found by the search that chose the operands: start / factor is the root. */
static uint64_t answer_root(const struct trial *trial)
{
    uint64_t root = trial->count ? trial->constant : START64;

    return sonde_kernel_wide_chains() * root;
}

static uint64_t answer_root_float(const struct trial *trial)
{
    uint64_t root = trial->count ? trial->constant : START32;

    return sonde_kernel_wide_chains() * root;
}

static uint64_t answer_multiply_wide(const struct trial *trial)
{
    struct trial one = {.count = trial->count / 8, .argument = trial->argument};

    return 8 * answer_multiply(&one);
}

static uint64_t answer_constant(const struct trial *trial)
{
    return trial->constant;
}

static uint64_t answer_quotients(const struct trial *trial)
{
    return trial->count * DIVISOR_SECOND;
}

static uint64_t answer_subnormal(const struct trial *trial)
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

static uint64_t answer_library(const struct trial *trial)
{
    double x = 1;

    for (uint64_t i = 0; i < trial->count; i++)
        x = call_library(trial->constant, x);
    return bits_of(x);
}

static uint64_t answer_library_wide(const struct trial *trial)
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

enum {
    NO_MEMORY,
    POOL,
    RING,
    CURSORS,
    TWO_PLACES,
    ONE_WORD_A_STEP,
    ONE_BIT_A_STEP,
    ONE_BYTE_A_STEP,
    TWO_BYTES_A_STEP,
    ARGUMENT_APART,
    STRIDED,
    ONE_TILE,
    ELEMENTS
};

/* The upper half of an argument. */
#define PASS(steps) (UINT64_C(steps) << 32)

struct subject {
    const char *name;
    int memory;
    void (*fill)(const struct trial *trial);
    uint64_t (*answer)(const struct trial *trial);
    uint64_t arguments[4];
    uint64_t constant; /* what the answer is, or is made of */
};

static const struct subject subjects[] = {
    {"chase", RING, fill_ring, answer_chase, {0, 1, 0, 0}, 0},
    {"add_chain", NO_MEMORY, fill_nothing, answer_add, {0, 1, 3, UINT64_MAX - 4}, 0},
    {"mul_chain", NO_MEMORY, fill_nothing, answer_multiply, {0, 1, 6, UINT64_MAX - 4}, 0},
    {"add_wide", NO_MEMORY, fill_nothing, answer_wide, {0, 1, 3, UINT64_MAX - 4}, 0},
    {"touch", ARGUMENT_APART, fill_words, answer_touch, {8, 64, 72, 4096}, 0},
    {"sum_kept", ONE_WORD_A_STEP, fill_words, answer_sum, {0, 1, 0, 0}, 0},
    {"sum_discarded", ONE_WORD_A_STEP, fill_words, answer_zero, {0, 1, 0, 0}, 0},
    {"count_plain", POOL, fill_words, answer_steps, {0, 1, 0, 0}, 0},
    {"count_relaxed", POOL, fill_words, answer_steps, {0, 1, 0, 0}, 0},
    {"count_ordered", POOL, fill_words, answer_steps, {0, 1, 0, 0}, 0},
    {"count_swap", POOL, fill_words, answer_steps, {0, 1, 0, 0}, 0},
    {"load_acquire", POOL, fill_words, answer_steps, {0, 1, 0, 0}, 0},
    {"store_release", POOL, fill_words, answer_steps, {0, 1, 7, UINT64_MAX}, 0},
    {"store_fence", POOL, fill_words, answer_steps, {0, 1, 7, UINT64_MAX}, 0},
    {"ping_pong", POOL, fill_zero, answer_steps, {0, 0, 0, 0}, 0},
    {"futex_handoff", POOL, fill_zero, answer_steps, {0, 0, 0, 0}, 0},
    {"lock_mutex", POOL, fill_zero, answer_add, {0, 1, 2, 5}, 0},
    {"lock_spin", POOL, fill_zero, answer_add, {0, 1, 2, 5}, 0},
    {"lock_read", POOL, fill_zero, answer_add, {0, 1, 2, 5}, 0},
    {"fadd_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 1},
    {"fadd_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 1},
    {"fmul_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 1},
    {"fmul_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 1},
    {"fma_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 1},
    {"fma_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 1},
    {"fdiv_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 1},
    {"fdiv_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 1},
    {"fsqrt_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 1},
    {"fsqrt_wide",
     NO_MEMORY,
     fill_nothing,
     answer_root,
     {0, 1, 2, 3},
     0x3ff1c454cf6608b9},
    {"fadd32_chain", NO_MEMORY, fill_nothing, answer_start_float, {0, 1, 2, 3}, 1},
    {"fadd32_wide", NO_MEMORY, fill_nothing, answer_start_wide_float, {0, 1, 2, 3}, 1},
    {"fmul32_chain", NO_MEMORY, fill_nothing, answer_start_float, {0, 1, 2, 3}, 1},
    {"fmul32_wide", NO_MEMORY, fill_nothing, answer_start_wide_float, {0, 1, 2, 3}, 1},
    {"fma32_chain", NO_MEMORY, fill_nothing, answer_start_float, {0, 1, 2, 3}, 1},
    {"fma32_wide", NO_MEMORY, fill_nothing, answer_start_wide_float, {0, 1, 2, 3}, 1},
    {"fdiv32_chain", NO_MEMORY, fill_nothing, answer_start_float, {0, 1, 2, 3}, 1},
    {"fdiv32_wide", NO_MEMORY, fill_nothing, answer_start_wide_float, {0, 1, 2, 3}, 1},
    {"fsqrt32_chain", NO_MEMORY, fill_nothing, answer_start_float, {0, 1, 2, 3}, 1},
    {"fsqrt32_wide",
     NO_MEMORY,
     fill_nothing,
     answer_root_float,
     {0, 1, 2, 3},
     0x3f948817},
    {"fadd_v128_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 2},
    {"fadd_v128_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 2},
    {"fmul_v128_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 2},
    {"fmul_v128_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 2},
    {"fma_v128_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 2},
    {"fma_v128_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 2},
    {"fadd_v256_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 4},
    {"fadd_v256_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 4},
    {"fmul_v256_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 4},
    {"fmul_v256_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 4},
    {"fma_v256_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 4},
    {"fma_v256_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 4},
    {"fadd_v512_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 8},
    {"fadd_v512_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 8},
    {"fmul_v512_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 8},
    {"fmul_v512_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 8},
    {"fma_v512_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 8},
    {"fma_v512_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 8},
    {"fmul_x2", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 2},
    {"fmul_x4", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 4},
    {"fmul_x8", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 8},
    {"fmul_x16", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 16},
    {"mul_wide",
     NO_MEMORY,
     fill_nothing,
     answer_multiply_wide,
     {0, 1, 6, UINT64_MAX - 4},
     0},
    {"div_chain", NO_MEMORY, fill_nothing, answer_constant, {0, 1, 2, 3}, DIVISOR_FIRST},
    {"div_wide", NO_MEMORY, fill_nothing, answer_quotients, {0, 1, 2, 3}, 0},
    {"subnormal_add", NO_MEMORY, fill_nothing, answer_subnormal, {0, 1, 2, 3}, 0},
    {"subnormal_mul", NO_MEMORY, fill_nothing, answer_subnormal, {0, 1, 2, 3}, 0},
    {"sin_chain", NO_MEMORY, fill_nothing, answer_library, {0, 1, 2, 3}, 's'},
    {"sin_wide", NO_MEMORY, fill_nothing, answer_library_wide, {0, 1, 2, 3}, 's'},
    {"exp_chain", NO_MEMORY, fill_nothing, answer_library, {0, 1, 2, 3}, 'e'},
    {"exp_wide", NO_MEMORY, fill_nothing, answer_library_wide, {0, 1, 2, 3}, 'e'},
    {"pow_chain", NO_MEMORY, fill_nothing, answer_library, {0, 1, 2, 3}, 'p'},
    {"pow_wide", NO_MEMORY, fill_nothing, answer_library_wide, {0, 1, 2, 3}, 'p'},
    {"branch_bits", ONE_BIT_A_STEP, fill_words, answer_bits, {0, 1, 0, 0}, 1},
    {"branch_one", ONE_BIT_A_STEP, fill_words, answer_bits, {0, 1, 63, UINT64_MAX}, 0},
    {"branch_kept", ONE_BYTE_A_STEP, fill_words, answer_upper, {0, 1, 0, 0}, 0},
    {"branch_select", ONE_BYTE_A_STEP, fill_words, answer_upper, {0, 1, 0, 0}, 0},
    {"branch_compiled", ONE_BYTE_A_STEP, fill_words, answer_upper, {0, 1, 0, 0}, 0},
    {"call_nest", NO_MEMORY, fill_nothing, answer_add, {1, 2, 33, CALLS_DEPTH_MAX}, 0},
    {"call_targets",
     TWO_BYTES_A_STEP,
     fill_words,
     answer_targets,
     {0, 1, 63, CALLS_TARGETS - 1},
     0},
    {"forward_8_8",
     TWO_PLACES,
     fill_words,
     answer_forward,
     {0, 32 + ((uint64_t)33 << FORWARD_LOAD_SHIFT),
      60 + ((uint64_t)56 << FORWARD_LOAD_SHIFT),
      64 + ((uint64_t)3000 << FORWARD_LOAD_SHIFT)},
     808},
    {"forward_8_4",
     TWO_PLACES,
     fill_words,
     answer_forward,
     {0, 32 + ((uint64_t)33 << FORWARD_LOAD_SHIFT),
      60 + ((uint64_t)56 << FORWARD_LOAD_SHIFT),
      64 + ((uint64_t)3000 << FORWARD_LOAD_SHIFT)},
     804},
    {"forward_8_1",
     TWO_PLACES,
     fill_words,
     answer_forward,
     {0, 32 + ((uint64_t)33 << FORWARD_LOAD_SHIFT),
      60 + ((uint64_t)56 << FORWARD_LOAD_SHIFT),
      64 + ((uint64_t)3000 << FORWARD_LOAD_SHIFT)},
     801},
    {"forward_4_8",
     TWO_PLACES,
     fill_words,
     answer_forward,
     {0, 32 + ((uint64_t)33 << FORWARD_LOAD_SHIFT),
      60 + ((uint64_t)56 << FORWARD_LOAD_SHIFT),
      64 + ((uint64_t)3000 << FORWARD_LOAD_SHIFT)},
     408},
    {"forward_4_4",
     TWO_PLACES,
     fill_words,
     answer_forward,
     {0, 32 + ((uint64_t)33 << FORWARD_LOAD_SHIFT),
      60 + ((uint64_t)56 << FORWARD_LOAD_SHIFT),
      64 + ((uint64_t)3000 << FORWARD_LOAD_SHIFT)},
     404},
    {"forward_16_16",
     TWO_PLACES,
     fill_words,
     answer_forward,
     {0, 32 + ((uint64_t)33 << FORWARD_LOAD_SHIFT),
      60 + ((uint64_t)56 << FORWARD_LOAD_SHIFT),
      64 + ((uint64_t)3000 << FORWARD_LOAD_SHIFT)},
     1616},
    {"forward_16_8",
     TWO_PLACES,
     fill_words,
     answer_forward,
     {0, 32 + ((uint64_t)33 << FORWARD_LOAD_SHIFT),
      60 + ((uint64_t)56 << FORWARD_LOAD_SHIFT),
      64 + ((uint64_t)3000 << FORWARD_LOAD_SHIFT)},
     1608},
    {"forward_same", TWO_PLACES, fill_words, answer_raised, {0, 8, 60, 61}, 0},
    {"forward_apart",
     TWO_PLACES,
     fill_zero,
     answer_steps,
     {0, 0 + ((uint64_t)64 << FORWARD_LOAD_SHIFT),
      0 + ((uint64_t)4096 << FORWARD_LOAD_SHIFT),
      57 + ((uint64_t)4160 << FORWARD_LOAD_SHIFT)},
     0},
    {"load_at",
     TWO_PLACES,
     fill_zero,
     answer_steps,
     {0, 0 + ((uint64_t)57 << FORWARD_LOAD_SHIFT),
      0 + ((uint64_t)63 << FORWARD_LOAD_SHIFT),
      0 + ((uint64_t)4093 << FORWARD_LOAD_SHIFT)},
     0},
    {"chase_x2", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 2},
    {"chase_x4", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 4},
    {"chase_x6", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 6},
    {"chase_x8", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 8},
    {"chase_x12", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 12},
    {"chase_x16", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 16},
    {"chase_x24", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 24},
    {"chase_x32", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 32},
    {"chase_x48", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 48},
    {"chase_x64", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 64},
    {"load_wide", ONE_TILE, fill_tiles, answer_last_eight, {0, 1, 0, 0}, 0},
    {"stride_words",
     STRIDED,
     fill_tiles,
     answer_stride,
     {8, PASS(32) | 120, PASS(96) | 8, PASS(64) | 520},
     8},
    {"stride_bytes",
     STRIDED,
     fill_tiles,
     answer_stride,
     {1, PASS(32) | 3, PASS(96) | 96, PASS(64) | 4096},
     1},
    {"fields",
     ELEMENTS,
     fill_tiles,
     answer_fields,
     {4, PASS(5) | 6 | FIELDS_SCATTERED, PASS(3) | 7 | FIELDS_ARRAYS,
      6 | FIELDS_ARRAYS | FIELDS_SCATTERED},
     0},
};

static const struct subject *find_subject(const char *name)
{
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
        if (strcmp(subjects[i].name, name) == 0)
            return &subjects[i];
    fail_msg("kernel %s has no test", name);
    return NULL;
}

/* --- the comparison --- */

static void compare(const struct kernel *kernel, const struct subject *subject,
                    const struct trial *trial)
{
    size_t bytes = trial->words * sizeof(uint64_t);
    void *after = malloc(bytes + 1);
    uint64_t answer, expected, value, broken = 0;

    assert_non_null(after);
    subject->fill(trial);
    answer = subject->answer(trial);
    expected = kernel->reference(trial->data, trial->count, trial->argument);
    if (bytes > 0)
        memcpy(after, trial->data, bytes);
    subject->fill(trial);
    value =
        sonde_test_call(kernel->run, trial->data, trial->count, trial->argument, &broken);
    if (expected != answer || value != expected || broken != 0 ||
        (bytes > 0 && memcmp(trial->data, after, bytes) != 0))
        fail_msg(
            "%s, %llu steps, argument %llu: value %llx, reference %llx, formula %llx, "
            "registers broken %llx, or another memory",
            kernel->name, (unsigned long long)trial->count,
            (unsigned long long)trial->argument, (unsigned long long)value,
            (unsigned long long)expected, (unsigned long long)answer,
            (unsigned long long)broken);
    free(after);
}

/* How many words a stride leads over. */
static uint64_t words_strided(const struct trial *trial)
{
    uint64_t stride = trial->argument & UINT32_MAX, pass = trial->argument >> 32;
    uint64_t steps = pass && pass < trial->count ? pass : trial->count;

    return steps > 0 ? (steps - 1) * stride / 8 + 1 : 0;
}

static uint64_t words_of_fields(const struct trial *trial)
{
    uint64_t elements = UINT64_C(1) << trial->argument % 32;

    if (trial->count == 0)
        return 0;
    return 8 * elements + (trial->argument & FIELDS_ARRAYS ? 7 * FIELDS_PAD / 8 : 0);
}

/* How many words the kernel may touch. */
static uint64_t words_needed(const struct subject *subject, const struct trial *trial)
{
    switch (subject->memory) {
    case POOL: /* a lock and the word it guards */
        return 33;
    case RING: /* fewer nodes than the longest walk has steps */
        return 37;
    case TWO_PLACES: {
        uint64_t store = trial->argument & UINT32_MAX;
        uint64_t load = trial->argument >> FORWARD_LOAD_SHIFT;

        return ((store > load ? store : load) + 15 * FORWARD_PITCH + 16 + 7) / 8;
    }
    case CURSORS:
        return subject->constant + 37;
    case ONE_WORD_A_STEP:
        return trial->count;
    case ONE_BIT_A_STEP:
        return (trial->count + 63) / 64;
    case ONE_BYTE_A_STEP:
        return (trial->count + 7) / 8;
    case TWO_BYTES_A_STEP:
        return (trial->count + 3) / 4;
    case ARGUMENT_APART:
        return trial->count > 0 ? (trial->count - 1) * trial->argument / 8 + 1 : 0;
    case STRIDED:
        return words_strided(trial);
    case ONE_TILE:
        return trial->count > 0 ? TILE_BYTES / 8 : 0;
    case ELEMENTS:
        return words_of_fields(trial);
    default:
        return 0;
    }
}

static void try_both_ends(const struct kernel *kernel, const struct subject *subject,
                          struct trial trial)
{
    struct guarded memory;

    trial.words = words_needed(subject, &trial);
    memory = map_guarded(trial.words * 8 + 1);
    trial.data = memory.start;
    if (trial.words == 0)
        trial.data = memory.mapping; /* any access is one too many */
    compare(kernel, subject, &trial);
    if (trial.words > 0) {
        trial.data = memory.start + memory.bytes - trial.words * 8;
        compare(kernel, subject, &trial);
    }
    munmap(memory.mapping, memory.mapped);
}

static void test_kernels(void **state)
{
    static const uint64_t iterations[] = {0, 1, 2, 3, 7, 100};
    size_t count;
    const struct kernel *kernels = sonde_kernels(&count);

    (void)state;
    for (size_t k = 0; k < count; k++) {
        const struct subject *subject = find_subject(kernels[k].name);

        if ((kernels[k].features & ~sonde_arch_features()) != 0) {
            printf("%s: this core lacks what it needs\n", kernels[k].name);
            continue;
        }
        for (size_t i = 0; i < sizeof iterations / sizeof iterations[0]; i++)
            for (size_t j = 0; j < 4; j++)
                try_both_ends(&kernels[k], subject,
                              (struct trial){.count = iterations[i] * kernels[k].unroll,
                                             .argument = subject->arguments[j],
                                             .constant = subject->constant});
    }
}

static void test_preserved_registers_are_watched(void **state)
{
    uint64_t broken = 0;

    (void)state;
    if (sonde_test_clobbered == 0)
        skip();
    sonde_test_call(sonde_test_clobber, NULL, 1, 2, &broken);
    assert_true(broken == sonde_test_clobbered);
}

static void test_table(void **state)
{
    size_t count;
    const struct kernel *kernels = sonde_kernels(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        const struct kernel *kernel = &kernels[i];

        assert_ptr_equal(sonde_kernel_find(kernel->name), kernel);
        assert_true(kernel->unroll > 0);
        assert_non_null(kernel->run);
        assert_non_null(kernel->reference);
        assert_true(kernel->bytes_read > 0 || kernel->loads == 0);
        assert_true(kernel->bytes_written > 0 || kernel->stores == 0);
        assert_true(kernel->instructions == 0 || kernel->instructions > kernel->unroll);
    }
    assert_null(sonde_kernel_find("chas"));
    assert_null(sonde_kernel_find("chasee"));
    assert_null(sonde_kernel_find(""));
}

static void print_table(void)
{
    size_t count;
    const struct kernel *kernels = sonde_kernels(&count);

    for (size_t i = 0; i < count; i++) {
        const struct kernel *kernel = &kernels[i];
        size_t branches;
        int error =
            sonde_arch_loop_branches((const void *)(uintptr_t)kernel->run, &branches);

        printf("%s %u %u %u %u %u %u %d\n", kernel->name, kernel->unroll,
               kernel->instructions, kernel->loads, kernel->stores, kernel->bytes_read,
               kernel->bytes_written, error ? error : (int)branches);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_preserved_registers_are_watched),
        cmocka_unit_test(test_kernels),
    };

    if (argc > 1 && strcmp(argv[1], "--table") == 0) {
        print_table();
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
