/* What inference concludes, and the controls beside it. Pure data: no room below this one
 * judges, and nothing here knows where the numbers came from. */
#ifndef SONDE_INFER_FINDING_H
#define SONDE_INFER_FINDING_H

#include <stdbool.h>
#include <stddef.h>

enum verdict {
    VERDICT_UNDECLARED, /* nothing declares it */
    VERDICT_AGREES,     /* the declared value lies in the interval */
    VERDICT_CONTRADICTS,
    VERDICT_NOT_SEEN,       /* declared, and the measurement shows no such step */
    VERDICT_NOT_MEASURABLE, /* and `reason` says why */
};
/* "agrees", "contradicts", "undeclared", "not_seen", "not_measurable". */
const char *sonde_infer_verdict_name(enum verdict verdict);
/* -EINVAL for an unknown name. */
int sonde_infer_verdict_parse(const char *name, enum verdict *verdict);

struct finding {
    char *name;        /* "l1d.size" */
    const char *unit;  /* "bytes", "ns", "cycles", "count", "ratio", "hz", "" */
    double value;      /* NaN: null */
    double low, high;  /* NaN: null */
    double confidence; /* 0 to 1; NaN: null */
    double declared;   /* what it was judged against; NaN: nothing */
    enum verdict verdict;
    char *text;   /* for findings that are no number ("exclusive"); or NULL */
    char *method; /* how it was found, one clause */
    char *reason; /* why the verdict, why unknown, what limits it; or NULL */
};

struct control {
    char *what;     /* the experiment: "stride 128 B gives the same boundary in bytes" */
    char *expected; /* in words and numbers */
    char *observed;
    bool ok;
};

struct findings {
    struct finding *rows;
    size_t count, capacity;
    struct control *controls;
    size_t control_count, control_capacity;
};

void sonde_infer_findings_free(struct findings *findings);

/* Appends a finding with interval; text is copied, `unit` must be a literal. NULL: out of
 * memory. Start with verdict UNDECLARED; sonde_infer_judge() settles it. */
struct finding *sonde_infer_find(struct findings *findings, const char *name,
                                 const char *unit, double value, double low, double high,
                                 double confidence, const char *method);
/* A finding that is no number; the text is copied. NULL: out of memory. */
struct finding *sonde_infer_find_text(struct findings *findings, const char *name,
                                      const char *text, double confidence,
                                      const char *method);
/* A finding without value: not_measurable, and why (printf format). */
__attribute__((format(printf, 4, 5))) struct finding *
sonde_infer_give_up(struct findings *findings, const char *name, const char *unit,
                    const char *format, ...);
/* Sets or replaces the reason (printf format). */
__attribute__((format(printf, 2, 3))) void sonde_infer_explain(struct finding *finding,
                                                               const char *format, ...);
/* Says how it was found after all (the text is copied), and drops the reason. False: out
 * of memory. */
bool sonde_infer_found_by(struct finding *finding, const char *method);
__attribute__((format(printf, 5, 6))) struct control *
sonde_infer_control(struct findings *findings, bool ok, const char *what,
                    const char *expected, const char *observed_format, ...);
const struct finding *sonde_infer_finding_get(const struct findings *findings,
                                              const char *name);

/* Holds a finding against a declared value (NaN: none): within the interval widened by
 * `tolerance` (a ratio, such as 0.05) it agrees, outside it contradicts. A finding
 * without value stays as it is; a range that is not sure (below 0.7) contradicts only
 * what lies outside by a factor of four. One that was held against something already
 * (`declared` is set) keeps its verdict where nothing else is declared. */
void sonde_infer_judge(struct finding *finding, double declared, double tolerance);

#endif
