/* What kernels return, kept.
 *
 * A plan visits its points in turn, a few samples each. With one answer kept for all of
 * them every visit ran a reference anew, which took most of the time that was there for
 * samples of streams. So many points as a plan of streams has each have a row; where two
 * meet in one, the later takes it, and no answer is lost but time.
 *
 * What can fool it: an answer that depends on where the memory lies, or on what else it
 * holds; only pure ones may be asked for. */
#include "measure/prediction.h"

#include <string.h>

static struct prediction *row_of(struct predictions *predictions,
                                 const struct kernel *kernel, uint64_t steps,
                                 uint64_t argument)
{
    /* Odd factors (of the golden ratio, and of its square) spread what differs in a few
     * low bits. */
    uint64_t mixed = (uint64_t)(uintptr_t)kernel * 0x9e3779b97f4a7c15 ^
                     (steps * 0xc13fa9a902a6328f + argument) * 0x9e3779b97f4a7c15;

    return &predictions->rows[(mixed >> 32) % PREDICTIONS];
}

uint64_t sonde_measure_predict(struct predictions *predictions,
                               const struct kernel *kernel, void *data, uint64_t steps,
                               uint64_t argument)
{
    struct prediction *row = row_of(predictions, kernel, steps, argument);

    if (row->kernel != kernel || row->steps != steps || row->argument != argument)
        *row = (struct prediction){kernel, steps, argument,
                                   kernel->reference(data, steps, argument)};
    return row->value;
}

void sonde_measure_predictions_forget(struct predictions *predictions)
{
    memset(predictions, 0, sizeof *predictions);
}
