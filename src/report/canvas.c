/* Lines of a terminal.
 *
 * A line leaves character by character: inks become escape sequences or nothing,
 * characters stay or become ASCII of the same width, and what cannot be printed becomes a
 * question mark. What can fool it: a terminal that draws a sign wider than base/utf8.c
 * believes. */
#include "report/canvas.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_LEAST = 60, COLUMNS_MOST = 200, INK_FIRST = 0xf8f0, INK_COUNT = 7 };

struct canvas sonde_report_canvas(const struct report_style *style, struct text *out)
{
    unsigned columns = style->columns;

    columns = columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns;
    columns = columns > COLUMNS_MOST ? COLUMNS_MOST : columns;
    return (struct canvas){out, columns, style->colour, style->utf8};
}

static bool is_ink(uint32_t code)
{
    return code >= INK_FIRST && code < INK_FIRST + INK_COUNT;
}

static size_t columns_of(uint32_t code)
{
    int columns = is_ink(code) ? 0 : sonde_base_utf8_columns(code);

    return columns < 0 ? 1 : (size_t)columns;
}

size_t sonde_report_width(const char *text)
{
    size_t columns = 0, length;
    uint32_t code;

    for (; (length = sonde_base_utf8_decode(text, &code)) > 0; text += length)
        columns += columns_of(code);
    return columns;
}

void sonde_report_cut(struct text *out, const char *text, size_t columns)
{
    size_t used = 0, taken = 0, length;
    uint32_t code;

    if (sonde_report_width(text) <= columns) {
        sonde_base_text_append(out, text, strlen(text));
        return;
    }
    while ((length = sonde_base_utf8_decode(text + used, &code)) > 0 &&
           taken + columns_of(code) < columns) {
        taken += columns_of(code);
        used += length;
    }
    sonde_base_text_append(out, text, used);
    sonde_base_text_print(out, "…");
}

/* --- one character --------------------------------------------------------------------
 */

static const char *ascii_of(uint32_t code)
{
    static const struct {
        uint32_t code;
        const char *ascii;
    } pairs[] = {
        {0xa0, " "},   {0xb1, "~"},   {0xb5, "u"},   {0xb7, "-"},   {0xd7, "x"},
        {0x2013, "-"}, {0x2014, "-"}, {0x2018, "'"}, {0x2019, "'"}, {0x2026, "."},
        {0x2192, ">"}, {0x2713, "+"}, {0x2717, "x"}, {0x2588, "#"}, {0x2589, "#"},
        {0x258a, "#"}, {0x258b, "#"}, {0x258c, "#"}, {0x258d, "-"}, {0x258e, "-"},
        {0x258f, "-"}, {0x2591, "."}, {0x2592, ":"}, {0x2593, "+"},
    };

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i].code == code)
            return pairs[i].ascii;
    return columns_of(code) == 2 ? "??" : columns_of(code) == 1 ? "?" : "";
}

static void put_ink(struct canvas *canvas, uint32_t code)
{
    static const char *const escapes[INK_COUNT] = {
        "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[31m", "\x1b[33m", "\x1b[36m",
    };

    if (canvas->colour)
        sonde_base_text_print(canvas->out, "%s", escapes[code - INK_FIRST]);
}

static void put_code(struct canvas *canvas, uint32_t code, const char *bytes,
                     size_t length)
{
    if (is_ink(code))
        put_ink(canvas, code);
    else if (code == '\n' || code == '\t' || code == '\r' || code == 0xa0)
        sonde_base_text_append(canvas->out, " ", 1);
    else if (sonde_base_utf8_columns(code) < 0)
        sonde_base_text_append(canvas->out, "?", 1);
    else if (code < 0x80 || canvas->utf8)
        sonde_base_text_append(canvas->out, bytes, length);
    else
        sonde_base_text_print(canvas->out, "%s", ascii_of(code));
}

/* At most `bytes` bytes of `text`, and no more than `room` columns; answers the bytes. */
static size_t put_some(struct canvas *canvas, const char *text, size_t bytes, size_t room)
{
    size_t used = 0, columns = 0, length;
    uint32_t code;

    while (used < bytes && (length = sonde_base_utf8_decode(text + used, &code)) > 0) {
        columns += columns_of(code);
        if (columns > room)
            break;
        put_code(canvas, code, text + used, length);
        used += length;
    }
    return used;
}

/* --- lines ----------------------------------------------------------------------------
 */

void sonde_report_line(struct canvas *canvas, const char *text)
{
    size_t bytes = strlen(text);

    while (bytes > 0 && text[bytes - 1] == ' ')
        bytes--;
    if (sonde_report_width(text) <= canvas->columns) {
        put_some(canvas, text, bytes, canvas->columns);
    } else {
        put_some(canvas, text, bytes, canvas->columns - 1);
        put_some(canvas, "…", 3, 1);
        put_some(canvas, INK_PLAIN, 3, 1);
    }
    sonde_base_text_append(canvas->out, "\n", 1);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Width of the `bytes` bytes of a word. */
static size_t word_width(const char *word, size_t bytes)
{
    size_t columns = 0, length;
    uint32_t code;

    for (size_t used = 0; used < bytes; used += length) {
        length = sonde_base_utf8_decode(word + used, &code);
        if (length == 0)
            break;
        columns += columns_of(code);
    }
    return columns;
}

struct paragraph {
    struct canvas *canvas;
    size_t indent, column; /* column: where the next character goes */
};

static void next_line(struct paragraph *paragraph)
{
    sonde_base_text_print(paragraph->canvas->out, "\n%*s", (int)paragraph->indent, "");
    paragraph->column = paragraph->indent;
}

static void put_word(struct paragraph *paragraph, const char *word, size_t bytes)
{
    struct canvas *canvas = paragraph->canvas;
    size_t width = word_width(word, bytes);

    if (width > 0 && paragraph->column > paragraph->indent) {
        if (paragraph->column + 1 + width > canvas->columns) {
            next_line(paragraph);
        } else {
            sonde_base_text_append(canvas->out, " ", 1);
            paragraph->column++;
        }
    }
    while (bytes > 0) {
        size_t room = canvas->columns - paragraph->column;
        size_t used = put_some(canvas, word, bytes, room);

        paragraph->column += word_width(word, used);
        word += used;
        bytes -= used;
        if (bytes > 0)
            next_line(paragraph);
    }
}

void sonde_report_wrap(struct canvas *canvas, const char *lead, const char *text)
{
    struct paragraph paragraph = {.canvas = canvas};

    put_some(canvas, lead, strlen(lead), canvas->columns / 2);
    paragraph.indent = sonde_report_width(lead);
    if (paragraph.indent > canvas->columns / 2)
        paragraph.indent = canvas->columns / 2;
    paragraph.column = paragraph.indent;
    while (*text) {
        size_t bytes = 0;

        while (is_space(*text))
            text++;
        while (text[bytes] && !is_space(text[bytes]))
            bytes++;
        if (bytes)
            put_word(&paragraph, text, bytes);
        text += bytes;
    }
    sonde_base_text_append(canvas->out, "\n", 1);
}

void sonde_report_say(struct canvas *canvas, const char *lead, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    if (text)
        sonde_report_wrap(canvas, lead, text);
    else
        canvas->out->failed = true;
    free(text);
}

void sonde_report_heading(struct canvas *canvas, const char *text)
{
    sonde_base_text_append(canvas->out, "\n", 1);
    sonde_report_say(canvas, INK_BOLD, "%s" INK_PLAIN, text);
}
