/* docs/METHOD.md inside the program: its sections, and which of them a finding belongs
 * to. */
#ifndef SONDE_REPORT_METHOD_H
#define SONDE_REPORT_METHOD_H

#include "report/canvas.h"

#include <stdbool.h>
#include <stddef.h>

/* The documentation as it was when the program was built; a NUL follows it. */
extern const unsigned char sonde_report_method_text[];
extern const size_t sonde_report_method_length;

/* A part of the documentation, from one "## " to the next. Not NUL-terminated. */
struct method_section {
    const char *title, *body;
    size_t title_length, body_length;
};

/* Walks the sections: zeroed `section` for the first. False at the end. */
bool sonde_report_method_next(struct method_section *section);
/* The section called `name`, whatever the case, or whose title holds `name` between
 * backticks (as "sonde name", too). False: none. */
bool sonde_report_method_find(const char *name, struct method_section *section);
/* Where to read how a finding is made. */
struct method_origin {
    char section[24]; /* what sonde_report_method_find() finds */
    const char *also; /* a second one, or NULL */
    bool level;       /* the first part of the name is a level, or the star of one */
};
/* By the parts of the finding's name. False: no section knows such findings. */
bool sonde_report_method_of(const char *finding, struct method_origin *origin);
/* Draws the body: paragraphs wrapped, lists and examples as such; the control and what
 * can fool it begin lines of their own. */
void sonde_report_method_draw(struct canvas *canvas,
                              const struct method_section *section);

#endif
