/* What kernels return whose answer is a pure function of steps and argument, kept: a
 * reference walks all that the kernel walks, and takes many times as long. */
#ifndef SONDE_MEASURE_PREDICTION_H
#define SONDE_MEASURE_PREDICTION_H

#include "kernels/kernel.h"

#include <stdint.h>

enum { PREDICTIONS = 256 };

struct predictions {
    struct prediction {
        const struct kernel *kernel; /* NULL: none is kept here */
        uint64_t steps, argument, value;
    } rows[PREDICTIONS];
};

/* The value that `kernel` returns on `data`, by its reference or as it said before. */
uint64_t sonde_measure_predict(struct predictions *predictions,
                               const struct kernel *kernel, void *data, uint64_t steps,
                               uint64_t argument);
/* The memory holds something else from now on. */
void sonde_measure_predictions_forget(struct predictions *predictions);

#endif
