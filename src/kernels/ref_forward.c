/* References of the kernels of stores and loads: byte by byte, as memory would have it,
 * whatever overlaps what. Numbers are little-endian, as on both instruction sets that
 * have these kernels. */
#include "kernels/forward.h"
#include "kernels/names.h"

#include <string.h>

static const uint64_t raise = UINT64_C(0x0101010101010101);

struct places {
    char *store, *load;
};

static struct places open_places(void *data, uint64_t argument)
{
    return (struct places){(char *)data + (uint32_t)argument,
                           (char *)data + (argument >> FORWARD_LOAD_SHIFT)};
}

static size_t place_at(uint64_t step)
{
    return (size_t)(step % FORWARD_PLACES) * FORWARD_PITCH;
}

static uint64_t forward(void *data, uint64_t count, uint64_t argument, size_t stored,
                        size_t loaded)
{
    struct places places = open_places(data, argument);
    uint64_t value[2] = {raise, raise};

    for (uint64_t step = 0; step < count; step++) {
        memcpy(places.store + place_at(step), value, stored);
        memset(value, 0, sizeof value);
        memcpy(value, places.load + place_at(step), loaded);
        value[0] += raise;
        value[1] += raise;
    }
    return value[0];
}

#define FORWARD(stored, loaded)                                                          \
    uint64_t sonde_kernel_ref_forward_##stored##_##loaded(void *data, uint64_t count,    \
                                                          uint64_t argument)             \
    {                                                                                    \
        return forward(data, count, argument, stored, loaded);                           \
    }
FORWARD(8, 8)
FORWARD(8, 4)
FORWARD(8, 1)
FORWARD(4, 8)
FORWARD(4, 4)
FORWARD(16, 16)
FORWARD(16, 8)

uint64_t sonde_kernel_ref_forward_same(void *data, uint64_t count, uint64_t argument)
{
    uint64_t value = (count + 1) * raise, last = count * raise;

    if (count)
        memcpy(open_places(data, argument).store, &last, sizeof last);
    return value;
}

uint64_t sonde_kernel_ref_forward_apart(void *data, uint64_t count, uint64_t argument)
{
    struct places places = open_places(data, argument);
    uint64_t value = 0;

    for (uint64_t step = 0; step < count; step++) {
        memset(places.store + value + place_at(step), 0, 8);
        memcpy(&value, places.load + value + place_at(step), 8);
    }
    return value + count;
}

uint64_t sonde_kernel_ref_load_at(void *data, uint64_t count, uint64_t argument)
{
    struct places places = open_places(data, argument);
    uint64_t value = 0;

    for (uint64_t step = 0; step < count; step++)
        memcpy(&value, places.load + value, 8);
    return value + count;
}
