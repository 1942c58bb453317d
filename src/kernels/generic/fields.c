/* Adds up the words of elements in ascending or random order, where no assembly does.
 *
 * What can fool it: the compiler chooses the loop, so its instructions are not counted.
 */
#include "kernels/fields.h"
#include "kernels/names.h"

uint64_t sonde_kernel_fields(void *data, uint64_t count, uint64_t argument)
{
    const volatile uint64_t *words = data;
    uint64_t elements = UINT64_C(1) << argument % 32;
    uint64_t step = argument & FIELDS_ARRAYS ? 1 : FIELDS_COUNT;
    uint64_t apart = argument & FIELDS_ARRAYS ? elements + FIELDS_PAD / 8 : 1;
    uint64_t factor = argument & FIELDS_SCATTERED ? (uint64_t)FIELDS_FACTOR : 1;
    uint64_t at = (argument >> 32) & (elements - 1), sum = 0;

    for (uint64_t i = 0; i < count; i++) {
        for (uint64_t field = 0; field < FIELDS_COUNT; field++)
            sum += words[at * step + field * apart];
        at = (at * factor + 1) & (elements - 1);
    }
    return sum;
}
