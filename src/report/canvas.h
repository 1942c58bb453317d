/* Lines of a terminal: width, wrapping, colour, and ASCII where there is no UTF-8.
 *
 * Everything is composed in UTF-8 with inks between the words; only when a line leaves is
 * it turned into what the style allows. So layout is the same with and without colour,
 * and in ASCII. Whatever a string holds, no control character reaches the terminal. */
#ifndef SONDE_REPORT_CANVAS_H
#define SONDE_REPORT_CANVAS_H

#include "base/text.h"
#include "report/report.h"

#include <stdbool.h>
#include <stddef.h>

/* Inks, as code points of the private use area: they take no room. */
#define INK_PLAIN "\xef\xa3\xb0" /* U+F8F0 and on */
#define INK_BOLD  "\xef\xa3\xb1"
#define INK_DIM   "\xef\xa3\xb2"
#define INK_GOOD  "\xef\xa3\xb3"
#define INK_BAD   "\xef\xa3\xb4"
#define INK_WARN  "\xef\xa3\xb5"
#define INK_BAR   "\xef\xa3\xb6"

/* A space that does not end a line. */
#define GLUE "\xc2\xa0"

struct canvas {
    struct text *out;
    unsigned columns; /* 60 to 200 */
    bool colour, utf8;
};

struct canvas sonde_report_canvas(const struct report_style *style, struct text *out);
/* Columns that `text` takes. */
size_t sonde_report_width(const char *text);
/* Appends `text`, cut with an ellipsis where it takes more than `columns`. */
void sonde_report_cut(struct text *out, const char *text, size_t columns);
/* One line, cut with an ellipsis where it is too wide. */
void sonde_report_line(struct canvas *canvas, const char *text);
/* A paragraph: `lead`, then `text` wrapped beside it. Words wider than a line are broken.
 */
void sonde_report_wrap(struct canvas *canvas, const char *lead, const char *text);
/* The same with printf's format for the text. */
__attribute__((format(printf, 3, 4))) void
sonde_report_say(struct canvas *canvas, const char *lead, const char *format, ...);
/* An empty line and a heading. */
void sonde_report_heading(struct canvas *canvas, const char *text);

#endif
