/* Reads, changes and writes one word in every so many bytes.
 *
 * Its purpose is to bring pages in, so it must store, and the load before it must be able
 * to fault as well. `argument` bytes lie between words, a multiple of 8. The sum of the
 * words it wrote is returned, so no access can be deleted.
 *
 * What can fool it: at a distance of 8 a compiler may use vectors, with fewer accesses
 * than words; page distances leave it no such choice. */
#include "kernels/loops.h"

uint64_t sonde_kernel_touch(void *data, uint64_t count, uint64_t argument)
{
    char *bytes = data;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < count; i++) {
        uint64_t *word = (uint64_t *)(void *)(bytes + i * argument);

        *word += 1;
        sum += *word;
    }
    return sum;
}
