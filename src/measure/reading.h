/* What a reading of the meter says. Shared by the harness and by what samples beside it.
 */
#ifndef SONDE_MEASURE_READING_H
#define SONDE_MEASURE_READING_H

#include "measure/meter.h"
#include "measure/scales.h"
#include "measure/series.h"

#include <stdbool.h>

/* The core clock hardly moved over it; true where there is none to hold it against. */
bool sonde_measure_reading_steady(const struct scales *scales,
                                  const struct reading *reading);
/* The sample of `operations` in `ns`: ns of one operation, its cycles where the core
 * clock is to be trusted, and what the reading says besides. */
struct sample sonde_measure_reading_sample(const struct scales *scales,
                                           const struct reading *reading, double ns,
                                           double operations);

#endif
