/* References of the streams through memory: the same words in the same places, iteration
 * by iteration, stream by stream.
 *
 * They walk all of what the kernels walk, so that the memory afterwards can be compared
 * byte by byte; the value is the sum of what was read, or where the walk ended. What can
 * fool it: a triad that rounds once; the product has a statement of its own, which no
 * compiler contracts in this mode. */
#include "kernels/names.h"
#include "kernels/operands.h"

#include <stdbool.h>
#include <string.h>

struct walk {
    char *data;
    uint64_t count, bytes; /* steps; of one array */
    unsigned width, unroll, streams;
};

typedef uint64_t piece_function(char *at, uint64_t apart, uint64_t bytes);

static uint64_t read_piece(char *at, uint64_t apart, uint64_t bytes)
{
    const uint64_t *words = (const uint64_t *)(const void *)at;
    uint64_t sum = 0;

    (void)apart;
    for (uint64_t i = 0; i < bytes / 8; i++)
        sum += words[i];
    return sum;
}

static uint64_t write_piece(char *at, uint64_t apart, uint64_t bytes)
{
    uint64_t *words = (uint64_t *)(void *)at;

    (void)apart;
    for (uint64_t i = 0; i < bytes / 8; i++)
        words[i] = BANDWIDTH_WORD;
    return 0;
}

static uint64_t copy_piece(char *at, uint64_t apart, uint64_t bytes)
{
    memcpy(at + apart, at, bytes);
    return 0;
}

static uint64_t triad_piece(char *at, uint64_t apart, uint64_t bytes)
{
    const uint64_t bits = BANDWIDTH_SCALAR;
    double *to = (double *)(void *)at, scalar;
    const double *first = (const double *)(const void *)(at + apart);
    const double *second = (const double *)(const void *)(at + 2 * apart);

    memcpy(&scalar, &bits, sizeof scalar);
    for (uint64_t i = 0; i < bytes / 8; i++) {
        double product = scalar * second[i];

        to[i] = first[i] + product;
    }
    return 0;
}

/* Returns the sum of what the pieces return, or, when they return nothing, the place in
 * the first stream's part of the array. */
static uint64_t walk_through(const struct walk *walk, piece_function *piece, bool sums)
{
    uint64_t each = walk->unroll / walk->streams * walk->width;
    uint64_t part = walk->bytes / walk->streams, at = 0, sum = 0;

    for (uint64_t left = walk->count; left > 0; left -= walk->unroll) {
        for (unsigned stream = 0; stream < walk->streams; stream++)
            sum += piece(walk->data + stream * part + at, walk->bytes, each);
        at = at + each == part ? 0 : at + each;
    }
    return sums ? sum : at;
}

#define PIECE_read     read_piece, true
#define PIECE_write    write_piece, false
#define PIECE_copy     copy_piece, false
#define PIECE_triad    triad_piece, false
#define PIECE_nt_write write_piece, false
#define PIECE_nt_copy  copy_piece, false
#define PIECE_nt_triad triad_piece, false

#define REFERENCE(name, operation, width_, unroll_, streams_)                            \
    uint64_t sonde_kernel_ref_##name(void *data, uint64_t count, uint64_t argument)      \
    {                                                                                    \
        struct walk walk = {data, count, argument, width_, unroll_, streams_};           \
                                                                                         \
        return walk_through(&walk, PIECE_##operation);                                   \
    }

REFERENCE(read_c, read, 8, 16, 1)
REFERENCE(write_c, write, 8, 16, 1)
REFERENCE(copy_c, copy, 8, 16, 1)
REFERENCE(triad_c, triad, 8, 16, 1)
#define BANDWIDTH(operation, width, unroll, streams, ...)                                \
    REFERENCE(operation##_w##width##_u##unroll##s##streams, operation, width, unroll,    \
              streams)
#include "kernels/bandwidth.def"

/* The first words of the last eight of sixteen accesses side by side. */
static uint64_t last_eight(const uint64_t *words, uint64_t count, unsigned width)
{
    uint64_t sum = 0;

    for (unsigned i = 8; count > 0 && i < 16; i++)
        sum += words[i * width / 8];
    return sum;
}

static uint64_t store_sixteen(uint64_t *words, uint64_t count, unsigned width)
{
    for (unsigned i = 0; count > 0 && i < 16 * width / 8; i++)
        words[i] = BANDWIDTH_WORD;
    return count;
}

#define PORTS(width)                                                                     \
    uint64_t sonde_kernel_ref_ports_load_w##width(void *data, uint64_t count,            \
                                                  uint64_t argument)                     \
    {                                                                                    \
        (void)argument;                                                                  \
        return last_eight(data, count, width);                                           \
    }                                                                                    \
    uint64_t sonde_kernel_ref_ports_store_w##width(void *data, uint64_t count,           \
                                                   uint64_t argument)                    \
    {                                                                                    \
        (void)argument;                                                                  \
        return store_sixteen(data, count, width);                                        \
    }
PORTS(8)
PORTS(16)
PORTS(32)
PORTS(64)
