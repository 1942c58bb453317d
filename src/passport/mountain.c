/* What the readers of memory mountains share: one shape for all of them. */
#include "passport/mountain.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct series *sonde_passport_mountain(struct passport *passport)
{
    char name[] = "mountain";
    struct series shape = {
        .name = name,
        .axes = {{"size", "bytes", "log2"}, {"stride", "bytes", "linear"}},
        .axis_count = 2,
        .quantity = "throughput",
        .unit = "bytes/s",
        .statistic = STATISTIC_Q75};

    return sonde_passport_foreign_series(passport, "mountain", &shape);
}

int sonde_passport_mountain_point(struct foreign *foreign, struct series *series,
                                  double size, double stride_bytes, double rate)
{
    if (series->count == SONDE_MOUNTAIN_MAX)
        return sonde_passport_foreign_fail(foreign, "a mountain of more than %d points",
                                           SONDE_MOUNTAIN_MAX);
    for (size_t i = series->count; i-- > 0;)
        if (series->points[i].at[0] == size && series->points[i].at[1] == stride_bytes)
            return sonde_passport_foreign_fail(
                foreign, "size %.0f and stride %.6g bytes again", size, stride_bytes);
    return sonde_passport_foreign_point(series, size, stride_bytes, rate);
}

int sonde_passport_mountain_cache(struct passport *passport, const char *name,
                                  double bytes)
{
    static const struct {
        const char *name, *fact;
    } rows[] = {
        {"L1", "l1d.size"},         {"L1d", "l1d.size"},    {"L1d_P", "l1d.size"},
        {"L2", "l2.size"},          {"L2_P", "l2.size"},    {"L3", "l3.size"},
        {"L4", "l4.size"},          {"line", "line.size"},  {"l1.size", "l1d.size"},
        {"l1d.size", "l1d.size"},   {"l2.size", "l2.size"}, {"l3.size", "l3.size"},
        {"line.size", "line.size"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcasecmp(rows[i].name, name) == 0 && bytes >= 1 && bytes <= 0x1p40)
            return sonde_machine_fact_number(&passport->facts, rows[i].fact, "file",
                                             "file", "bytes", bytes)
                       ? 0
                       : -ENOMEM;
    return 0;
}
