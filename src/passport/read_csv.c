/* A latency curve of any tool, as lines of two cells: size and latency.
 *
 *   # remarks, anywhere                      48K;1.08
 *   size_bytes,latency_ns                    1.5 MiB<tab>3.9
 *   4096,1.08
 *
 * A header may name the units; without one, sizes are bytes and latencies nanoseconds.
 * Lines in any order are sorted. All else is refused with the line: a curve that was half
 * understood gives wrong numbers that look right. What can fool it: a latency that is not
 * per access, or in a unit the header does not name. */
#include "passport/foreign.h"
#include "passport/readers.h"

#include "base/text.h"
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct row {
    double size, latency;
    size_t line;
};

struct table {
    const char *origin;
    struct message *why;
    struct row *rows;
    size_t count, capacity;
    bool header;        /* a header was seen */
    double size_factor; /* to bytes */
    double factor;      /* of the latency, to `unit` */
    const char *unit;
};

/* --- lines and cells
 * --------------------------------------------------------------------- */

static int refuse(const struct table *table, size_t line, const char *what,
                  const char *cell)
{
    return sonde_base_fail(table->why, -EINVAL, "%s:%zu: '%s' %s", table->origin, line,
                           sonde_passport_excerpt(cell).text, what);
}

/* Cuts space and a pair of quotes. */
static char *clean(char *cell)
{
    cell = sonde_base_trim(cell);
    size_t length = strlen(cell);
    if (length >= 2 && cell[0] == '"' && cell[length - 1] == '"') {
        cell[length - 1] = '\0';
        cell = sonde_base_trim(cell + 1);
    }
    return cell;
}

/* The separator is the first of ; tab , that the line holds: with "1,5;2" the comma is no
 * separator. Where there is none of them, it is a space between two numbers. */
static char separator(const char *line)
{
    if (strchr(line, ';'))
        return ';';
    if (strchr(line, '\t'))
        return '\t';
    if (strchr(line, ','))
        return ',';
    return isdigit((unsigned char)line[0]) &&
                   strspn(line, "0123456789. eE+-") == strlen(line)
               ? ' '
               : ',';
}

/* Splits in place; answers how many cells there are, of which the first two are given. */
static size_t split(char *line, char *cells[2])
{
    char mark = separator(line);
    size_t count = 0;
    for (char *cell = line; cell; count++) {
        char *end = strchr(cell, mark);
        if (end)
            *end = '\0';
        if (count < 2)
            cells[count] = clean(cell);
        cell = end ? end + 1 : NULL;
        if (mark == ' ' && cell)
            cell += strspn(cell, " ");
    }
    return count;
}

/* --- the header
 * -------------------------------------------------------------------------- */

static bool has_word(const char *cell, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = cell; (at = strcasestr(at, word)); at++) {
        bool starts = at == cell || !isalpha((unsigned char)at[-1]);
        if (starts && !isalpha((unsigned char)at[length]))
            return true;
    }
    return false;
}

struct unit_word {
    const char *word;
    double factor;
    const char *unit;
};

static const struct unit_word *unit_of(const char *cell, const struct unit_word *words)
{
    for (; words->word; words++)
        if (has_word(cell, words->word))
            return words;
    return NULL;
}

static int read_header(struct table *table, size_t line, const char *size,
                       const char *latency)
{
    static const struct unit_word sizes[] = {
        {"kib", 0x1p10, ""}, {"kb", 0x1p10, ""},   {"k", 0x1p10, ""},
        {"mib", 0x1p20, ""}, {"mb", 0x1p20, ""},   {"m", 0x1p20, ""},
        {"bytes", 1, ""},    {"byte", 1, ""},      {"b", 1, ""},
        {"size", 1, ""},     {"footprint", 1, ""}, {NULL, 0, NULL},
    };
    static const struct unit_word latencies[] = {
        {"cycles", 1, "cycles"}, {"cycle", 1, "cycles"}, {"clk", 1, "cycles"},
        {"cyc", 1, "cycles"},    {"ns", 1, "ns"},        {"nanoseconds", 1, "ns"},
        {"us", 1e3, "ns"},       {"µs", 1e3, "ns"},      {"latency", 1, "ns"},
        {"time", 1, "ns"},       {"cost", 1, "ns"},      {NULL, 0, NULL},
    };
    const struct unit_word *size_unit = unit_of(size, sizes);
    const struct unit_word *latency_unit = unit_of(latency, latencies);
    if (!size_unit)
        return refuse(table, line,
                      "is no size, nor the name of one (expected size,latency)", size);
    if (!latency_unit)
        return refuse(table, line,
                      "is no latency, nor the name of one (expected size,latency)",
                      latency);
    table->header = true;
    table->size_factor = size_unit->factor;
    table->factor = latency_unit->factor;
    table->unit = latency_unit->unit;
    return 0;
}

/* --- rows
 * -------------------------------------------------------------------------------- */

static int read_size(const struct table *table, size_t line, const char *cell,
                     double *size)
{
    uint64_t bytes;
    double number;
    if (sonde_base_parse_number(cell, &number) == 0) {
        *size = number * table->size_factor;
        if (number <= 0)
            return refuse(table, line, "is no size: it must be above 0", cell);
        if (*size < 1 || *size > 0x1p62)
            return refuse(table, line, "is no size in bytes", cell);
        return 0;
    }
    int rc = sonde_base_parse_size(cell, &bytes);
    if (rc == -ERANGE)
        return refuse(table, line, "is larger than any memory", cell);
    if (rc)
        return refuse(table, line, "is no size (such as 4096, 48K or 1.5 MiB)", cell);
    *size = (double)bytes;
    return 0;
}

static int read_latency(const struct table *table, size_t line, const char *cell,
                        double *latency)
{
    if (sonde_base_parse_number(cell, latency) != 0)
        return refuse(table, line, "is no latency (a number such as 1.08)", cell);
    if (*latency <= 0)
        return refuse(table, line, "is no latency: it must be above 0", cell);
    *latency *= table->factor;
    return 0;
}

static int add_row(struct table *table, const struct row *row)
{
    if (table->count == table->capacity) {
        size_t capacity = table->capacity ? 2 * table->capacity : 64;
        struct row *rows = reallocarray(table->rows, capacity, sizeof *rows);
        if (!rows)
            return sonde_base_fail(table->why, -ENOMEM, "%s: out of memory",
                                   table->origin);
        table->rows = rows;
        table->capacity = capacity;
    }
    table->rows[table->count++] = *row;
    return 0;
}

static bool names_something(const char *cell)
{
    return isalpha((unsigned char)cell[0]) && !has_word(cell, "nan") &&
           !has_word(cell, "inf");
}

static int read_line(struct table *table, char *text, size_t line)
{
    char *cells[2] = {NULL, NULL};
    text = sonde_base_trim(text);
    if (!*text || *text == '#')
        return 0;
    char *remark = strchr(text, '#');
    if (remark)
        *remark = '\0';
    text = sonde_base_trim(text);
    struct excerpt whole = sonde_passport_excerpt(text);
    size_t count = split(text, cells);
    if (count != 2)
        return sonde_base_fail(table->why, -EINVAL,
                               "%s:%zu: %zu cells in '%s', expected 2 (size,latency)",
                               table->origin, line, count, whole.text);
    if (table->count == 0 && !table->header && names_something(cells[0]))
        return read_header(table, line, cells[0], cells[1]);
    struct row row = {.line = line};
    int rc = read_size(table, line, cells[0], &row.size);
    if (rc == 0)
        rc = read_latency(table, line, cells[1], &row.latency);
    return rc ? rc : add_row(table, &row);
}

static int by_size(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static int sort_rows(struct table *table)
{
    if (table->count == 0)
        return sonde_base_fail(table->why, -EINVAL, "%s: no line of size,latency",
                               table->origin);
    qsort(table->rows, table->count, sizeof *table->rows, by_size);
    for (size_t i = 1; i < table->count; i++)
        if (table->rows[i].size == table->rows[i - 1].size)
            return sonde_base_fail(table->why, -EINVAL,
                                   "%s:%zu: the size of line %zu again (%.0f bytes)",
                                   table->origin, table->rows[i].line,
                                   table->rows[i - 1].line, table->rows[i].size);
    return 0;
}

static int read_lines(struct table *table, char *text)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of byte order, from spreadsheets */
    if (strncmp(text, mark, 3) == 0)
        text += 3;
    size_t line = 1;
    for (char *next; text; text = next, line++) {
        next = strchr(text, '\n');
        if (next)
            *next++ = '\0';
        int rc = read_line(table, text, line);
        if (rc)
            return rc;
    }
    return sort_rows(table);
}

/* --- to a passport
 * ----------------------------------------------------------------------- */

static void fill_point(struct series_point *point, const struct row *row, bool cycles)
{
    double v = row->latency;
    point->at[0] = row->size;
    point->n = 1;
    point->min = point->q25 = point->median = point->q75 = v;
    point->q90 = point->p99 = point->max = point->mean = point->best = v;
    if (cycles)
        point->cycles = v;
    point->flags = POINT_FEW;
}

static int fill_series(struct series *series, const struct table *table)
{
    series->axis_count = 1;
    series->axes[0] = (struct axis){"size", "bytes", "log2"};
    series->quantity = "latency";
    series->unit = table->unit;
    series->statistic = STATISTIC_Q25;
    for (size_t i = 0; i < table->count; i++) {
        struct series_point *point = sonde_measure_point_add(series);
        if (!point)
            return -ENOMEM;
        fill_point(point, &table->rows[i], strcmp(table->unit, "cycles") == 0);
    }
    return 0;
}

static int fill_passport(struct passport *passport, const struct table *table)
{
    struct probe_result *probe = sonde_passport_probe_add(passport, "latency");
    struct series *series =
        probe ? sonde_measure_series_add(&probe->series, "random") : NULL;
    return series ? fill_series(series, table) : -ENOMEM;
}

static int to_passport(struct passport_list *list, const struct table *table)
{
    struct passport *passport = sonde_passport_add(list);
    if (!passport)
        return sonde_base_fail(table->why, -ENOMEM, "%s: out of memory", table->origin);
    if (fill_passport(passport, table) == 0)
        return 0;
    sonde_passport_free(passport);
    list->count--;
    return sonde_base_fail(table->why, -ENOMEM, "%s: out of memory", table->origin);
}

/* Anything with two cells in its first line that says something. */
int sonde_passport_recognise_csv(const char *text, size_t length)
{
    const char *end = text + length;
    while (text < end && strchr(" \t\r\n", *text))
        text++;
    if (text == end || *text == '{' || *text == '[' || *text == '<')
        return 0;
    bool cells = memchr(text, ',', (size_t)(end - text)) ||
                 memchr(text, ';', (size_t)(end - text)) ||
                 memchr(text, '\t', (size_t)(end - text));
    return cells ? 50 : 10;
}

int sonde_passport_read_csv(struct passport_list *list, const char *text, size_t length,
                            const char *origin, struct message *why)
{
    struct table table = {
        .origin = origin, .why = why, .size_factor = 1, .factor = 1, .unit = "ns"};
    char *copy = strndup(text, length);
    if (!copy)
        return sonde_base_fail(why, -ENOMEM, "%s: out of memory", origin);
    int rc = read_lines(&table, copy);
    if (rc == 0)
        rc = to_passport(list, &table);
    free(table.rows);
    free(copy);
    return rc;
}
