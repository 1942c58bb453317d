/* What readers of other tools' files share: lines with their numbers, refusals that name
 * both, and machines with the series of a file in them. */
#ifndef SONDE_PASSPORT_FOREIGN_H
#define SONDE_PASSPORT_FOREIGN_H

#include "passport/passport.h"

#include <stdbool.h>
#include <stddef.h>

/* A bounded excerpt of a refused cell, safe to print. */
struct excerpt {
    char text[48];
};
struct excerpt sonde_passport_excerpt(const char *cell);

struct foreign {
    struct passport_list *list;
    size_t before; /* passports that were in the list already */
    const char *origin;
    struct message *why;
    char *copy, *rest;
    char *again; /* the line to be handed out next, again; NULL: none */
    size_t line; /* number of the line handed out last, from 1 */
};

/* Begins reading `text`; 0 or -ENOMEM. */
int sonde_passport_foreign_open(struct foreign *foreign, struct passport_list *list,
                                const char *text, size_t length, const char *origin,
                                struct message *why);
/* Ends it: with a `code` below 0 the passports it added are taken back. Returns `code`,
 * with a message for -ENOMEM, and -EINVAL when nothing was added, saying that the file
 * holds no `what`. */
int sonde_passport_foreign_close(struct foreign *foreign, int code, const char *what);
/* The next line without its end, to be cut up in place; NULL: no more. */
char *sonde_passport_foreign_line(struct foreign *foreign);
/* Puts back the line handed out last, uncut: the next call gives it again. */
void sonde_passport_foreign_unread(struct foreign *foreign, char *line);
/* -EINVAL with "FILE:LINE: 'cell' what". */
int sonde_passport_foreign_refuse(struct foreign *foreign, const char *cell,
                                  const char *what);
/* -EINVAL with "FILE:LINE: " and the words. */
__attribute__((format(printf, 2, 3))) int
sonde_passport_foreign_fail(struct foreign *foreign, const char *format, ...);

/* The next word of `rest`, cut off at white space; NULL: no more. */
char *sonde_passport_foreign_word(char **rest);
/* The next cell of a line of CSV, without space and quotes around it; NULL: no more. */
char *sonde_passport_foreign_cell(char **rest);
/* A finite number above 0, or a refusal that calls it `what` ("latency"). */
int sonde_passport_foreign_number(struct foreign *foreign, const char *cell,
                                  const char *what, double *number);
/* A finite number from 0 up, or a refusal. */
int sonde_passport_foreign_amount(struct foreign *foreign, const char *cell,
                                  const char *what, double *number);
/* A size such as "48k", "2 MiB" or "4096" in bytes, or a refusal. */
int sonde_passport_foreign_size(struct foreign *foreign, const char *cell, double *bytes);

/* Does a line of `text` begin with `start`? White space before it does not count. */
bool sonde_passport_foreign_begins(const char *text, size_t length, const char *start);
bool sonde_passport_foreign_has(const char *text, size_t length, const char *needle);

/* A machine of the file, its model copied (NULL: unknown). NULL: out of memory. */
struct passport *sonde_passport_foreign_machine(struct foreign *foreign,
                                                const char *model);
/* A series in the result of `probe`, which is added when it is not there; `shape` says
 * all but the points. NULL: out of memory. */
struct series *sonde_passport_foreign_series(struct passport *passport, const char *probe,
                                             const struct series *shape);
/* A curve of latencies over size in the result of `latency`. */
struct series *sonde_passport_foreign_curve(struct passport *passport, const char *name,
                                            const char *unit);
/* One figure at (x, y): its only sample. 0 or -ENOMEM. */
int sonde_passport_foreign_point(struct series *series, double x, double y, double value);

/* A row "1024 : 0.0 ns / 0.0 ns" of tinymembench; false: it is none. */
bool sonde_passport_tinymembench_row(const char *line, double *bytes, double *above_ns);
/* The heading of its table; `huge` says whether that table is of huge pages. */
bool sonde_passport_tinymembench_heading(const char *line, bool *huge);

#endif
