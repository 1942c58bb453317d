/* Reproducible random numbers: xoshiro256** seeded through splitmix64.
 *
 * The generator is that of Blackman and Vigna ("Scrambled linear pseudorandom number
 * generators", 2018), its state filled by splitmix64 as they advise, so that a seed of 0
 * or two neighbouring seeds are as good as any. A fork depends on the seed of its parent
 * and on the label, not on how far the parent has run.
 *
 * What can fool it: sonde_base_random_normal uses log() and sqrt(), whose last bit may
 * differ between C libraries; everything else is the same everywhere. */
#include "base/random.h"

#include <math.h>

static uint64_t rotate_left(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

/* One step of splitmix64 (Steele, Lea and Flood, 2014): its three constants. */
static uint64_t split_mix(uint64_t *state)
{
    uint64_t value = (*state += UINT64_C(0x9e3779b97f4a7c15));

    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

void sonde_base_random_seed(struct random_source *random, uint64_t seed)
{
    random->seed = seed;
    for (int i = 0; i < 4; i++)
        random->state[i] = split_mix(&seed);
}

struct random_source sonde_base_random_fork(const struct random_source *parent,
                                            uint64_t label)
{
    struct random_source child;
    uint64_t from_parent = parent->seed, from_label = label;
    uint64_t mixed = split_mix(&from_parent) ^ rotate_left(split_mix(&from_label), 32);

    sonde_base_random_seed(&child, split_mix(&mixed));
    return child;
}

uint64_t sonde_base_random_next(struct random_source *random)
{
    uint64_t *state = random->state;
    uint64_t result = rotate_left(state[1] * 5, 7) * 9;
    uint64_t shifted = state[1] << 17;

    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotate_left(state[3], 45);
    return result;
}

/* Lemire's multiply and shift ("Fast random integer generation in an interval", 2019):
 * shuffling a ring of millions of nodes divides next to never. */
static uint64_t below_32(struct random_source *random, uint32_t bound)
{
    uint64_t product = (sonde_base_random_next(random) >> 32) * bound;

    if ((uint32_t)product < bound) {
        uint32_t threshold = (UINT32_C(0) - bound) % bound;

        while ((uint32_t)product < threshold)
            product = (sonde_base_random_next(random) >> 32) * bound;
    }
    return product >> 32;
}

uint64_t sonde_base_random_below(struct random_source *random, uint64_t bound)
{
    uint64_t threshold, value;

    if (bound <= UINT32_MAX)
        return below_32(random, (uint32_t)bound);
    threshold = (UINT64_C(0) - bound) % bound;
    do
        value = sonde_base_random_next(random);
    while (value < threshold);
    return value % bound;
}

double sonde_base_random_unit(struct random_source *random)
{
    return (double)(sonde_base_random_next(random) >> 11) * 0x1.0p-53;
}

/* Marsaglia's polar method; the second number of each pair is dropped, so that the state
 * is the generator's alone. */
double sonde_base_random_normal(struct random_source *random)
{
    double x, y, square;

    do {
        x = 2 * sonde_base_random_unit(random) - 1;
        y = 2 * sonde_base_random_unit(random) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    return x * sqrt(-2 * log(square) / square);
}

void sonde_base_random_shuffle(struct random_source *random, uint32_t *values,
                               size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)sonde_base_random_below(random, i);
        uint32_t kept = values[i - 1];

        values[i - 1] = values[other];
        values[other] = kept;
    }
}

struct permutation sonde_base_random_permutation(struct random_source *random,
                                                 uint64_t size)
{
    struct permutation permutation = {.size = size};
    unsigned bits = 0;

    while (bits < 64 && (size - 1) >> bits)
        bits++;
    permutation.low_bits = bits / 2;
    permutation.high_bits = bits - bits / 2;
    for (int i = 0; i < 4; i++)
        permutation.keys[i] = sonde_base_random_next(random);
    return permutation;
}

/* The finish of splitmix64: each bit of the result hangs on each of the value. */
static uint64_t mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

uint64_t sonde_base_permutation_at(const struct permutation *permutation, uint64_t place)
{
    uint64_t low_mask = (UINT64_C(1) << permutation->low_bits) - 1;
    uint64_t high_mask = (UINT64_C(1) << permutation->high_bits) - 1;

    do {
        uint64_t low = place & low_mask, high = place >> permutation->low_bits;

        for (int round = 0; round < 4; round += 2) {
            low ^= mix(high + permutation->keys[round]) & low_mask;
            high ^= mix(low + permutation->keys[round + 1]) & high_mask;
        }
        place = high << permutation->low_bits | low;
    } while (place >= permutation->size);
    return place;
}

/* FNV-1a, 64 bits (Fowler, Noll and Vo): its offset basis and prime. */
uint64_t sonde_base_hash(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}
