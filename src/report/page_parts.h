/* The parts of the page, one file each, and the template they are set into. */
#ifndef SONDE_REPORT_PAGE_PARTS_H
#define SONDE_REPORT_PAGE_PARTS_H

#include "report/page.h"

#include <stdint.h>

/* web/ as one file, with a mark at each place that a part fills; from the build, or of
 * length 0 where it could not be built. */
extern const char sonde_report_page_template[];
extern const uint64_t sonde_report_page_length;

/* Appends `bytes` so that they are text in HTML, whatever they hold. */
void sonde_report_page_escape(struct text *out, const char *bytes);
/* For a browser without scripts: machines, findings and warnings as tables. */
void sonde_report_page_plain(const struct passport_list *list, struct text *out);
/* What the program says in words, as JSON: values with their unit, titles, advice. */
void sonde_report_page_words(const struct passport_list *list,
                             const struct page_options *options, struct text *out);

#endif
