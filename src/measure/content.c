/* What blocks of memory hold: random words, one word again and again, or an order.
 *
 * Sorted content is drawn like random content and then sorted (by counting: there are
 * only two values of a bit, and 256 of a byte), so that both hold the same amounts and
 * only the order differs. What can fool it: nothing here tells how often a core has seen
 * a block; who needs content that is new asks for it to be drawn anew before each sample.
 */
#include "measure/content.h"

#include "base/random.h"
#include "kernels/tile.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

static void fill_random(uint64_t *words, uint64_t count, uint64_t seed)
{
    struct random_source random;

    sonde_base_random_seed(&random, seed);
    for (uint64_t i = 0; i < count; i++)
        words[i] = sonde_base_random_next(&random);
}

static void fill_word(uint64_t *words, uint64_t count, uint64_t word)
{
    for (uint64_t i = 0; i < count; i++)
        words[i] = word;
}

static void fill_sorted_bits(uint64_t *words, uint64_t count, uint64_t seed)
{
    struct random_source random;
    uint64_t zeros = 64 * count;

    sonde_base_random_seed(&random, seed);
    for (uint64_t i = 0; i < count; i++)
        zeros -= (uint64_t)__builtin_popcountll(sonde_base_random_next(&random));
    fill_word(words, zeros / 64, 0);
    fill_word(words + zeros / 64, count - zeros / 64, UINT64_MAX);
    if (zeros % 64)
        words[zeros / 64] <<= zeros % 64;
}

/* Bytes beyond the last whole word of a block are left as they are. */
static void fill_sorted_bytes(uint64_t *words, uint64_t count, uint64_t seed)
{
    unsigned char *bytes = (unsigned char *)words;
    uint64_t amounts[256] = {0};
    size_t at = 0;

    fill_random(words, count, seed);
    for (uint64_t i = 0; i < 8 * count; i++)
        amounts[bytes[i]]++;
    for (int value = 0; value < 256; value++) {
        memset(bytes + at, value, (size_t)amounts[value]);
        at += (size_t)amounts[value];
    }
}

static void fill_counting(char *base, uint64_t count)
{
    uint16_t *numbers = (uint16_t *)(void *)base;

    for (uint64_t i = 0; i < 4 * count; i++)
        numbers[i] = (uint16_t)i;
}

/* The same at every call, so that whoever lays it need not lay it again. */
static void fill_tiled(uint64_t *words, uint64_t count)
{
    enum { TILE_WORDS = TILE_BYTES / sizeof *words };

    fill_random(words, count < TILE_WORDS ? count : TILE_WORDS, TILE_BYTES);
    for (uint64_t i = TILE_WORDS; i < count; i++)
        words[i] = words[i - TILE_WORDS];
}

void sonde_measure_fill(const struct layout *layout, char *base, uint64_t seed)
{
    uint64_t *words = (uint64_t *)(void *)base, count = layout->bytes / sizeof *words;

    if (layout->cold) {
        (void)madvise(base, (size_t)layout->bytes, MADV_DONTNEED);
        return;
    }
    if (layout->zero) {
        memset(base, 0, (size_t)layout->bytes);
        return;
    }
    switch (layout->content) {
    case CONTENT_RANDOM:
        fill_random(words, count, seed);
        break;
    case CONTENT_WORD:
        fill_word(words, count, layout->word);
        break;
    case CONTENT_SORTED_BITS:
        fill_sorted_bits(words, count, seed);
        break;
    case CONTENT_SORTED_BYTES:
        fill_sorted_bytes(words, count, seed);
        break;
    case CONTENT_COUNTING:
        fill_counting(base, count);
        break;
    case CONTENT_TILED:
        fill_tiled(words, count);
        break;
    }
}
