/* What readers of other tools' files share.
 *
 * A reader works on a private copy that it cuts into lines and words; whatever it does
 * not understand it refuses with file and line. When it fails, the list is as it was
 * before. What can fool it: figures of which the file does not say how they were taken;
 * they become single samples, flagged as few. */
#include "passport/foreign.h"

#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct excerpt sonde_passport_excerpt(const char *cell)
{
    struct excerpt out = {{0}};
    size_t used = 0, length;
    uint32_t code;
    for (; (length = sonde_base_utf8_decode(cell, &code)) > 0; cell += length) {
        if (used + 8 > sizeof out.text) {
            memcpy(out.text + used, "...", 3);
            break;
        }
        bool good = sonde_base_utf8_columns(code) > 0;
        memcpy(out.text + used, good ? cell : "?", good ? length : 1);
        used += good ? length : 1;
    }
    return out;
}

/* --- lines -----------------------------------------------------------------------------
 */

int sonde_passport_foreign_open(struct foreign *foreign, struct passport_list *list,
                                const char *text, size_t length, const char *origin,
                                struct message *why)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of byte order */

    *foreign = (struct foreign){
        .list = list, .before = list->count, .origin = origin, .why = why};
    foreign->copy = strndup(text, length);
    if (!foreign->copy)
        return sonde_base_fail(why, -ENOMEM, "%s: out of memory", origin);
    foreign->rest = foreign->copy;
    if (strncmp(foreign->rest, mark, 3) == 0)
        foreign->rest += 3;
    return 0;
}

int sonde_passport_foreign_close(struct foreign *foreign, int code, const char *what)
{
    struct passport_list *list = foreign->list;

    free(foreign->copy);
    foreign->copy = foreign->rest = NULL;
    if (code == 0 && list->count == foreign->before)
        code = sonde_base_fail(foreign->why, -EINVAL, "%s: no %s in it", foreign->origin,
                               what);
    if (code == -ENOMEM)
        sonde_base_fail(foreign->why, -ENOMEM, "%s: out of memory", foreign->origin);
    while (code < 0 && list->count > foreign->before)
        sonde_passport_free(&list->rows[--list->count]);
    return code;
}

char *sonde_passport_foreign_line(struct foreign *foreign)
{
    char *line = foreign->rest, *end;

    if (foreign->again) {
        line = foreign->again;
        foreign->again = NULL;
        foreign->line++;
        return line;
    }
    if (!line || !*line)
        return NULL;
    foreign->line++;
    end = strchr(line, '\n');
    foreign->rest = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    else
        end = line + strlen(line);
    if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    return line;
}

void sonde_passport_foreign_unread(struct foreign *foreign, char *line)
{
    foreign->again = line;
    foreign->line--;
}

int sonde_passport_foreign_refuse(struct foreign *foreign, const char *cell,
                                  const char *what)
{
    return sonde_base_fail(foreign->why, -EINVAL, "%s:%zu: '%s' %s", foreign->origin,
                           foreign->line, sonde_passport_excerpt(cell).text, what);
}

int sonde_passport_foreign_fail(struct foreign *foreign, const char *format, ...)
{
    char words[240];
    va_list arguments;

    va_start(arguments, format);
    sonde_base_format(words, sizeof words, format, arguments);
    va_end(arguments);
    return sonde_base_fail(foreign->why, -EINVAL, "%s:%zu: %s", foreign->origin,
                           foreign->line, words);
}

/* --- words and numbers -----------------------------------------------------------------
 */

char *sonde_passport_foreign_word(char **rest)
{
    char *word = *rest, *end;

    while (word && *word && isspace((unsigned char)*word))
        word++;
    if (!word || !*word)
        return NULL;
    end = word;
    while (*end && !isspace((unsigned char)*end))
        end++;
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

char *sonde_passport_foreign_cell(char **rest)
{
    char *cell = *rest, *end;
    size_t length;

    if (!cell)
        return NULL;
    end = strchr(cell, ',');
    *rest = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    cell = sonde_base_trim(cell);
    length = strlen(cell);
    if (length >= 2 && cell[0] == '"' && cell[length - 1] == '"') {
        cell[length - 1] = '\0';
        cell = sonde_base_trim(cell + 1);
    }
    return cell;
}

int sonde_passport_foreign_amount(struct foreign *foreign, const char *cell,
                                  const char *what, double *number)
{
    if (!cell || sonde_base_parse_number(cell, number) != 0)
        return sonde_passport_foreign_fail(foreign, "'%s' is no %s",
                                           sonde_passport_excerpt(cell ? cell : "").text,
                                           what);
    if (*number < 0)
        return sonde_passport_foreign_fail(foreign, "'%s' is no %s: it is negative",
                                           sonde_passport_excerpt(cell).text, what);
    return 0;
}

int sonde_passport_foreign_number(struct foreign *foreign, const char *cell,
                                  const char *what, double *number)
{
    int error = sonde_passport_foreign_amount(foreign, cell, what, number);

    if (!error && *number == 0)
        return sonde_passport_foreign_fail(foreign, "'%s' is no %s: it must be above 0",
                                           sonde_passport_excerpt(cell).text, what);
    return error;
}

int sonde_passport_foreign_size(struct foreign *foreign, const char *cell, double *bytes)
{
    uint64_t size;

    if (!cell || sonde_base_parse_size(cell, &size) != 0)
        return sonde_passport_foreign_refuse(foreign, cell ? cell : "",
                                             "is no size (such as 4096, 48k or 2m)");
    *bytes = (double)size;
    return 0;
}

bool sonde_passport_foreign_has(const char *text, size_t length, const char *needle)
{
    return memmem(text, length, needle, strlen(needle)) != NULL;
}

bool sonde_passport_foreign_begins(const char *text, size_t length, const char *start)
{
    const char *end = text + length;
    size_t size = strlen(start);

    while (text && text < end) {
        while (text < end && (*text == ' ' || *text == '\t'))
            text++;
        if ((size_t)(end - text) >= size && memcmp(text, start, size) == 0)
            return true;
        text = memchr(text, '\n', (size_t)(end - text));
        text = text ? text + 1 : NULL;
    }
    return false;
}

/* --- machines and series ---------------------------------------------------------------
 */

struct passport *sonde_passport_foreign_machine(struct foreign *foreign,
                                                const char *model)
{
    struct passport *passport = sonde_passport_add(foreign->list);

    if (passport && model && *model) {
        passport->machine.model = sonde_base_copy(model);
        if (!passport->machine.model)
            return NULL;
    }
    return passport;
}

static struct probe_result *result_of(struct passport *passport, const char *name)
{
    for (size_t i = 0; i < passport->probe_count; i++)
        if (strcmp(passport->probes[i].name, name) == 0)
            return &passport->probes[i];
    return sonde_passport_probe_add(passport, name);
}

struct series *sonde_passport_foreign_series(struct passport *passport, const char *probe,
                                             const struct series *shape)
{
    struct probe_result *result = result_of(passport, probe);
    struct series *series =
        result ? sonde_measure_series_add(&result->series, shape->name) : NULL;

    if (!series)
        return NULL;
    memcpy(series->axes, shape->axes, sizeof series->axes);
    series->axis_count = shape->axis_count;
    series->quantity = shape->quantity;
    series->unit = shape->unit;
    series->statistic = shape->statistic;
    return series;
}

struct series *sonde_passport_foreign_curve(struct passport *passport, const char *name,
                                            const char *unit)
{
    char copy[64];
    struct series shape = {.name = copy,
                           .axes = {{"size", "bytes", "log2"}},
                           .axis_count = 1,
                           .quantity = "latency",
                           .unit = unit,
                           .statistic = STATISTIC_Q25};

    snprintf(copy, sizeof copy, "%s", name);
    return sonde_passport_foreign_series(passport, "latency", &shape);
}

int sonde_passport_foreign_point(struct series *series, double x, double y, double value)
{
    struct series_point *point = sonde_measure_point_add(series);

    if (!point)
        return -ENOMEM;
    point->at[0] = x;
    if (series->axis_count > 1)
        point->at[1] = y;
    point->n = 1;
    point->min = point->q25 = point->median = point->q75 = value;
    point->p99 = point->max = point->mean = point->best = value;
    if (strcmp(series->unit, "cycles") == 0)
        point->cycles = value;
    point->flags = POINT_FEW;
    return 0;
}

/* --- tinymembench ----------------------------------------------------------------------
 */

bool sonde_passport_tinymembench_heading(const char *line, bool *huge)
{
    if (strncmp(line, "block size : single random read", 31) != 0)
        return false;
    *huge = strstr(line, "[MADV_HUGEPAGE]") != NULL;
    return true;
}

bool sonde_passport_tinymembench_row(const char *line, double *bytes, double *above_ns)
{
    double size, above;
    int length = 0;

    if (sscanf(line, " %lf : %lf ns / %*f ns%n", &size, &above, &length) < 2 || !length)
        return false;
    if (!(size >= 1) || !(size <= 0x1p62) || !(above >= 0) || !(above < 1e9))
        return false;
    *bytes = size;
    *above_ns = above;
    return true;
}
