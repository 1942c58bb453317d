/* sbc-bench: one file, several cores.
 *
 *   sbc-bench v0.9.8 Radxa ROCK3 Model A (Sat, 25 Jun 2022 17:29:20 -0400)
 *   ...
 *   Executing benchmark on cpu0 (Cortex-A55):
 *     ... tinymembench's table, ns above the first level ...
 *   Executing ramlat on cpu0 (Cortex-A55), results in ns:
 *          size:  1x32  2x32  1x64  2x64 1xPTR 2xPTR 4xPTR 8xPTR
 *            4k: 1.499 1.500 1.499 1.502 1.001 1.502 2.035 4.104
 *
 * Each core named by ramlat becomes a passport: one dependent 64-bit load (1x64, else
 * 1xPTR) becomes `random`; tinymembench's single reads of that core stand beside it as
 * `above-l1` and `above-l1-huge`, and are not inferred from. What can fool it: one point
 * per octave, a walk over random pages that pays translation, and cores whose number the
 * scheduler of another system made up. */
#include "passport/foreign.h"
#include "passport/readers.h"

#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More cores than ramlat is ever run on; it bounds the work on hostile files. */
enum { CORES_MAX = 256 };

struct core {
    unsigned cpu;
    char name[64];
};

/* "cpu4 (Cortex-A76)...", behind the words that announce it. */
static bool names_core(const char *line, const char *announcement, struct core *core)
{
    size_t length = strlen(announcement);

    *core = (struct core){0};
    if (strncmp(line, announcement, length) != 0 ||
        sscanf(line + length, "cpu%u", &core->cpu) != 1)
        return false;
    if (sscanf(line + length, "cpu%*u (%63[^)])", core->name) != 1)
        core->name[0] = '\0';
    return true;
}

/* The board, between the version and the date. */
static void board_name(const char *line, char *name, size_t size)
{
    const char *start, *end;
    int length = 0;

    *name = '\0';
    sscanf(line, "sbc-bench v%*s %n", &length);
    if (!length)
        return;
    start = line + length;
    end = strrchr(start, '(');
    length = end ? (int)(end - start) : (int)strlen(start);
    snprintf(name, size, "%.*s", length, start);
    while (*name && name[strlen(name) - 1] == ' ')
        name[strlen(name) - 1] = '\0';
}

/* The passport of a core: there already, or added. NULL: out of memory, or too many. */
static struct passport *core_passport(struct foreign *foreign, const char *board,
                                      const struct core *core)
{
    struct passport *passport;

    for (size_t i = foreign->before; i < foreign->list->count; i++)
        if (foreign->list->rows[i].vantage.cpu == core->cpu)
            return &foreign->list->rows[i];
    if (foreign->list->count - foreign->before == CORES_MAX)
        return NULL;
    passport = sonde_passport_foreign_machine(foreign, board);
    if (!passport)
        return NULL;
    passport->vantage.cpu = core->cpu;
    if (core->name[0])
        passport->vantage.kind = sonde_base_copy(core->name);
    return core->name[0] && !passport->vantage.kind ? NULL : passport;
}

/* --- ramlat ----------------------------------------------------------------------------
 */

/* The column of one dependent 64-bit load; -1: there is none. */
static int load_column(char *heading)
{
    char *word;
    int wide = -1, pointer = -1;

    for (int i = 0; (word = sonde_passport_foreign_word(&heading)); i++) {
        if (strcmp(word, "1x64") == 0)
            wide = i;
        if (strcmp(word, "1xPTR") == 0)
            pointer = i;
    }
    return wide >= 0 ? wide : pointer;
}

static int take_load(struct foreign *foreign, struct series *series, char *row,
                     int column)
{
    char *colon = strchr(row, ':'), *values = colon + 1, *word;
    double bytes, ns, last = 0;
    int error;

    *colon = '\0';
    error = sonde_passport_foreign_size(foreign, sonde_base_trim(row), &bytes);
    if (!error && series->count)
        last = series->points[series->count - 1].at[0];
    if (!error && bytes <= last)
        error = sonde_passport_foreign_refuse(foreign, row, "is out of order");
    for (int i = 0; !error && i <= column; i++) {
        word = sonde_passport_foreign_word(&values);
        if (!word)
            return sonde_passport_foreign_fail(foreign, "%d of %d cells are missing",
                                               column + 1 - i, column + 1);
        error = sonde_passport_foreign_number(foreign, word, "latency in ns", &ns);
    }
    return error ? error : sonde_passport_foreign_point(series, bytes, 0, ns);
}

static int take_ramlat(struct foreign *foreign, struct passport *passport)
{
    struct series *series = NULL;
    char *line, *rest;
    int column = -1, error = 0;

    if (!passport)
        return -ENOMEM;
    while (!error && (line = sonde_passport_foreign_line(foreign))) {
        line = sonde_base_trim(line);
        if (!*line && !series)
            continue;
        if (!strchr(line, ':') || line[0] == '#')
            break;
        if (column >= 0) {
            error = take_load(foreign, series, line, column);
            continue;
        }
        rest = strchr(line, ':') + 1;
        column = strncmp(line, "size:", 5) == 0 ? load_column(rest) : -1;
        if (column < 0)
            return sonde_passport_foreign_fail(foreign,
                                               "no heading with a column 1x64 or 1xPTR");
        series = sonde_passport_foreign_curve(passport, "random", "ns");
        error = series ? 0 : -ENOMEM;
    }
    if (!error && (!series || !series->count))
        error = sonde_passport_foreign_fail(foreign, "a table of ramlat without rows");
    return error;
}

/* --- tinymembench ----------------------------------------------------------------------
 */

static int take_above(struct foreign *foreign, struct passport *passport, bool huge)
{
    struct series shape = {.name = (char[]){"above-l1"},
                           .axes = {{"size", "bytes", "log2"}},
                           .axis_count = 1,
                           .quantity = "latency above the first level",
                           .unit = "ns"};
    char huge_name[] = "above-l1-huge", *line;
    struct series *series;
    double bytes, above_ns;
    int error = 0;

    if (huge)
        shape.name = huge_name;
    series = sonde_passport_foreign_series(passport, "latency", &shape);
    if (!series)
        return -ENOMEM;
    while (!error && (line = sonde_passport_foreign_line(foreign)) &&
           sonde_passport_tinymembench_row(line, &bytes, &above_ns))
        error = sonde_passport_foreign_point(series, bytes, 0, above_ns);
    return error;
}

/* --- the file --------------------------------------------------------------------------
 */

/* tinymembench's tables come before ramlat's, and belong to the core announced last. */
static int take_all(struct foreign *foreign)
{
    char board[96] = "", *line;
    struct core core, latest = {0};
    bool announced = false, huge;
    int error = 0;

    while (!error && (line = sonde_passport_foreign_line(foreign))) {
        if (strncmp(line, "sbc-bench v", 11) == 0 && !board[0])
            board_name(line, board, sizeof board);
        if (names_core(line, "Executing benchmark on ", &core)) {
            latest = core;
            announced = true;
        } else if (names_core(line, "Executing ramlat on ", &core)) {
            error = take_ramlat(foreign, core_passport(foreign, board, &core));
        } else if (announced && sonde_passport_tinymembench_heading(line, &huge)) {
            struct passport *passport = core_passport(foreign, board, &latest);

            error = passport ? take_above(foreign, passport, huge) : -ENOMEM;
        }
    }
    return error;
}

/* Kinds that occur twice get their CPU beside them, for a report tells cores by kind. */
static int tell_kinds_apart(struct passport_list *list, size_t first)
{
    for (size_t i = list->count; i-- > first + 1;)
        for (size_t k = first; k < i; k++) {
            char **kind = &list->rows[i].vantage.kind, name[96];
            const char *other = list->rows[k].vantage.kind;

            if (!*kind || !other || strcmp(*kind, other) != 0)
                continue;
            snprintf(name, sizeof name, "%s cpu%.0f", *kind, list->rows[i].vantage.cpu);
            free(*kind);
            *kind = sonde_base_copy(name);
            if (!*kind)
                return -ENOMEM;
        }
    return 0;
}

int sonde_passport_recognise_sbc_bench(const char *text, size_t length)
{
    return sonde_passport_foreign_begins(text, length, "sbc-bench v")            ? 95
           : sonde_passport_foreign_begins(text, length, "Executing ramlat on ") ? 90
                                                                                 : 0;
}

int sonde_passport_read_sbc_bench(struct passport_list *list, const char *text,
                                  size_t length, const char *origin, struct message *why)
{
    struct foreign foreign;
    int error = sonde_passport_foreign_open(&foreign, list, text, length, origin, why);

    if (error)
        return error;
    error = take_all(&foreign);
    if (!error)
        error = tell_kinds_apart(list, foreign.before);
    return sonde_passport_foreign_close(&foreign, error, "table of a core");
}
