/* Reads, changes and writes one word in every so many bytes, or only writes it.
 *
 * Its purpose is to bring pages in, so it must store, and the load before it must be able
 * to fault as well; on memory that was never touched a read brings in a page of zeros
 * that all share, and the store one of its own, which `put` alone avoids. `argument`
 * bytes lie between words, a multiple of 8. The sum of the words it wrote is returned, so
 * no access can be deleted.
 *
 * What can fool it: nothing but the page size, since volatile holds the compiler to one
 * load and one store for each word, in this order. */
#include "kernels/names.h"

uint64_t sonde_kernel_touch(void *data, uint64_t count, uint64_t argument)
{
    char *bytes = data;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < count; i++) {
        volatile uint64_t *word = (uint64_t *)(void *)(bytes + i * argument);
        uint64_t value = *word + 1;

        *word = value;
        sum += value;
    }
    return sum;
}

uint64_t sonde_kernel_put(void *data, uint64_t count, uint64_t argument)
{
    char *bytes = data;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < count; i++) {
        *(volatile uint64_t *)(void *)(bytes + i * argument) = i + 1;
        sum += i + 1;
    }
    return sum;
}
