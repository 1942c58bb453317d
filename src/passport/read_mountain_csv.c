/* A memory mountain as CSV, one cell of it a line.
 *
 *   size_bytes,stride_elems,stride_bytes,throughput_MBps,seconds,reps,dtype
 *   16384,1,8,26668.3,0.0575964,98304,double
 *
 * The heading names the columns; size, a stride and the throughput are needed. Without
 * `stride_bytes` a stride is taken for words of 8 bytes. A column `device` names what was
 * measured. What can fool it: a device that is no processor, whose mountain looks alike.
 */
#include "passport/mountain.h"
#include "passport/readers.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum column { SIZE, STRIDE, STRIDE_BYTES, RATE, DEVICE, COLUMNS };

struct table {
    struct foreign foreign;
    struct passport *passport;
    struct series *series;
    int place[COLUMNS]; /* of each column; -1: not there */
    int width;          /* cells of a row */
    double factor;      /* of the throughput, to bytes a second */
};

static double rate_factor(const char *heading)
{
    return strcasestr(heading, "gb") ? 1e9 : strcasestr(heading, "mb") ? 1e6 : 1;
}

static void take_heading_cell(struct table *table, const char *cell)
{
    enum column column = COLUMNS;

    if (strncasecmp(cell, "size", 4) == 0)
        column = SIZE;
    else if (strcasecmp(cell, "stride_bytes") == 0)
        column = STRIDE_BYTES;
    else if (strncasecmp(cell, "stride", 6) == 0)
        column = STRIDE;
    else if (strcasestr(cell, "throughput") || strcasestr(cell, "bandwidth"))
        column = RATE;
    else if (strcasecmp(cell, "device") == 0)
        column = DEVICE;
    if (column == COLUMNS || table->place[column] >= 0)
        return;
    table->place[column] = table->width;
    if (column == RATE)
        table->factor = rate_factor(cell);
}

static int take_heading(struct table *table)
{
    char *line = sonde_passport_foreign_line(&table->foreign), *cell;

    for (int i = 0; i < COLUMNS; i++)
        table->place[i] = -1;
    while ((cell = sonde_passport_foreign_cell(&line))) {
        take_heading_cell(table, cell);
        table->width++;
    }
    if (table->place[SIZE] < 0 || table->place[RATE] < 0 ||
        (table->place[STRIDE] < 0 && table->place[STRIDE_BYTES] < 0))
        return sonde_passport_foreign_fail(
            &table->foreign, "the heading must name a size, a stride and a throughput");
    return 0;
}

static int take_device(struct table *table, const char *device)
{
    char **model = &table->passport->machine.model;

    if (!*device || *model)
        return 0;
    *model = sonde_base_copy(device);
    if (!*model)
        return -ENOMEM;
    return sonde_passport_warn(table->passport, "device", NULL,
                               "the file names a device (%.60s), not a processor: it may "
                               "be a graphics unit",
                               device);
}

static int open_series(struct table *table)
{
    if (!table->series)
        table->series = sonde_passport_mountain(table->passport);
    return table->series ? 0 : -ENOMEM;
}

static int take_cells(struct table *table, char *const *cells)
{
    double size, rate, stride = 0, bytes = 0;
    int error = sonde_passport_foreign_number(&table->foreign, cells[SIZE],
                                              "size in bytes", &size);

    if (!error && table->place[STRIDE] >= 0)
        error = sonde_passport_foreign_number(&table->foreign, cells[STRIDE], "stride",
                                              &stride);
    if (!error && table->place[STRIDE_BYTES] >= 0)
        error = sonde_passport_foreign_number(&table->foreign, cells[STRIDE_BYTES],
                                              "stride in bytes", &bytes);
    if (!error)
        error = sonde_passport_foreign_number(&table->foreign, cells[RATE], "throughput",
                                              &rate);
    if (!error && table->place[DEVICE] >= 0)
        error = take_device(table, cells[DEVICE]);
    if (!error)
        error = open_series(table);
    if (!error)
        error = sonde_passport_mountain_point(
            &table->foreign, table->series, size,
            table->place[STRIDE_BYTES] < 0 ? SONDE_WORD_BYTES * stride : bytes,
            rate * table->factor);
    return error;
}

static int take_row(struct table *table, char *line)
{
    char *cells[COLUMNS] = {NULL}, *cell;
    int count = 0;

    if (!*sonde_base_trim(line))
        return 0;
    while ((cell = sonde_passport_foreign_cell(&line))) {
        for (int i = 0; i < COLUMNS; i++)
            if (table->place[i] == count)
                cells[i] = cell;
        count++;
    }
    if (count != table->width)
        return sonde_passport_foreign_fail(
            &table->foreign, "%d cells where the heading has %d", count, table->width);
    return take_cells(table, cells);
}

static int take_all(struct table *table)
{
    char *line;
    int error = take_heading(table);

    while (!error && (line = sonde_passport_foreign_line(&table->foreign)))
        error = take_row(table, line);
    if (!error && !table->series)
        error = sonde_passport_foreign_fail(&table->foreign, "a heading without rows");
    return error;
}

int sonde_passport_recognise_mountain_csv(const char *text, size_t length)
{
    const char *end = memchr(text, '\n', length);
    size_t heading = end ? (size_t)(end - text) : length;

    return sonde_passport_foreign_has(text, heading, "size") &&
                   sonde_passport_foreign_has(text, heading, "stride") &&
                   (sonde_passport_foreign_has(text, heading, "throughput") ||
                    sonde_passport_foreign_has(text, heading, "bandwidth"))
               ? 90
               : 0;
}

int sonde_passport_read_mountain_csv(struct passport_list *list, const char *text,
                                     size_t length, const char *origin,
                                     struct message *why)
{
    struct table table = {.factor = 1};
    int error =
        sonde_passport_foreign_open(&table.foreign, list, text, length, origin, why);

    if (error)
        return error;
    table.passport = sonde_passport_foreign_machine(&table.foreign, NULL);
    error = table.passport ? take_all(&table) : -ENOMEM;
    return sonde_passport_foreign_close(&table.foreign, error, "mountain");
}
