/* What memory a kernel is tried on, and what it must return: worked out here from what
 * the step is, without the kernel's own reference. */
#ifndef SONDE_TESTS_ANSWERS_H
#define SONDE_TESTS_ANSWERS_H

#include <stddef.h>
#include <stdint.h>

struct trial {
    void *data;     /* the kernel's first parameter */
    uint64_t words; /* that `data` points to */
    uint64_t count, argument;
    uint64_t constant; /* of the subject */
};

void fill_ring(const struct trial *trial);
void fill_cursors(const struct trial *trial);
void fill_words(const struct trial *trial);
void fill_nothing(const struct trial *trial);
uint64_t answer_chase(const struct trial *trial);
uint64_t answer_cursors(const struct trial *trial);
uint64_t answer_forward(const struct trial *trial);
uint64_t answer_raised(const struct trial *trial);
uint64_t answer_add(const struct trial *trial);
uint64_t answer_multiply(const struct trial *trial);
uint64_t answer_wide(const struct trial *trial);
uint64_t answer_sum(const struct trial *trial);
uint64_t answer_touch(const struct trial *trial);
uint64_t answer_put(const struct trial *trial);
uint64_t answer_steps(const struct trial *trial);
void fill_zero(const struct trial *trial);
uint64_t answer_bits(const struct trial *trial);
uint64_t answer_upper(const struct trial *trial);
uint64_t answer_targets(const struct trial *trial);
void fill_doubles(const struct trial *trial);
uint64_t answer_read(const struct trial *trial);
uint64_t answer_place(const struct trial *trial);
void fill_tiles(const struct trial *trial);
uint64_t answer_stride(const struct trial *trial);
uint64_t answer_last_eight(const struct trial *trial);
uint64_t answer_ports(const struct trial *trial);
uint64_t answer_fields(const struct trial *trial);
uint64_t answer_zero(const struct trial *trial);
uint64_t answer_start(const struct trial *trial);
uint64_t answer_start_float(const struct trial *trial);
uint64_t answer_start_wide(const struct trial *trial);
uint64_t answer_start_wide_float(const struct trial *trial);
uint64_t answer_root(const struct trial *trial);
uint64_t answer_root_float(const struct trial *trial);
uint64_t answer_vector(const struct trial *trial);
uint64_t answer_row(const struct trial *trial);
uint64_t answer_multiply_wide(const struct trial *trial);
uint64_t answer_constant(const struct trial *trial);
uint64_t answer_quotients(const struct trial *trial);
uint64_t answer_subnormal(const struct trial *trial);
uint64_t answer_library(const struct trial *trial);
uint64_t answer_library_wide(const struct trial *trial);

/* Constants of arithmetic on vectors: bits of an element, lanes of 64 bits (0: what the
 * core has), whether there is one chain, many of them, or many roots of one number, and
 * whether the elements are integers. */
#define VECTOR_OF(bits, lanes, shape, integers)                                          \
    ((integers) | (shape) << 16 | (lanes) << 8 | (bits))
enum {
    VECTOR_CHAIN,
    VECTOR_ROOT,
    VECTOR_MANY,
    VECTOR_ADD = VECTOR_MANY,
    VECTOR_MULTIPLY = VECTOR_MANY,
    VECTOR_DIVIDE = VECTOR_MANY,
    VECTOR_FUSED = VECTOR_MANY,
    VECTOR_INTEGER_ADD = VECTOR_MANY,
    VECTOR_INTEGER_MULTIPLY = VECTOR_MANY
};
enum {
    VECTOR_INTEGERS = 1 << 24,
    ELEMENTS_OF_ADD = 0,
    ELEMENTS_OF_MULTIPLY = 0,
    ELEMENTS_OF_DIVIDE = 0,
    ELEMENTS_OF_ROOT = 0,
    ELEMENTS_OF_FUSED = 0,
    ELEMENTS_OF_INTEGER_ADD = VECTOR_INTEGERS,
    ELEMENTS_OF_INTEGER_MULTIPLY = VECTOR_INTEGERS
};

/* Constants of the streams: what their names say, for answers by another way. */
#define STREAM(width, unroll, streams) ((width) << 16 | (unroll) << 8 | (streams))

#endif
