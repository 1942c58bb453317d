/* Passports built by hand, for the tests of JSON and of the terminal: everything in them
 * is known, so what comes out can be held against it. */
#ifndef SONDE_TESTS_UNIT_SAMPLE_H
#define SONDE_TESTS_UNIT_SAMPLE_H

#include "passport/passport.h"

/* All of it known: levels, contradictions, failed controls, warnings, traps; a series
 * with samples and every flag. `kind` NULL: all cores alike. */
struct passport *sample_full(struct passport_list *list, const char *kind);
/* The same findings, and none could be measured. */
struct passport *sample_unmeasured(struct passport_list *list);
/* Strings no one should have to print: controls, escapes, quotes, broken UTF-8,
 * right-to-left marks, and very long words; names that occur twice. */
struct passport *sample_hostile(struct passport_list *list);

#endif
