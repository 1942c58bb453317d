/* The table of declared facts: what each source says, grouped by fact.
 *
 *     fact        source         value
 *     l3.size     sysfs          32 MiB
 *                 sysconf      ✗ 256 MiB · 8 times the 32 MiB that ...
 *
 * The value comes last, so that it and its note may be as long as they are: they wrap
 * under themselves at the width of the terminal. Marks: ✗ implausible, ≠ another value
 * than the one most witnesses give, ? unknown (x, !, ? without UTF-8).
 *
 * What can fool it: texts come from files of the machine (or of a captured tree that
 * anyone may have made), so control characters and broken UTF-8 are replaced before they
 * reach a terminal. Width is counted in code points; double-width characters would break
 * the layout, not the content. */
#include "base/text.h"
#include "base/units.h"
#include "report/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_MAX_WIDTH = 22,
    SOURCE_MAX_WIDTH = 18,
    VALUE_MIN_WIDTH = 16, /* narrower terminals get lines that are too long */
};

enum mark { MARK_NONE, MARK_DIFFERS, MARK_UNKNOWN, MARK_IMPLAUSIBLE, MARK_COUNT };

static const struct {
    const char *utf8, *ascii, *colour, *meaning;
} marks[MARK_COUNT] = {
    {" ", " ", "", ""},
    {"≠", "!", "\033[33m", "sources disagree"},
    {"?", "?", "\033[2m", "unknown"},
    {"✗", "x", "\033[31m", "implausible"},
};

struct table {
    const struct facts *facts;
    const struct report_style *style;
    struct text *out;
    size_t name_width, source_width, value_width;
    size_t counts[MARK_COUNT];
};

/* --- text that is fit for a terminal
 * ---------------------------------------------------- */

/* Length of the well-formed UTF-8 sequence at `s` that is no control; 0: none. */
static size_t sequence_length(const unsigned char *s)
{
    if (s[0] >= 0x20 && s[0] < 0x7f)
        return 1;
    size_t length = s[0] >= 0xc2 && s[0] < 0xe0   ? 2
                    : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                    : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                                  : 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if (length == 2 && s[0] == 0xc2 && s[1] < 0xa0) /* C1 controls */
        return 0;
    return length;
}

static void append_clean(struct text *to, const char *text, bool utf8)
{
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t length = sequence_length(s);
        if (length == 1 || (length > 1 && utf8))
            sonde_base_text_append(to, (const char *)s, length);
        else
            sonde_base_text_append(to, *s == '\t' ? " " : "?", 1);
        s += length ? length : 1;
    }
}

static size_t width_of(const char *text, size_t bytes)
{
    size_t width = 0;
    for (size_t i = 0; i < bytes && text[i]; i++)
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

/* Text, cut or padded to `width`, and two spaces. */
static void put_cell(struct table *table, const char *text, size_t width)
{
    struct text clean = {0};
    append_clean(&clean, text, table->style->utf8);
    const char *data = clean.data ? clean.data : "";
    size_t bytes = 0, used = 0;
    while (data[bytes] && (used < width || ((unsigned char)data[bytes] & 0xc0) == 0x80))
        used += ((unsigned char)data[bytes++] & 0xc0) != 0x80;
    sonde_base_text_print(table->out, "%.*s%*s", (int)bytes, data,
                          (int)(width - used) + 2, "");
    table->out->failed |= clean.failed;
    sonde_base_text_free(&clean);
}

/* --- one row
 * -------------------------------------------------------------------------------- */

/* Several rows of these are different things, not different opinions. */
static bool comparable(const char *name)
{
    return strcmp(name, "memory.limit") != 0;
}

static enum mark mark_of(const struct facts *facts, const struct fact *fact)
{
    if (fact->status == FACT_IMPLAUSIBLE)
        return MARK_IMPLAUSIBLE;
    if (fact->status == FACT_UNKNOWN)
        return MARK_UNKNOWN;
    if (isnan(fact->value) || !comparable(fact->name))
        return MARK_NONE;
    struct declaration declared = sonde_machine_declared(facts, fact->name);
    return declared.disagreement && fact->value != declared.value ? MARK_DIFFERS
                                                                  : MARK_NONE;
}

/* "0-3 (4)", "32 KiB", "AMD EPYC", "unknown"; then the note. */
static void compose(struct text *cell, const struct fact *fact, bool utf8)
{
    if (fact->status == FACT_UNKNOWN)
        sonde_base_text_print(cell, "unknown");
    else if (fact->text)
        append_clean(cell, fact->text, utf8);
    if (fact->text && !isnan(fact->value))
        sonde_base_text_print(cell, " (%s)",
                              sonde_base_format_number(fact->value, 6).text);
    else if (!fact->text && fact->status != FACT_UNKNOWN)
        append_clean(cell, sonde_base_format_unit(fact->value, fact->unit).text, utf8);
    if (fact->note && *fact->note) {
        sonde_base_text_print(cell, utf8 ? " · " : "; ");
        append_clean(cell, fact->note, utf8);
    }
}

/* Bytes of the longest run of whole words within `width`, at least one character. */
static size_t line_bytes(const char *text, size_t width)
{
    size_t bytes = 0, used = 0, last_space = 0;
    while (text[bytes]) {
        bool start = ((unsigned char)text[bytes] & 0xc0) != 0x80;
        if (start && used == width)
            break;
        if (text[bytes] == ' ')
            last_space = bytes;
        used += start;
        bytes++;
    }
    if (!text[bytes] || text[bytes] == ' ')
        return bytes;
    return last_space ? last_space : bytes;
}

static void put_line(struct table *table, const char *text, size_t bytes,
                     const char *colour)
{
    bool paint = table->style->colour && *colour;
    sonde_base_text_print(table->out, "%s%.*s%s\n", paint ? colour : "", (int)bytes, text,
                          paint ? "\033[0m" : "");
}

static void put_value(struct table *table, const struct fact *fact, enum mark mark)
{
    struct text cell = {0};
    compose(&cell, fact, table->style->utf8);
    const char *rest = cell.data ? cell.data : "";
    size_t indent = table->name_width + 2 + table->source_width + 2 + 2;
    const char *colour = marks[mark].colour;
    bool paint = table->style->colour && *colour;
    sonde_base_text_print(table->out, "%s%s%s ", paint ? colour : "",
                          table->style->utf8 ? marks[mark].utf8 : marks[mark].ascii,
                          paint ? "\033[0m" : "");
    do {
        size_t bytes = line_bytes(rest, table->value_width);
        put_line(table, rest, bytes, colour);
        rest += bytes;
        rest += strspn(rest, " ");
        if (*rest)
            sonde_base_text_print(table->out, "%*s", (int)indent, "");
    } while (*rest);
    table->out->failed |= cell.failed;
    sonde_base_text_free(&cell);
}

static void put_row(struct table *table, const struct fact *fact, bool first)
{
    enum mark mark = mark_of(table->facts, fact);
    table->counts[mark]++;
    put_cell(table, first ? fact->name : "", table->name_width);
    put_cell(table, fact->source, table->source_width);
    put_value(table, fact, mark);
}

/* --- the whole
 * ------------------------------------------------------------------------------- */

static size_t clamp(size_t width, size_t most)
{
    return width < most ? width : most;
}

static void measure(struct table *table)
{
    table->name_width = strlen("fact");
    table->source_width = strlen("source");
    for (size_t i = 0; i < table->facts->count; i++) {
        const struct fact *fact = &table->facts->rows[i];
        size_t name = width_of(fact->name, strlen(fact->name));
        size_t source = width_of(fact->source, strlen(fact->source));
        if (name > table->name_width)
            table->name_width = clamp(name, NAME_MAX_WIDTH);
        if (source > table->source_width)
            table->source_width = clamp(source, SOURCE_MAX_WIDTH);
    }
    size_t left = table->name_width + table->source_width + 6;
    table->value_width = table->style->columns > left + VALUE_MIN_WIDTH
                             ? table->style->columns - left
                             : VALUE_MIN_WIDTH;
}

/* The order in which a reader looks for things, by the start of the name; what is not
 * listed comes last, as found. */
static const char *const order[] = {"l1i.",  "l1d.",     "l2",   "l3",    "l4",  "llc",
                                    "line.", "page.",    "huge", "thp.",  "tlb", "dtlb",
                                    "itlb",  "address.", "cpu.", "cpus.", "smt", "memory",
                                    "numa.", "kernel",   "isa",  ""};

static size_t rank_of(const char *name)
{
    size_t rank = 0;
    while (strncmp(name, order[rank], strlen(order[rank])) != 0)
        rank++;
    return rank;
}

/* All rows of one name, at the place of the first of them. */
static void put_group(struct table *table, size_t index)
{
    const struct fact *rows = table->facts->rows;
    for (size_t i = 0; i < index; i++)
        if (strcmp(rows[i].name, rows[index].name) == 0)
            return; /* shown with the first */
    for (size_t i = index; i < table->facts->count; i++)
        if (strcmp(rows[i].name, rows[index].name) == 0)
            put_row(table, &rows[i], i == index);
}

static void put_legend(struct table *table)
{
    const char *gap = "\n";
    for (enum mark mark = MARK_IMPLAUSIBLE; mark > MARK_NONE; mark--) {
        if (!table->counts[mark])
            continue;
        sonde_base_text_print(table->out, "%s%s %s: %zu", gap,
                              table->style->utf8 ? marks[mark].utf8 : marks[mark].ascii,
                              marks[mark].meaning, table->counts[mark]);
        gap = "   ";
    }
    if (*gap != '\n')
        sonde_base_text_print(table->out, "\n");
}

int sonde_report_facts(const struct facts *facts, const struct report_style *style,
                       struct text *out)
{
    struct table table = {.facts = facts, .style = style, .out = out};
    if (facts->count == 0) {
        sonde_base_text_print(out, "no facts are known\n");
        return out->failed ? -ENOMEM : 0;
    }
    measure(&table);
    put_cell(&table, "fact", table.name_width);
    put_cell(&table, "source", table.source_width);
    sonde_base_text_print(out, "  value\n");
    for (size_t rank = 0; rank < sizeof order / sizeof *order; rank++)
        for (size_t i = 0; i < facts->count; i++)
            if (rank_of(facts->rows[i].name) == rank)
                put_group(&table, i);
    put_legend(&table);
    return out->failed ? -ENOMEM : 0;
}
