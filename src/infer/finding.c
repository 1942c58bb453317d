/* Findings and controls: storage, names of verdicts, and the judgement against what the
 * machine declares.
 *
 * Values come in as doubles with NaN for unknown; text is owned by the finding. A finding
 * that could not be made is kept with its reason rather than left out: what is absent
 * cannot be told from what nobody looked for. */
#include "infer/finding.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const verdict_names[] = {
    [VERDICT_UNDECLARED] = "undeclared",         [VERDICT_AGREES] = "agrees",
    [VERDICT_CONTRADICTS] = "contradicts",       [VERDICT_NOT_SEEN] = "not_seen",
    [VERDICT_NOT_MEASURABLE] = "not_measurable",
};
enum { VERDICT_COUNT = sizeof verdict_names / sizeof *verdict_names };

const char *sonde_infer_verdict_name(enum verdict verdict)
{
    return (unsigned)verdict < VERDICT_COUNT ? verdict_names[verdict] : "not_measurable";
}

int sonde_infer_verdict_parse(const char *name, enum verdict *verdict)
{
    for (unsigned i = 0; i < VERDICT_COUNT; i++) {
        if (strcmp(name, verdict_names[i]) == 0) {
            *verdict = (enum verdict)i;
            return 0;
        }
    }
    return -EINVAL;
}

static void finding_release(struct finding *finding)
{
    free(finding->name);
    free(finding->text);
    free(finding->method);
    free(finding->reason);
}

static void control_release(struct control *control)
{
    free(control->what);
    free(control->expected);
    free(control->observed);
}

void sonde_infer_findings_free(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        finding_release(&findings->rows[i]);
    for (size_t i = 0; i < findings->control_count; i++)
        control_release(&findings->controls[i]);
    free(findings->rows);
    free(findings->controls);
    *findings = (struct findings){0};
}

/* NULL when there is no memory. */
__attribute__((format(printf, 1, 0))) static char *print(const char *format,
                                                         va_list arguments)
{
    char *text = NULL;
    return vasprintf(&text, format, arguments) < 0 ? NULL : text;
}

static bool make_room(void **rows, size_t count, size_t *capacity, size_t element)
{
    if (count < *capacity)
        return true;
    size_t wanted = *capacity ? 2 * *capacity : 8;
    void *grown = realloc(*rows, wanted * element);
    if (!grown)
        return false;
    *rows = grown;
    *capacity = wanted;
    return true;
}

struct finding *sonde_infer_find(struct findings *findings, const char *name,
                                 const char *unit, double value, double low, double high,
                                 double confidence, const char *method)
{
    void *rows = findings->rows;
    if (!make_room(&rows, findings->count, &findings->capacity, sizeof *findings->rows))
        return NULL;
    findings->rows = rows;
    struct finding finding = {
        .name = strdup(name),
        .unit = unit,
        .value = value,
        .low = low,
        .high = high,
        .confidence = confidence,
        .declared = NAN,
        .verdict = VERDICT_UNDECLARED,
        .method = method ? strdup(method) : NULL,
    };
    if (!finding.name || (method && !finding.method)) {
        finding_release(&finding);
        return NULL;
    }
    findings->rows[findings->count] = finding;
    return &findings->rows[findings->count++];
}

struct finding *sonde_infer_find_text(struct findings *findings, const char *name,
                                      const char *text, double confidence,
                                      const char *method)
{
    char *copy = strdup(text);
    struct finding *finding =
        copy ? sonde_infer_find(findings, name, "", NAN, NAN, NAN, confidence, method)
             : NULL;
    if (finding)
        finding->text = copy;
    else
        free(copy);
    return finding;
}

struct finding *sonde_infer_give_up(struct findings *findings, const char *name,
                                    const char *unit, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *reason = print(format, arguments);
    va_end(arguments);
    struct finding *finding =
        reason ? sonde_infer_find(findings, name, unit, NAN, NAN, NAN, NAN, NULL) : NULL;
    if (!finding) {
        free(reason);
        return NULL;
    }
    finding->reason = reason;
    finding->verdict = VERDICT_NOT_MEASURABLE;
    return finding;
}

void sonde_infer_explain(struct finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *reason = print(format, arguments);
    va_end(arguments);
    if (!reason)
        return; /* the old reason still holds more than none */
    free(finding->reason);
    finding->reason = reason;
}

bool sonde_infer_found_by(struct finding *finding, const char *method)
{
    char *copy = strdup(method);

    if (!copy)
        return false;
    free(finding->method);
    free(finding->reason);
    finding->method = copy;
    finding->reason = NULL;
    return true;
}

struct control *sonde_infer_control(struct findings *findings, bool ok, const char *what,
                                    const char *expected, const char *observed_format,
                                    ...)
{
    void *rows = findings->controls;
    if (!make_room(&rows, findings->control_count, &findings->control_capacity,
                   sizeof *findings->controls))
        return NULL;
    findings->controls = rows;
    va_list arguments;
    va_start(arguments, observed_format);
    char *observed = print(observed_format, arguments);
    va_end(arguments);
    struct control control = {.what = strdup(what),
                              .expected = strdup(expected),
                              .observed = observed,
                              .ok = ok};
    if (!control.what || !control.expected || !control.observed) {
        control_release(&control);
        return NULL;
    }
    findings->controls[findings->control_count] = control;
    return &findings->controls[findings->control_count++];
}

const struct finding *sonde_infer_finding_get(const struct findings *findings,
                                              const char *name)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (strcmp(findings->rows[i].name, name) == 0)
            return &findings->rows[i];
    }
    return NULL;
}

/* A range, found with so much confidence or less, is no more than a guess; what lies as
 * far outside is none. */
static const double sure_least = 0.7, far_outside = 4;

static bool is_guess(const struct finding *finding, double declared)
{
    return !isfinite(finding->value) && finding->confidence < sure_least &&
           declared > finding->low / far_outside &&
           declared < finding->high * far_outside;
}

void sonde_infer_judge(struct finding *finding, double declared, double tolerance)
{
    if (!isfinite(declared) && isfinite(finding->declared))
        return; /* whoever found it has held it against more than a number */
    finding->declared = declared;
    bool has_range = isfinite(finding->low) && isfinite(finding->high);
    if (finding->verdict == VERDICT_NOT_SEEN ||
        finding->verdict == VERDICT_NOT_MEASURABLE)
        return;
    if (!isfinite(declared) || (!has_range && !isfinite(finding->value))) {
        finding->verdict = VERDICT_UNDECLARED;
        return;
    }
    double low = has_range ? finding->low : finding->value;
    double high = has_range ? finding->high : finding->value;
    double slack_low = fabs(low) * tolerance, slack_high = fabs(high) * tolerance;
    bool inside = declared >= low - slack_low && declared <= high + slack_high;
    if (inside)
        finding->verdict = VERDICT_AGREES;
    else
        finding->verdict =
            is_guess(finding, declared) ? VERDICT_NOT_MEASURABLE : VERDICT_CONTRADICTS;
}
