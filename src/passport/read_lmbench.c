/* lmbench lat_mem_rd: one block per stride.
 *
 *   "stride=128
 *   0.00049 1.182            size in MiB, rounded; ns
 *   0.00098 1.182
 *
 * The smallest stride of a line or more (64 bytes; else the largest) becomes `strided`,
 * the others stay beside it. What can fool it: the walk goes by the stride unless
 * lat_mem_rd ran with -t, which the file does not say; then prefetchers hide what lies
 * beyond the first level, and what is not seen may be there. */
#include "passport/foreign.h"
#include "passport/readers.h"

#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double line_bytes = 64;
/* Sizes are multiples of this, printed with five decimals of a MiB. */
static const double size_step = 512;

/* More strides than anyone runs; it bounds the work on hostile files. */
enum { BLOCKS_MAX = 64 };

struct lmbench {
    struct foreign foreign;
    struct passport *passport;
    struct series *block; /* the one that rows go to; NULL: none began */
};

/* "stride=128, with or without quotes; false: no heading. */
static bool heading(const char *line, double *stride)
{
    char *end;

    line += *line == '"';
    if (strncmp(line, "stride=", 7) != 0)
        return false;
    *stride = strtod(line + 7, &end);
    return end > line + 7 && *stride >= 1 && *stride <= 0x1p40;
}

static int open_block(struct lmbench *lmbench, double stride)
{
    char name[40];

    if (lmbench->passport->probe_count &&
        lmbench->passport->probes[0].series.count == BLOCKS_MAX)
        return sonde_passport_foreign_fail(&lmbench->foreign, "more than %d strides",
                                           BLOCKS_MAX);
    snprintf(name, sizeof name, "stride %.0f", stride);
    if (lmbench->passport->probe_count &&
        sonde_measure_series_find(&lmbench->passport->probes[0].series, name))
        return sonde_passport_foreign_fail(&lmbench->foreign, "%s again", name);
    lmbench->block = sonde_passport_foreign_curve(lmbench->passport, name, "ns");
    return lmbench->block ? 0 : -ENOMEM;
}

static int take_row(struct lmbench *lmbench, char *line)
{
    struct foreign *foreign = &lmbench->foreign;
    char *cell = sonde_passport_foreign_word(&line), *more;
    double mib, ns, bytes, last = 0;
    int error = sonde_passport_foreign_number(foreign, cell, "size in MiB", &mib);

    if (!error)
        error = sonde_passport_foreign_number(foreign, sonde_passport_foreign_word(&line),
                                              "latency in ns", &ns);
    more = error ? NULL : sonde_passport_foreign_word(&line);
    if (more)
        return sonde_passport_foreign_refuse(foreign, more, "is a cell too many");
    if (error)
        return error;
    bytes = fmax(1, round(mib * 0x1p20 / size_step)) * size_step;
    if (lmbench->block->count)
        last = lmbench->block->points[lmbench->block->count - 1].at[0];
    if (bytes <= last || bytes > 0x1p62)
        return sonde_passport_foreign_refuse(foreign, cell, "is out of order");
    return sonde_passport_foreign_point(lmbench->block, bytes, 0, ns);
}

static int take_all(struct lmbench *lmbench)
{
    char *line;
    double stride;
    int error = 0;

    while (!error && (line = sonde_passport_foreign_line(&lmbench->foreign))) {
        char *remark = strchr(line, '#');

        if (remark)
            *remark = '\0';
        line = sonde_base_trim(line);
        if (heading(line, &stride))
            error = open_block(lmbench, stride);
        else if (*line && lmbench->block)
            error = take_row(lmbench, line);
    }
    return error;
}

static double stride_of(const struct series *series)
{
    return strtod(series->name + 7, NULL);
}

/* The block that is inferred from gets the name that says so. */
static int choose_walk(struct lmbench *lmbench)
{
    struct series_list *list = &lmbench->passport->probes[0].series;
    struct series *best = NULL;
    char *name;

    for (size_t i = 0; i < list->count; i++) {
        struct series *row = &list->rows[i];
        bool line = stride_of(row) >= line_bytes;

        if (!row->count)
            return sonde_passport_foreign_fail(&lmbench->foreign, "%s has no rows",
                                               row->name);
        if (!best ||
            (line &&
             (stride_of(best) < line_bytes || stride_of(row) < stride_of(best))) ||
            (!line && stride_of(best) < line_bytes && stride_of(row) > stride_of(best)))
            best = row;
    }
    name = strdup("strided");
    if (!name)
        return -ENOMEM;
    free(best->name);
    best->name = name;
    return sonde_passport_warn(
        lmbench->passport, "walk-unknown",
        "take the curve again with lat_mem_rd -t, or compare with sonde run latency",
        "the file does not say whether lat_mem_rd walked at random: where it did not, "
        "prefetchers hide levels and shorten latencies");
}

int sonde_passport_recognise_lmbench(const char *text, size_t length)
{
    return sonde_passport_foreign_begins(text, length, "\"stride=") ||
                   sonde_passport_foreign_begins(text, length, "stride=")
               ? 90
               : 0;
}

int sonde_passport_read_lmbench(struct passport_list *list, const char *text,
                                size_t length, const char *origin, struct message *why)
{
    struct lmbench lmbench = {0};
    int error =
        sonde_passport_foreign_open(&lmbench.foreign, list, text, length, origin, why);

    if (error)
        return error;
    lmbench.passport = sonde_passport_foreign_machine(&lmbench.foreign, NULL);
    error = lmbench.passport ? take_all(&lmbench) : -ENOMEM;
    if (!error && !lmbench.block)
        error = sonde_passport_foreign_fail(&lmbench.foreign,
                                            "the file ends without a block \"stride=");
    if (!error)
        error = choose_walk(&lmbench);
    return sonde_passport_foreign_close(&lmbench.foreign, error, "block");
}
