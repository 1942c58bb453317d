/* Exports: a passport's numbers in the form another tool reads, one file and one row of
 * export.def each.
 *
 * Two kinds. Tables (csv, markdown, openmetrics, hwloc-xml, mountain) show all that the
 * passports hold. Settings (gcc, glibc, c-header, cmake, env, kerncraft) hold one value a
 * name, which the sheet chooses: a measured one before a declared one, and of several
 * passports the one that is safe on all of them. Either way each value says whether it
 * was measured or is only declared, and what is unknown is left out. */
#ifndef SONDE_REPORT_EXPORT_H
#define SONDE_REPORT_EXPORT_H

#include "base/text.h"
#include "base/units.h"
#include "passport/passport.h"

#include <stdbool.h>
#include <stddef.h>

struct export_kind {
    const char *name; /* "gcc", "c-header" */
    const char *summary;
    /* Appends to `out`. 0; -ENODATA with one line when the passports hold nothing that
     * this form could carry; -ENOMEM. */
    int (*write)(const struct passport_list *list, struct text *out, struct message *why);
};
const struct export_kind *sonde_report_exports(size_t *count);
const struct export_kind *sonde_report_export_find(const char *name);

/* --- export_sheet.c: one value a name ------------------------------------------------
 */

enum export_origin { ORIGIN_UNKNOWN, ORIGIN_MEASURED, ORIGIN_DECLARED };
/* "measured", "declared", "unknown". */
const char *sonde_report_origin_name(enum export_origin origin);

struct sheet_row {
    const char *key;  /* "l1d_size": in capitals and behind SONDE_ it is a macro */
    const char *unit; /* "bytes", "ns", "cycles", "count", "hz" */
    const char *finding;
    const char *facts[2]; /* NULL where fewer */
    bool largest; /* of several passports the largest is safe; otherwise the smallest */
};

struct sheet_value {
    double value; /* NaN: unknown */
    enum export_origin origin;
    char source[112]; /* "measured, 97 % sure"; "declared by sysfs (5 witnesses)" */
};

const struct sheet_row *sonde_report_sheet(size_t *count);
/* The value of a row: of one passport, or the safe one of all. */
struct sheet_value sonde_report_sheet_one(const struct passport *passport,
                                          const struct sheet_row *row);
struct sheet_value sonde_report_sheet_value(const struct passport_list *list,
                                            const struct sheet_row *row);
/* The same by key; unknown where there is no such row. */
struct sheet_value sonde_report_sheet_find(const struct passport_list *list,
                                           const char *key);
/* Calls `put` for each row whose value is known; whether there was any. */
bool sonde_report_sheet_each(const struct passport_list *list, struct text *out,
                             void (*put)(const struct sheet_row *row,
                                         const struct sheet_value *value,
                                         struct text *out));
/* A number as tools read it: whole where it is, else six digits, never an exponent. */
struct number_text sonde_report_plain_number(double value);

/* --- export_text.c: words of a passport inside other people's grammars ----------------
 */

/* "Made by sonde 0.1.0 from ...": lines, each after `lead` and before `tail`. */
void sonde_report_export_head(const struct passport_list *list, const char *lead,
                              const char *tail, struct text *out);
/* `word` for a comment of any language: printable ASCII, nothing that could end it. */
void sonde_report_put_comment(struct text *out, const char *word);
/* A field of a CSV; NULL is empty. The number: empty where it is unknown. The lead: which
 * passport, as "1,host,0,kind,". */
void sonde_report_put_csv(struct text *out, const char *word);
void sonde_report_put_csv_number(struct text *out, double value);
void sonde_report_put_csv_lead(struct text *out, const struct passport *passport,
                               size_t number);
/* The contents of an XML attribute. */
void sonde_report_put_xml(struct text *out, const char *word);
/* The same as text between tags: newlines stay. */
void sonde_report_put_xml_text(struct text *out, const char *word);
/* "SONDE_L1D_SIZE" of "l1d_size". */
void sonde_report_put_macro(struct text *out, const char *key);
/* What to answer: -ENODATA where nothing that `tool` takes was known (`any` is false). */
int sonde_report_export_end(const struct text *out, bool any, const char *tool,
                            struct message *why);

#endif
