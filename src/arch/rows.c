/* Rows of what a core says of itself.
 *
 * A register that holds 0 where a size is expected knows nothing: its row says so, with a
 * reason, and carries NaN. Names are literals from a table, so that a row owns nothing.
 */
#include "arch/rows.h"

#include <math.h>
#include <string.h>

static struct arch_fact *add_row(struct arch_rows *rows)
{
    struct arch_fact *row;

    if (rows->count++ >= rows->capacity)
        return NULL;
    row = &rows->facts[rows->count - 1];
    memset(row, 0, sizeof *row);
    return row;
}

void sonde_arch_rows_number(struct arch_rows *rows, const char *name, const char *source,
                            const char *unit, double value, const char *note)
{
    struct arch_fact *row = add_row(rows);

    if (row == NULL)
        return;
    row->name = name;
    row->source = source;
    row->unit = unit;
    row->value = value;
    row->note = note;
}

void sonde_arch_rows_text(struct arch_rows *rows, const char *name, const char *source,
                          const char *text, const char *note)
{
    size_t length;
    struct arch_fact *row;

    text += strspn(text, " ");
    length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (length == 0)
        return;
    row = add_row(rows);
    if (row == NULL)
        return;
    row->name = name;
    row->source = source;
    row->unit = "";
    row->value = NAN;
    row->note = note;
    if (length >= sizeof row->text)
        length = sizeof row->text - 1;
    memcpy(row->text, text, length);
}

#define CACHE_NAMES(prefix)                                                              \
    {                                                                                    \
        prefix ".size", prefix ".line", prefix ".ways", prefix ".shared_count"           \
    }

const struct arch_cache_names *sonde_arch_cache_names(unsigned level, unsigned type)
{
    static const struct arch_cache_names first = CACHE_NAMES("l1");
    static const struct arch_cache_names data[] = {CACHE_NAMES("l1d"), CACHE_NAMES("l2"),
                                                   CACHE_NAMES("l3"), CACHE_NAMES("l4")};
    static const struct arch_cache_names instructions[] = {
        CACHE_NAMES("l1i"), CACHE_NAMES("l2i"), CACHE_NAMES("l3i"), CACHE_NAMES("l4i")};

    if (level < 1 || level > 4 || type < CACHE_DATA || type > CACHE_UNIFIED)
        return NULL;
    if (type == CACHE_INSTRUCTION)
        return &instructions[level - 1];
    return type == CACHE_UNIFIED && level == 1 ? &first : &data[level - 1];
}

static double known(uint64_t value)
{
    return value != 0 ? (double)value : NAN;
}

void sonde_arch_rows_cache(struct arch_rows *rows, const char *source,
                           const struct arch_cache *cache)
{
    const struct arch_cache_names *names =
        sonde_arch_cache_names(cache->level, cache->type);
    const char *size_note = cache->size_note, *ways_note = cache->ways_note;

    if (names == NULL)
        return;
    if (size_note == NULL && cache->bytes == 0)
        size_note = "the register holds 0";
    if (ways_note == NULL && cache->ways == 0)
        ways_note = "the register holds 0";
    sonde_arch_rows_number(rows, names->size, source, "bytes", known(cache->bytes),
                           size_note);
    if (cache->bytes == 0)
        return;
    sonde_arch_rows_number(rows, names->line, source, "bytes", known(cache->line),
                           cache->line == 0 ? "the register holds 0" : NULL);
    sonde_arch_rows_number(rows, names->ways, source, "count", known(cache->ways),
                           ways_note);
    if (cache->shared != 0)
        sonde_arch_rows_number(rows, names->shared_count, source, "count",
                               (double)cache->shared,
                               "CPU numbers set aside: an upper bound");
}
