/* The references of the loops that stride over a block.
 *
 * The block repeats itself every TILE_BYTES bytes, so a sum over any stride repeats
 * itself after a few loads: only those are made. To load everything would cost as much
 * as what is timed, and would leave in the caches what the kernel is to miss. What can
 * fool it: a block that does not repeat itself; its sum is then wrong and says so. */
#include "kernels/fields.h"
#include "kernels/names.h"
#include "kernels/tile.h"

static uint64_t load(const char *at, int width)
{
    if (width == 1)
        return *(const unsigned char *)at;
    return *(const uint64_t *)(const void *)at;
}

/* Steps after which the same place of the tile is met again. */
static uint64_t period_of(uint64_t stride)
{
    uint64_t steps = TILE_BYTES;

    while (steps > 1 && stride * (steps / 2) % TILE_BYTES == 0)
        steps /= 2;
    return steps;
}

static uint64_t sum_ahead(const char *data, uint64_t count, uint64_t stride, int width)
{
    uint64_t period = period_of(stride), whole = count / period, rest = count % period;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < period && i < count; i++)
        sum += load(data + i * stride, width) * (whole + (i < rest));
    return sum;
}

static uint64_t sum_passes(const char *data, uint64_t count, uint64_t argument, int width)
{
    uint64_t stride = argument & UINT32_MAX, pass = argument >> 32;

    if (pass == 0 || count <= pass)
        return sum_ahead(data, count, stride, width);
    return count / pass * sum_ahead(data, pass, stride, width) +
           sum_ahead(data, count % pass, stride, width);
}

uint64_t sonde_kernel_ref_stride_words(void *data, uint64_t count, uint64_t argument)
{
    return sum_passes(data, count, argument, 8);
}

uint64_t sonde_kernel_ref_stride_bytes(void *data, uint64_t count, uint64_t argument)
{
    return sum_passes(data, count, argument, 1);
}

uint64_t sonde_kernel_ref_load_wide(void *data, uint64_t count, uint64_t argument)
{
    const uint64_t *words = data;
    uint64_t sum = 0;

    (void)argument;
    for (uint64_t i = 24; i < 32 && count > 0; i++)
        sum += words[i];
    return sum;
}

/* The number of an element modulo 32 decides where in the tile its words lie, and the
 * order repeats itself modulo 32 after 32 steps; fewer elements than that, sooner. */
uint64_t sonde_kernel_ref_fields(void *data, uint64_t count, uint64_t argument)
{
    const uint64_t *words = data, period = TILE_BYTES / 8;
    uint64_t elements = UINT64_C(1) << argument % 32;
    uint64_t step = argument & FIELDS_ARRAYS ? 1 : FIELDS_COUNT;
    uint64_t apart = argument & FIELDS_ARRAYS ? elements + FIELDS_PAD / 8 : 1;
    uint64_t factor = argument & FIELDS_SCATTERED ? (uint64_t)FIELDS_FACTOR : 1;
    uint64_t at = (argument >> 32) & (elements - 1), sum = 0;

    for (uint64_t i = 0; i < period && i < count; i++) {
        uint64_t times = count / period + (i < count % period);

        for (uint64_t field = 0; field < FIELDS_COUNT; field++)
            sum += times * words[at * step + field * apart];
        at = (at * factor + 1) & (elements - 1);
    }
    return sum;
}
