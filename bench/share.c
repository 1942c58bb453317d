/* How much of its core a program has on a CPU right now: independent adds in the time of
 * a dependent one, the median of 200 short pulses. For the scripts of this folder, which
 * bracket every run by it: a neighbour on the same physical core takes a third or more.
 * share CPU */
#include "machine/machine.h"
#include "measure/chains.h"
#include "measure/statistics.h"

#include <stdio.h>
#include <stdlib.h>

enum { PULSES = 200 };

int main(int argc, char **argv)
{
    struct timer timer = {.ticks = false, .ns_per_tick = 1, .cost_ns = 0};
    double shares[PULSES];
    size_t known = 0;

    if (argc != 2 || sonde_machine_pin((unsigned)atoi(argv[1])) != 0) {
        fputs("usage: share CPU\n", stderr);
        return 2;
    }
    for (int i = 0; i < PULSES; i++) {
        struct pulse pulse = sonde_measure_pulse(&timer);

        if (pulse.share > 0)
            shares[known++] = pulse.share;
    }
    sonde_measure_sort(shares, known);
    printf("%.3f\n", sonde_measure_median(shares, known));
    return 0;
}
