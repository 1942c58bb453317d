/* Readings as samples: nanoseconds of an operation, and its cycles by the clock around
 * it.
 */
#include "measure/reading.h"

#include <math.h>

/* Both pulses tell the clock to a percent or so. */
static const double clock_moved = 0.02;

static double mean_hz(const struct reading *reading)
{
    return (reading->hz_before + reading->hz_after) / 2;
}

bool sonde_measure_reading_steady(const struct scales *scales,
                                  const struct reading *reading)
{
    double mean = mean_hz(reading);

    if (!scales->core_clock_trusted || !(mean > 0))
        return true;
    return fabs(reading->hz_before - reading->hz_after) <= clock_moved * mean;
}

struct sample sonde_measure_reading_sample(const struct scales *scales,
                                           const struct reading *reading, double ns,
                                           double operations)
{
    double value = ns / operations, hz = mean_hz(reading);
    struct sample sample = {
        .value = value,
        .cycles = NAN,
        .share = fmin(reading->share_before, reading->share_after),
        .overlap = reading->overlap,
        .load = reading->load,
        .fairness = reading->fastest_ns / reading->slowest_ns,
    };

    if (scales->core_clock_trusted && hz > 0)
        sample.cycles = value * 1e-9 * hz;
    return sample;
}
