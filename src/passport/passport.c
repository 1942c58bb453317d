/* The data model: growing, finding and freeing its parts.
 *
 * Everything is owned by the passport, so freeing is one walk. Appending may move the
 * array it appends to; pointers to rows are good until the next append. Words that files
 * spelled (units, axis names) are pooled, because series and findings borrow such
 * strings. */
#include "passport/passport.h"

#include "base/text.h"
#include "passport/fields.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const status_names[] = {
    [PROBE_MEASURED] = "measured",
    [PROBE_PARTIAL] = "partial",
    [PROBE_UNAVAILABLE] = "unavailable",
    [PROBE_FAILED] = "failed",
};
enum { STATUS_COUNT = sizeof status_names / sizeof status_names[0] };

const char *sonde_passport_status_name(enum probe_status status)
{
    return (unsigned)status < STATUS_COUNT ? status_names[status] : "failed";
}

int sonde_passport_status_parse(const char *name, enum probe_status *status)
{
    for (unsigned i = 0; i < STATUS_COUNT; i++)
        if (strcmp(name, status_names[i]) == 0) {
            *status = (enum probe_status)i;
            return 0;
        }
    return -EINVAL;
}

static void free_fields(struct passport *passport)
{
    size_t count;
    const struct passport_field *fields = sonde_passport_fields(&count);
    for (size_t i = 0; i < count; i++)
        if (!fields[i].number)
            free(*sonde_passport_field_string(passport, &fields[i]));
}

static void free_probe(struct probe_result *probe)
{
    free(probe->name);
    free(probe->reason);
    free(probe->remedy);
    sonde_measure_series_list_free(&probe->series);
    sonde_infer_findings_free(&probe->findings);
}

static void free_warning(struct warning *warning)
{
    free(warning->code);
    free(warning->message);
    free(warning->hint);
}

void sonde_passport_free(struct passport *passport)
{
    free_fields(passport);
    sonde_machine_facts_free(&passport->facts);
    for (size_t i = 0; i < passport->warning_count; i++)
        free_warning(&passport->warnings[i]);
    free(passport->warnings);
    for (size_t i = 0; i < passport->probe_count; i++)
        free_probe(&passport->probes[i]);
    free(passport->probes);
    for (size_t i = 0; i < passport->word_count; i++)
        free(passport->words[i]);
    free(passport->words);
    *passport = (struct passport){0};
}

void sonde_passport_list_free(struct passport_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        sonde_passport_free(&list->rows[i]);
    free(list->rows);
    *list = (struct passport_list){0};
}

static void forget_numbers(struct passport *passport)
{
    size_t count;
    const struct passport_field *fields = sonde_passport_fields(&count);
    for (size_t i = 0; i < count; i++)
        if (fields[i].number)
            *sonde_passport_field_number(passport, &fields[i]) = NAN;
}

struct passport *sonde_passport_add(struct passport_list *list)
{
    struct passport *rows = reallocarray(list->rows, list->count + 1, sizeof *rows);
    if (!rows)
        return NULL;
    list->rows = rows;
    struct passport *passport = &rows[list->count++];
    *passport = (struct passport){0};
    forget_numbers(passport);
    return passport;
}

struct probe_result *sonde_passport_probe_add(struct passport *passport, const char *name)
{
    struct probe_result *rows =
        reallocarray(passport->probes, passport->probe_count + 1, sizeof *rows);
    if (!rows)
        return NULL;
    passport->probes = rows;
    char *copy = sonde_base_copy(name);
    if (name && !copy)
        return NULL;
    struct probe_result *probe = &rows[passport->probe_count++];
    *probe = (struct probe_result){.name = copy, .seconds = NAN};
    return probe;
}

const struct probe_result *sonde_passport_probe(const struct passport *passport,
                                                const char *name)
{
    for (size_t i = 0; i < passport->probe_count; i++)
        if (passport->probes[i].name && strcmp(passport->probes[i].name, name) == 0)
            return &passport->probes[i];
    return NULL;
}

const char *sonde_passport_word(struct passport *passport, const char *word)
{
    for (size_t i = 0; i < passport->word_count; i++)
        if (strcmp(passport->words[i], word) == 0)
            return passport->words[i];
    if (passport->word_count >= SONDE_WORDS_MAX || strlen(word) > SONDE_WORD_LENGTH)
        return NULL;
    char **words = reallocarray(passport->words, passport->word_count + 1, sizeof *words);
    if (!words)
        return NULL;
    passport->words = words;
    char *copy = sonde_base_copy(word);
    if (copy)
        words[passport->word_count++] = copy;
    return copy;
}

static bool warned(const struct passport *passport, const char *code)
{
    for (size_t i = 0; i < passport->warning_count; i++)
        if (passport->warnings[i].code && strcmp(passport->warnings[i].code, code) == 0)
            return true;
    return false;
}

int sonde_passport_warn(struct passport *passport, const char *code, const char *hint,
                        const char *format, ...)
{
    if (code && warned(passport, code))
        return 0;
    struct warning *rows =
        reallocarray(passport->warnings, passport->warning_count + 1, sizeof *rows);
    if (!rows)
        return -ENOMEM;
    passport->warnings = rows;
    struct warning warning = {.code = sonde_base_copy(code),
                              .hint = sonde_base_copy(hint)};
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&warning.message, format, arguments) < 0)
        warning.message = NULL;
    va_end(arguments);
    if (!warning.message || (code && !warning.code) || (hint && !warning.hint)) {
        free_warning(&warning);
        return -ENOMEM;
    }
    rows[passport->warning_count++] = warning;
    return 0;
}

/* With a value before without one, then by confidence; the first of equals stays. */
static bool better(const struct finding *candidate, const struct finding *best)
{
    if (!best)
        return true;
    bool has = isfinite(candidate->value) || candidate->text;
    bool had = isfinite(best->value) || best->text;
    if (has != had)
        return has;
    double was = isnan(best->confidence) ? -1 : best->confidence;
    return candidate->confidence > was;
}

const struct finding *sonde_passport_finding(const struct passport *passport,
                                             const char *name)
{
    const struct finding *best = NULL;
    for (size_t p = 0; p < passport->probe_count; p++) {
        const struct findings *findings = &passport->probes[p].findings;
        for (size_t i = 0; i < findings->count; i++)
            if (findings->rows[i].name && strcmp(findings->rows[i].name, name) == 0 &&
                better(&findings->rows[i], best))
                best = &findings->rows[i];
    }
    return best;
}
