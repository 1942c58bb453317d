/* Core-to-core latencies as CSV: the lower triangle of a square, ns one way.
 *
 *   ,,,
 *   21.4,,,
 *   20.4,20.6,,
 *   21.5,20.9,21.3,
 *
 * Cells on and above the diagonal may be empty; below it none may be. A diagonal of zeros
 * and a full square are understood too. Every pair becomes a point of `pairs` in the
 * result of `c2c`. Console text, cells that are negative or no number and rows of another
 * width are refused with their line. What can fool it: threads that were not bound while
 * the matrix was taken; and cells that are a counter's few ticks, not a time. */
#include "passport/foreign.h"
#include "passport/readers.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* More CPUs than any published matrix has, few enough for a square of them. */
enum { CPUS_MAX = 512 };

struct square {
    struct foreign foreign;
    struct passport *passport;
    struct series *series;
    size_t width, rows;
};

static int take_cell(struct square *square, const char *cell, size_t column)
{
    double way_ns;
    bool below = column < square->rows;
    int error;

    if (!*cell && !below)
        return 0;
    if (!*cell)
        return sonde_passport_foreign_fail(
            &square->foreign, "cell %zu is empty, below the diagonal", column + 1);
    error = sonde_passport_foreign_amount(
        &square->foreign, cell, "latency in ns (a cell of the matrix)", &way_ns);
    if (error || column == square->rows)
        return error;
    if (way_ns == 0 || way_ns > 1e9)
        return sonde_passport_foreign_fail(&square->foreign,
                                           "'%s' is no latency between two CPUs", cell);
    return sonde_passport_foreign_point(square->series, (double)square->rows,
                                        (double)column, way_ns);
}

static int take_row(struct square *square, char *line)
{
    char *cell;
    size_t cells = 0;
    int error = 0;

    for (const char *at = line; *at; at++)
        cells += *at == ',';
    cells++;
    if (!square->width)
        square->width = cells;
    if (cells != square->width || cells < 2 || cells > CPUS_MAX)
        return sonde_passport_foreign_fail(
            &square->foreign, "'%s': %zu cells where the matrix has %zu",
            sonde_passport_excerpt(line).text, cells, square->width);
    if (square->rows == square->width)
        return sonde_passport_foreign_fail(
            &square->foreign, "more rows than the %zu of the square", square->width);
    for (size_t i = 0; !error && (cell = sonde_passport_foreign_cell(&line)); i++)
        error = take_cell(square, cell, i);
    square->rows++;
    return error;
}

static int take_all(struct square *square)
{
    char *line;
    int error = 0;

    while (!error && (line = sonde_passport_foreign_line(&square->foreign)))
        if (*line || square->rows)
            error = *line ? take_row(square, line)
                    : square->foreign.rest
                        ? sonde_passport_foreign_fail(&square->foreign, "an empty line")
                        : 0;
    if (!error && (square->rows < 2 || square->rows != square->width))
        error = sonde_passport_foreign_fail(&square->foreign,
                                            "the file ends after %zu rows of a square "
                                            "of %zu",
                                            square->rows, square->width);
    return error;
}

/* A line of nothing but commas opens every matrix, whatever was printed before it. */
int sonde_passport_recognise_core_to_core(const char *text, size_t length)
{
    const char *end = text + length;

    while (text < end) {
        const char *line = text;

        while (text < end && *text == ',')
            text++;
        if (text > line && (text == end || *text == '\n' || *text == '\r'))
            return 80;
        text = memchr(text, '\n', (size_t)(end - text));
        text = text ? text + 1 : end;
    }
    return 0;
}

int sonde_passport_read_core_to_core(struct passport_list *list, const char *text,
                                     size_t length, const char *origin,
                                     struct message *why)
{
    char name[] = "pairs";
    struct series shape = {.name = name,
                           .axes = {{"cpu", "", "linear"}, {"other", "", "linear"}},
                           .axis_count = 2,
                           .quantity = "latency",
                           .unit = "ns",
                           .statistic = STATISTIC_Q25};
    struct square square = {0};
    int error =
        sonde_passport_foreign_open(&square.foreign, list, text, length, origin, why);

    if (error)
        return error;
    square.passport = sonde_passport_foreign_machine(&square.foreign, NULL);
    square.series = square.passport
                        ? sonde_passport_foreign_series(square.passport, "c2c", &shape)
                        : NULL;
    error = square.series ? take_all(&square) : -ENOMEM;
    if (!error)
        square.passport->machine.cpus_online = (double)square.width;
    return sonde_passport_foreign_close(&square.foreign, error, "matrix");
}
