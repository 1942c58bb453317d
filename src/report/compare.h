/* Comparing passports: sides, rows and conditions as data, and two ways to draw them. */
#ifndef SONDE_REPORT_COMPARE_H
#define SONDE_REPORT_COMPARE_H

#include "base/text.h"
#include "infer/compare.h"
#include "passport/passport.h"
#include "report/report.h"

#include <stdbool.h>
#include <stddef.h>

/* One side: the runs of a file, all kinds of core together. */
struct compare_source {
    const char *name; /* the file, as the person wrote it */
    struct passport_list list;
};

/* Kinds of core that are held against each other: those of one name; where a side has
 * only one kind, that one against whatever the other has. */
struct compare_kinds {
    bool in_a, in_b;
    const char *a, *b; /* names, borrowed; NULL: all cores alike */
};

struct compare_row {
    char *name; /* of the finding; owned */
    const char *unit;
    const struct compare_kinds *kinds;
    enum better better;
    struct comparison result;
    const char *text_a, *text_b;     /* of findings that are no number; borrowed */
    const char *reason_a, *reason_b; /* why not measured; borrowed, may be NULL */
};

struct compare_table {
    const struct compare_source *a, *b;
    struct compare_row *rows;
    size_t count;
    struct compare_kinds *kinds; /* owned */
    size_t kind_count;
    struct text conditions; /* one a line: what differs in how both were measured */
};

/* Compares all findings of both sides, kind by kind, circumstances left out. 0 or
 * -ENOMEM; free in any case. */
int sonde_report_compare(const struct compare_source *a, const struct compare_source *b,
                         struct compare_table *table);
void sonde_report_compare_free(struct compare_table *table);
/* ", performance" for a title where there are several kinds of core; "" otherwise. */
const char *sonde_report_compare_kind(const struct compare_table *table,
                                      const struct compare_row *row);
/* How much worse `b` is, in percent of `a`; 0 where it is not, or no way is better. */
double sonde_report_compare_loss(const struct compare_row *row);

/* compare_conditions.c: "pages: ... | ..." for every condition that differs. */
void sonde_report_compare_conditions(const struct compare_source *a,
                                     const struct compare_source *b, struct text *out);
/* compare_terminal.c: conditions first, then what differs; with `all` every finding. */
int sonde_report_compare_terminal(const struct compare_table *table, bool all,
                                  const struct report_style *style, struct text *out);
/* compare_junit.c: one suite a table, one case a finding; a case fails where it got worse
 * by more than `percent`. */
int sonde_report_compare_junit(const struct compare_table *tables, size_t count,
                               double percent, struct text *out);
/* compare_repeats.c: what the runs of one side repeat to. 0 or -ENOMEM. */
int sonde_report_repeats(const struct passport_list *list,
                         const struct report_style *style, struct text *out);

#endif
