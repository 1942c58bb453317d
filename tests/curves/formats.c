/* Two text forms, read by their tables:
 *
 *   Page_Random Tests                          Executing ramlat on cpu4 (...), results in
 * ns: Stride:    8   16   32   64  128 2 KB   4    4    4    4    4                 size:
 * 1x32  2x32  1x64  2x64 ... 3 KB   4    4    4    4    4 4k: 1.704 1.704 1.704 1.704 ...
 *
 * The left one gives clocks and keeps one walk inside a page at a time (windowed) and one
 * over everything (random); the right one gives ns, random over everything. */
#include "formats.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 8 << 20 };

static char *next_line(char **rest)
{
    if (!*rest || !**rest)
        return NULL;
    char *line = *rest, *end = strchr(line, '\n');
    *rest = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    return line;
}

static int add_point(struct series *series, double size, double cost)
{
    struct series_point *point = sonde_measure_point_add(series);
    if (!point)
        return -ENOMEM;
    point->at[0] = size;
    point->n = 1;
    point->best = cost;
    return 0;
}

static struct series *add_walk(struct series_list *list, const char *name,
                               const char *unit)
{
    struct series *series = sonde_measure_series_add(list, name);
    if (!series)
        return NULL;
    series->axes[0] = (struct axis){"size", "bytes", "log2"};
    series->axis_count = 1;
    series->quantity = "latency";
    series->unit = unit;
    return series;
}

/* The number in column `column` (from 0) of white-space separated text; 0: none there. */
static double field(const char *text, unsigned column)
{
    for (unsigned i = 0;; i++) {
        char *end;
        double value = strtod(text, &end);
        if (end == text)
            return 0;
        if (i == column)
            return value;
        text = end;
    }
}

/* --- clocks by stride --- */

/* "     512 KB   4  4  4": bytes, and where the values start. */
static double kib_row(char *line, char **values)
{
    char *end;
    double kib = strtod(line, &end);
    while (*end == ' ')
        end++;
    if (kib <= 0 || strncmp(end, "KB", 2) != 0)
        return 0;
    *values = end + 2;
    return kib * 1024;
}

/* Column of `stride` in "Stride:  8  16 ... 1K"; -1: not there. */
static int stride_column(const char *header, double stride)
{
    for (int i = 0; i < 16; i++) {
        double value = field(header, (unsigned)i);
        if (value == 0)
            return -1;
        if (value == stride)
            return i;
    }
    return -1;
}

static int read_table(const char *text, const char *title, double stride,
                      const char *name, struct series_list *list)
{
    char *copy = strdup(text), *rest = copy, *line, *values;
    bool inside = false;
    int column = -1, error = copy ? 0 : -ENOMEM;
    struct series *series = NULL;
    while (!error && (line = next_line(&rest))) {
        if (!inside) {
            inside = strncmp(line, title, strlen(title)) == 0;
            continue;
        }
        double size = kib_row(line, &values);
        if (strncmp(line, "Stride:", 7) == 0 && column < 0) {
            column = stride_column(line + 7, stride);
            series = column >= 0 ? add_walk(list, name, "cycles") : NULL;
            error = column >= 0 && !series ? -ENOMEM : 0;
        } else if (size > 0 && series) {
            double cost = field(values, (unsigned)column);
            error = cost > 0 ? add_point(series, size, cost) : 0;
        } else if (series && series->count) {
            break;
        }
    }
    free(copy);
    return error;
}

/* --- ns by element --- */

static double suffixed_row(char *line, char **values)
{
    char *end;
    double size = strtod(line, &end);
    if (size <= 0 || tolower(*end) != 'k' || end[1] != ':')
        return 0;
    *values = end + 2;
    return size * 1024;
}

static bool heads_block(const char *line, const char *cpu)
{
    const char *at = strstr(line, "Executing ramlat");
    if (!at)
        return false;
    at = strstr(at, " on ");
    size_t length = cpu ? strlen(cpu) : 0;
    return !length || (at && strncmp(at + 4, cpu, length) == 0 &&
                       !isdigit((unsigned char)at[4 + length]));
}

static int read_ramlat(const char *text, const char *cpu, struct series_list *list)
{
    char *copy = strdup(text), *rest = copy, *line, *values;
    bool inside = false;
    int error = copy ? 0 : -ENOMEM;
    struct series *series = NULL;
    while (!error && (line = next_line(&rest))) {
        if (!inside) {
            inside = heads_block(line, cpu);
            continue;
        }
        double size = suffixed_row(line, &values);
        if (size > 0) {
            if (!series)
                series = add_walk(list, "random", "ns");
            double cost = field(values, 2);
            error = !series ? -ENOMEM : cost > 0 ? add_point(series, size, cost) : 0;
        } else if (series) {
            break;
        }
    }
    free(copy);
    return error;
}

int curve_read(const char *path, const char *cpu, struct series_list *list)
{
    char *text;
    size_t length;
    int error = sonde_base_read_file(path, FILE_MOST, &text, &length);
    if (error)
        return error;
    error = read_table(text, "Page_Random Tests", 64, "windowed", list);
    if (!error)
        error = read_table(text, "Page_Random Tests", 128, "wide", list);
    if (!error)
        error = read_table(text, "Random_Full Tests", 64, "random", list);
    if (!error && list->count == 0)
        error = read_ramlat(text, cpu, list);
    free(text);
    return error ? error : list->count ? 0 : -ENODATA;
}
