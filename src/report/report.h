/* Ways to show passports: one file and one row of reports.def each. A report reads
 * passports and knows neither probes nor clocks. */
#ifndef SONDE_REPORT_REPORT_H
#define SONDE_REPORT_REPORT_H

#include "base/text.h"
#include "passport/passport.h"

#include <stdbool.h>
#include <stddef.h>

struct report_style {
    unsigned columns; /* width of the terminal; 80 when it is none */
    bool colour, utf8;
    bool verbose; /* all of it, where a report would show the most important alone */
};

struct report {
    const char *name; /* "terminal", "json", ... */
    const char *summary;
    int (*write)(const struct passport_list *list, const struct report_style *style,
                 struct text *out, struct message *why);
};
const struct report *sonde_reports(size_t *count);
const struct report *sonde_report_find(const char *name);

/* --- terminal.c
 * -------------------------------------------------------------------------- */

/* The passport that fits a screen or two; several side by side where kinds of core
 * differ. Of few probes all is shown; of many, the findings that names.def calls KEY,
 * what is contradicted, and the sentences that lead, unless the style is verbose. */
int sonde_report_terminal(const struct passport_list *list,
                          const struct report_style *style, struct text *out,
                          struct message *why);
/* The cliffs of one slice of the mountain that the passport holds, if any: `*mountains`
 * then counts one more. `words` of 8 bytes are its stride. -ENOENT, naming the strides
 * there are, when it has no such slice.
 */
int sonde_report_slice(const struct passport *passport, double words,
                       const struct report_style *style, struct text *out,
                       size_t *mountains, struct message *why);
/* The table of declared facts, by source, disagreements and implausible rows marked. */
int sonde_report_facts(const struct facts *facts, const struct report_style *style,
                       struct text *out);

#endif
