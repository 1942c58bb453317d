/* Advice: what findings mean for a program. Tables of rules, one row each: what it
 * stands on, when it holds, and the sentence. */
#ifndef SONDE_REPORT_ADVICE_H
#define SONDE_REPORT_ADVICE_H

#include "base/text.h"
#include "passport/passport.h"

#include <stdbool.h>
#include <stddef.h>

enum { ADVICE_EVIDENCE_MAX = 12 };

/* What a rule stands on in one passport. */
struct advice_evidence {
    const struct passport *passport;
    /* In the order of the rule's names; NULL: not measured, or not sure enough. */
    const struct finding *of[ADVICE_EVIDENCE_MAX];
};

struct advice_rule {
    const char *name; /* "pad", unique */
    /* Findings; "?" before a name: it adds to the sentence and may be missing. */
    const char *evidence[ADVICE_EVIDENCE_MAX];
    bool leads;    /* one of the sentences that matter most */
    bool emulated; /* says nothing of hardware, so it holds under an emulator too */
    /* Is it worth saying? NULL: the evidence is enough. */
    bool (*holds)(const struct advice_evidence *evidence);
    void (*say)(const struct advice_evidence *evidence, struct text *out);
};

/* The rules, in the order in which their sentences are shown; NULL: beyond the last. */
const struct advice_rule *sonde_report_advice_at(size_t index);
/* NULL: no such rule. */
const struct advice_rule *sonde_report_advice_rule(const char *name);
/* May a sentence stand on it? It is measured, was seen, and is more likely right than
 * wrong, unless it is shown as a range, which carries its doubt along. */
bool sonde_report_advice_stands(const struct finding *finding);
/* Appends the sentence of `rule` for this passport; false: its evidence does not hold,
 * and nothing was appended. */
bool sonde_report_advice_apply(const struct advice_rule *rule,
                               const struct passport *passport, struct text *out);

/* The distance in bytes at which the data of two threads surely cost each other nothing:
 * the far end of the granule, and at least a line (NULL: unknown). */
double sonde_report_safe_distance(const struct finding *granule,
                                  const struct finding *line);

/* --- advice_symptoms.c: what to suspect ------------------------------------------------
 */

void sonde_report_suspect_size(const struct advice_evidence *evidence, struct text *out);
void sonde_report_suspect_threads(const struct advice_evidence *evidence,
                                  struct text *out);
void sonde_report_suspect_moments(const struct advice_evidence *evidence,
                                  struct text *out);

#endif
