/* The documentation's text on a terminal: the little Markdown that it is written in.
 *
 * A blank line ends a paragraph; "* " begins an item, whose further lines are indented by
 * two; four spaces behind a blank line are an example, shown as it is; "|" is a row of a
 * table. `code`, *emphasis* and **names** become inks. What can fool it: Markdown that is
 * not among these is shown as its source, which people can read. */
#include "report/method.h"

#include <string.h>

struct drawing {
    struct canvas *canvas;
    struct text paragraph;
    const char *lead;
};

/* --- one paragraph ---------------------------------------------------------------------
 */

/* Where the sign at `at` ends what it begins: a closing one with no space before it. */
static const char *closing(const char *at, const char *sign, size_t length)
{
    const char *end = at + length;

    if (!*end || *end == ' ')
        return NULL;
    while ((end = strstr(end, sign))) {
        if (end[-1] != ' ' && end != at + length)
            return end;
        end += length;
    }
    return NULL;
}

static const struct mark {
    const char *sign, *ink;
} marks[] = {{"`", INK_BAR}, {"**", INK_BOLD}, {"*", INK_BOLD}};

/* Appends what a mark at `at` encloses; answers the byte behind it, NULL: no mark. */
static const char *put_marked(struct text *out, const char *at)
{
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        size_t length = strlen(marks[i].sign);
        const char *end = strncmp(at, marks[i].sign, length) == 0
                              ? closing(at, marks[i].sign, length)
                              : NULL;

        if (!end)
            continue;
        sonde_base_text_print(out, "%s%.*s%s", marks[i].ink,
                              (int)(end - at - (int)length), at + length, INK_PLAIN);
        return end + length;
    }
    return NULL;
}

/* What begins a line of its own, since it is what people look for. */
static bool opens_line(const char *at)
{
    static const char *const openings[] = {"*Control:*", "*What fools it:*",
                                           "Control: ", "*What fools it*"};

    for (size_t i = 0; i < sizeof openings / sizeof openings[0]; i++)
        if (strncmp(at, openings[i], strlen(openings[i])) == 0)
            return true;
    return false;
}

static void put_line(struct drawing *drawing, struct text *line)
{
    if (line->data && !line->failed)
        sonde_report_wrap(drawing->canvas, drawing->lead, line->data);
    drawing->lead = strlen(drawing->lead) > 2 ? "    " : "  ";
    drawing->canvas->out->failed = drawing->canvas->out->failed || line->failed;
    sonde_base_text_free(line);
}

static void end_paragraph(struct drawing *drawing)
{
    struct text line = {0};
    const char *at = drawing->paragraph.data, *next;

    for (; at && *at; at = next) {
        if (line.length && opens_line(at))
            put_line(drawing, &line);
        next = put_marked(&line, at);
        if (next)
            continue;
        sonde_base_text_append(&line, at, 1);
        next = at + 1;
    }
    put_line(drawing, &line);
    drawing->canvas->out->failed =
        drawing->canvas->out->failed || drawing->paragraph.failed;
    sonde_base_text_free(&drawing->paragraph);
    drawing->lead = "  ";
}

/* --- lines of the source ---------------------------------------------------------------
 */

/* As it is where it fits; columns that would be cut are given up. */
static void put_example(struct drawing *drawing, const char *line, size_t length)
{
    struct text text = {0};

    sonde_base_text_print(&text, "    " INK_DIM "%.*s" INK_PLAIN, (int)length - 4,
                          line + 4);
    if (text.failed)
        drawing->canvas->out->failed = true;
    else if (sonde_report_width(text.data) <= drawing->canvas->columns)
        sonde_report_line(drawing->canvas, text.data);
    else
        sonde_report_wrap(drawing->canvas, "    ", text.data);
    sonde_base_text_free(&text);
}

/* A row of a table as an item, its cells apart; the rule below the head is left out. */
static void put_row(struct drawing *drawing, const char *line, size_t length)
{
    const char *end = line + length;
    bool first = true;

    end_paragraph(drawing);
    drawing->lead = "  - ";
    if (strspn(line, "|-: ") >= length)
        return;
    for (line++; line < end; first = false) {
        size_t cell = strcspn(line, "|\n");

        if (line + cell >= end)
            break;
        sonde_base_text_print(&drawing->paragraph,
                              first && line[1] != '`' ? "**%.*s** " : "%.*s ",
                              (int)cell - 2, line + 1);
        line += cell + 1;
    }
    end_paragraph(drawing);
}

static void put_text(struct drawing *drawing, const char *line, size_t length)
{
    bool item = strncmp(line, "* ", 2) == 0;
    size_t skip = item ? 2 : strspn(line, " ");

    if (item) {
        end_paragraph(drawing);
        drawing->lead = "  - ";
    }
    sonde_base_text_print(&drawing->paragraph, "%s%.*s",
                          drawing->paragraph.length ? " " : "", (int)(length - skip),
                          line + skip);
}

void sonde_report_method_draw(struct canvas *canvas, const struct method_section *section)
{
    struct drawing drawing = {canvas, {0}, "  "};
    const char *line = section->body, *end = line + section->body_length;
    size_t before = canvas->out->length;
    bool blank = true, example = false;

    for (size_t length; line < end; line += length + 1) {
        length = strcspn(line, "\n");
        if (length == 0) {
            end_paragraph(&drawing);
            blank = true;
            continue;
        }
        if (blank && canvas->out->length > before)
            sonde_report_line(canvas, "");
        example = strncmp(line, "    ", 4) == 0 && (blank || example);
        if (example)
            put_example(&drawing, line, length);
        else if (*line == '|')
            put_row(&drawing, line, length);
        else
            put_text(&drawing, line, length);
        blank = false;
    }
    end_paragraph(&drawing);
}
