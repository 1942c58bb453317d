/* A memory mountain as JSON.
 *
 *   { "hardware": "...", "date": "...",
 *     "sizes": [16384, ...],            bytes
 *     "strides": [1, ...],              words of 8 bytes
 *     "throughput": [[42096, ...], ...] MB/s, one row per size, one cell per stride
 *     "caches": {"L1d": 32768, ...} }   may be missing
 *
 * A cell that is null was not measured. Every other fault of a row or a cell is refused
 * with the line it stands on, which is looked for in the text, since the parsed tree no
 * longer knows lines. What can fool it: nothing in the file says what a stride of 1 is.
 */
#include "passport/mountain.h"
#include "passport/readers.h"

#include "base/text.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE_MAX = 4096 };

struct mountain {
    struct foreign foreign;
    struct passport *passport;
    struct series *series;
    const char *text; /* all of it, NUL-terminated */
};

/* --- lines -----------------------------------------------------------------------------
 */

/* Walks JSON from a key on to the element [row] or [row][column] of its array, counting
 * lines; column -1: the row itself. Good JSON, since it was parsed. */
struct walk {
    const char *at;
    size_t line;
};

static void step(struct walk *walk)
{
    if (*walk->at == '\n')
        walk->line++;
    walk->at++;
}

static void skip_string(struct walk *walk)
{
    step(walk);
    while (*walk->at && *walk->at != '"') {
        if (*walk->at == '\\' && walk->at[1])
            step(walk);
        step(walk);
    }
    if (*walk->at)
        step(walk);
}

/* To the `index`-th element of the array that `walk` stands before or in front of. */
static void enter_element(struct walk *walk, size_t index)
{
    int depth = 0;

    while (*walk->at && *walk->at != '[')
        step(walk);
    if (*walk->at)
        step(walk);
    while (*walk->at && (index || depth)) {
        if (*walk->at == '"') {
            skip_string(walk);
            continue;
        }
        depth += *walk->at == '[' || *walk->at == '{';
        depth -= *walk->at == ']' || *walk->at == '}';
        if (depth < 0)
            return;
        index -= depth == 0 && *walk->at == ',';
        step(walk);
    }
    while (*walk->at && strchr(" \t\r\n", *walk->at))
        step(walk);
}

static size_t line_of(const struct mountain *mountain, const char *key, size_t row,
                      int column)
{
    char quoted[40];
    struct walk walk = {mountain->text, 1};
    const char *start;

    snprintf(quoted, sizeof quoted, "\"%s\"", key);
    start = strstr(mountain->text, quoted);
    while (start && walk.at < start)
        step(&walk);
    enter_element(&walk, row);
    if (column >= 0 && *walk.at == '[')
        enter_element(&walk, (size_t)column);
    return walk.line;
}

__attribute__((format(printf, 5, 6))) static int refuse(struct mountain *mountain,
                                                        const char *key, size_t row,
                                                        int column, const char *format,
                                                        ...)
{
    char words[200];
    va_list arguments;

    va_start(arguments, format);
    sonde_base_format(words, sizeof words, format, arguments);
    va_end(arguments);
    mountain->foreign.line = line_of(mountain, key, row, column);
    return sonde_passport_foreign_fail(&mountain->foreign, "%s", words);
}

/* --- values ----------------------------------------------------------------------------
 */

static int take_edge(struct mountain *mountain, const json_t *root, const char *key,
                     double **values, size_t *count)
{
    const json_t *array = json_object_get(root, key);

    if (!json_is_array(array) || !json_array_size(array) ||
        json_array_size(array) > EDGE_MAX)
        return refuse(mountain, key, 0, -1, "'%s' is no array of 1 to %d numbers", key,
                      EDGE_MAX);
    *count = json_array_size(array);
    *values = calloc(*count, sizeof **values);
    if (!*values)
        return -ENOMEM;
    for (size_t i = 0; i < *count; i++) {
        const json_t *value = json_array_get(array, i);

        (*values)[i] = json_number_value(value);
        if (!json_is_number(value) || !((*values)[i] > 0) || (*values)[i] > 0x1p62)
            return refuse(mountain, key, i, -1, "%s[%zu] is no number above 0", key, i);
        for (size_t k = 0; k < i; k++)
            if ((*values)[k] == (*values)[i])
                return refuse(mountain, key, i, -1, "%s[%zu] is %s[%zu] again", key, i,
                              key, k);
    }
    return 0;
}

static int take_cell(struct mountain *mountain, const json_t *cell, size_t row,
                     size_t column, double size, double stride)
{
    double rate = json_number_value(cell);

    if (json_is_null(cell))
        return 0;
    if (!json_is_number(cell))
        return refuse(mountain, "throughput", row, (int)column,
                      "throughput[%zu][%zu] is no number", row, column);
    if (!(rate > 0))
        return refuse(mountain, "throughput", row, (int)column,
                      "throughput[%zu][%zu] is %g: it must be above 0", row, column,
                      rate);
    return sonde_passport_foreign_point(mountain->series, size, SONDE_WORD_BYTES * stride,
                                        rate * 1e6);
}

static int take_rows(struct mountain *mountain, const json_t *root, const double *sizes,
                     size_t size_count, const double *strides, size_t stride_count)
{
    const json_t *rows = json_object_get(root, "throughput");
    int error = 0;

    if (!json_is_array(rows) || json_array_size(rows) != size_count)
        return refuse(mountain, "throughput", 0, -1,
                      "'throughput' has %zu rows where 'sizes' has %zu",
                      json_array_size(rows), size_count);
    for (size_t i = 0; !error && i < size_count; i++) {
        const json_t *row = json_array_get(rows, i);

        if (!json_is_array(row) || json_array_size(row) != stride_count)
            return refuse(mountain, "throughput", i, -1,
                          "throughput[%zu] has %zu cells where 'strides' has %zu", i,
                          json_array_size(row), stride_count);
        for (size_t k = 0; !error && k < stride_count; k++)
            error =
                take_cell(mountain, json_array_get(row, k), i, k, sizes[i], strides[k]);
    }
    if (!error && !mountain->series->count)
        return refuse(mountain, "throughput", 0, -1, "'throughput' holds no figure");
    return error;
}

static int take_grid(struct mountain *mountain, const json_t *root)
{
    double *sizes = NULL, *strides = NULL;
    size_t size_count = 0, stride_count = 0;
    int error = take_edge(mountain, root, "sizes", &sizes, &size_count);

    if (!error)
        error = take_edge(mountain, root, "strides", &strides, &stride_count);
    if (!error)
        error = take_rows(mountain, root, sizes, size_count, strides, stride_count);
    free(sizes);
    free(strides);
    return error;
}

/* --- the machine -----------------------------------------------------------------------
 */

static double cache_bytes(const json_t *value)
{
    if (json_is_object(value))
        value = json_object_get(value, "size");
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static int take_caches(struct mountain *mountain, const json_t *caches)
{
    const char *key;
    json_t *value;
    size_t index;
    int error = 0;

    json_object_foreach((json_t *)caches, key, value)
    {
        if (!error)
            error = sonde_passport_mountain_cache(mountain->passport, key,
                                                  cache_bytes(value));
    }
    json_array_foreach(caches, index, value)
    {
        const char *name = json_string_value(json_object_get(value, "name"));

        if (!name)
            name = json_string_value(json_object_get(value, "level"));
        if (!error && name)
            error = sonde_passport_mountain_cache(mountain->passport, name,
                                                  cache_bytes(value));
    }
    return error;
}

static int copy_text(const json_t *value, char **text)
{
    if (!json_is_string(value) || !json_string_length(value))
        return 0;
    free(*text);
    *text = sonde_base_copy(json_string_value(value));
    return *text ? 0 : -ENOMEM;
}

/* "hardware" is a name, or an object that has one. */
static int take_machine(struct mountain *mountain, const json_t *root)
{
    static const char *const names[] = {"cpu", "model", "name", "title"};
    struct passport_machine *machine = &mountain->passport->machine;
    const json_t *hardware = json_object_get(root, "hardware");
    int error = copy_text(hardware, &machine->model);

    for (size_t i = 0; !error && !machine->model && i < sizeof names / sizeof *names; i++)
        error = copy_text(json_object_get(hardware, names[i]), &machine->model);
    if (!error)
        error = copy_text(json_object_get(root, "date"), &machine->date);
    if (!error)
        error = take_caches(mountain, json_object_get(root, "caches"));
    return error;
}

static int take_root(struct mountain *mountain, const json_t *root)
{
    int error;

    if (!json_is_object(root))
        return refuse(mountain, "throughput", 0, -1, "a mountain is a JSON object");
    mountain->passport = sonde_passport_foreign_machine(&mountain->foreign, NULL);
    mountain->series =
        mountain->passport ? sonde_passport_mountain(mountain->passport) : NULL;
    if (!mountain->series)
        return -ENOMEM;
    error = take_machine(mountain, root);
    return error ? error : take_grid(mountain, root);
}

int sonde_passport_recognise_mountain(const char *text, size_t length)
{
    size_t start = 0;

    while (start < length && strchr(" \t\r\n", text[start]))
        start++;
    if (start == length || text[start] != '{')
        return 0;
    return sonde_passport_foreign_has(text, length, "\"throughput\"") &&
                   sonde_passport_foreign_has(text, length, "\"sizes\"") &&
                   sonde_passport_foreign_has(text, length, "\"strides\"") &&
                   !sonde_passport_foreign_has(text, length, "\"schema\"")
               ? 90
               : 0;
}

int sonde_passport_read_mountain(struct passport_list *list, const char *text,
                                 size_t length, const char *origin, struct message *why)
{
    struct mountain mountain = {0};
    json_error_t fault;
    json_t *root;
    int error =
        sonde_passport_foreign_open(&mountain.foreign, list, text, length, origin, why);

    if (error)
        return error;
    mountain.text = mountain.foreign.copy;
    root = json_loads(mountain.text, JSON_REJECT_DUPLICATES, &fault);
    if (root) {
        error = take_root(&mountain, root);
    } else {
        mountain.foreign.line = fault.line > 0 ? (size_t)fault.line : 1;
        error = sonde_passport_foreign_fail(&mountain.foreign, "no JSON: %s", fault.text);
    }
    json_decref(root);
    return sonde_passport_foreign_close(&mountain.foreign, error, "mountain");
}
