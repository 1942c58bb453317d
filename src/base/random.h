/* Reproducible random numbers: xoshiro256** seeded through splitmix64.
 *
 * Every random choice of a run comes from one seed, so a run can be repeated. Streams are
 * forked by a label rather than by the order of calls: adding a point to a plan must not
 * change the numbers another point sees.
 * Source: Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2018. */
#ifndef SONDE_BASE_RANDOM_H
#define SONDE_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random_source {
    uint64_t state[4];
    uint64_t seed; /* what it was seeded with, for forks */
};

void sonde_base_random_seed(struct random_source *random, uint64_t seed);

/* A stream of its own, decided by the seed of `parent` and `label` alone; `parent` is not
 * advanced. */
struct random_source sonde_base_random_fork(const struct random_source *parent,
                                            uint64_t label);

uint64_t sonde_base_random_next(struct random_source *random);

/* Uniform in [0, bound), without modulo bias; bound >= 1. */
uint64_t sonde_base_random_below(struct random_source *random, uint64_t bound);

/* Uniform in [0, 1). */
double sonde_base_random_unit(struct random_source *random);

/* Standard normal. */
double sonde_base_random_normal(struct random_source *random);

/* Uniformly random order (Fisher-Yates). */
void sonde_base_random_shuffle(struct random_source *random, uint32_t *values,
                               size_t count);

/* A random order of 0 to size-1 that needs no memory: each place is computed when asked
 * for. Source: Black and Rogaway, "Ciphers with arbitrary finite domains", 2002 (a
 * Feistel network, walked until it falls into the domain). */
struct permutation {
    uint64_t size;
    unsigned low_bits, high_bits;
    uint64_t keys[4];
};
/* Drawn from `random`, which is advanced; size >= 1. */
struct permutation sonde_base_random_permutation(struct random_source *random,
                                                 uint64_t size);
/* What stands at `place`, below the size. */
uint64_t sonde_base_permutation_at(const struct permutation *permutation, uint64_t place);

/* 64-bit hash of a string, for labels (FNV-1a). */
uint64_t sonde_base_hash(const char *text);

#endif
