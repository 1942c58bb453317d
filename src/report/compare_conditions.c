/* How both sides were measured, where that differs: said before any finding, since a
 * difference of conditions is the first explanation of a difference of figures.
 *
 * Words are collected over the runs of a side ("a; b" where they vary); numbers are held
 * against each other with room for what always moves (memory by 5 %, time lost to others
 * and the share of huge pages by ten points). */
#include "report/compare.h"

#include "passport/fields.h"
#include "report/terminal_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum tolerance { EXACTLY, BY_SHARE, BY_POINTS };

static const struct condition {
    const char *section, *key;
    const char *title;
    const char *unit;
    enum tolerance tolerance;
} conditions[] = {
    {"machine", "model", "processor", "", EXACTLY},
    {"vantage", "kind", "kind of core", "", EXACTLY},
    {"environment", "emulation", "emulated", "", EXACTLY},
    {"environment", "virtualization", "virtual machine", "", EXACTLY},
    {"environment", "pages", "pages", "", EXACTLY},
    {"environment", "thp", "huge pages offered", "", EXACTLY},
    {"machine", "page_bytes", "page", "bytes", EXACTLY},
    {"machine", "cpus_allowed", "CPUs allowed", "count", EXACTLY},
    {"machine", "memory_granted", "memory granted", "bytes", BY_SHARE},
    {"environment", "effort", "effort", "", EXACTLY},
    {"environment", "budget_s", "budget, seconds", "count", BY_SHARE},
    {"environment", "lost_share", "time lost to others", "share", BY_POINTS},
    {"environment", "timer", "timer", "", EXACTLY},
    {"environment", "clock_source", "clock source", "", EXACTLY},
    {"environment", "governor", "governor", "", EXACTLY},
    {"environment", "smt", "SMT", "", EXACTLY},
    {"machine", "kernel", "kernel", "", EXACTLY},
    {"tool", "version", "sonde", "", EXACTLY},
    {"tool", "isa", "built for", "", EXACTLY},
    {"tool", "compiler", "compiler", "", EXACTLY},
    {"tool", "features", "features used", "", EXACTLY},
};

static const struct passport_field *field_of(const struct condition *condition)
{
    size_t count;
    const struct passport_field *fields = sonde_passport_fields(&count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].section, condition->section) == 0 &&
            strcmp(fields[i].key, condition->key) == 0)
            return &fields[i];
    return NULL;
}

/* The words of a side, each once, "; " between them. */
static void collect_words(const struct compare_source *source,
                          const struct passport_field *field, struct text *out)
{
    for (size_t i = 0; i < source->list.count; i++) {
        const char *word = *sonde_passport_field_string(&source->list.rows[i], field);

        word = word && *word ? word : "none";
        if (!out->data || !strstr(out->data, word))
            sonde_base_text_print(out, "%s%.120s", out->length ? "; " : "", word);
    }
}

/* "97 % of the measured memory ...": the words may differ in their number alone. */
static bool alike(const char *a, const char *b)
{
    char *rest_a, *rest_b;
    double x = strtod(a, &rest_a), y = strtod(b, &rest_b);

    if (strcmp(a, b) == 0)
        return true;
    return rest_a != a && rest_b != b && strncmp(rest_a, " %", 2) == 0 &&
           strcmp(rest_a, rest_b) == 0 && fabs(x - y) <= 10;
}

static void compare_words(const struct condition *condition,
                          const struct passport_field *field,
                          const struct compare_source *a, const struct compare_source *b,
                          struct text *out)
{
    struct text left = {0}, right = {0};

    collect_words(a, field, &left);
    collect_words(b, field, &right);
    if (left.failed || right.failed)
        out->failed = true;
    else if (left.data && right.data && !alike(left.data, right.data))
        sonde_base_text_print(out, "%s: %s | %s\n", condition->title, left.data,
                              right.data);
    sonde_base_text_free(&left);
    sonde_base_text_free(&right);
}

static double mean_of(const struct compare_source *source,
                      const struct passport_field *field)
{
    double sum = 0, count = 0;

    for (size_t i = 0; i < source->list.count; i++) {
        double value = *sonde_passport_field_number(&source->list.rows[i], field);

        if (isfinite(value)) {
            sum += value;
            count++;
        }
    }
    return count > 0 ? sum / count : NAN;
}

static void compare_numbers(const struct condition *condition,
                            const struct passport_field *field,
                            const struct compare_source *a,
                            const struct compare_source *b, struct text *out)
{
    double left = mean_of(a, field), right = mean_of(b, field);
    double least = condition->tolerance == BY_SHARE    ? 0.05 * fabs(left)
                   : condition->tolerance == BY_POINTS ? 0.1
                                                       : 0;

    if (fabs(left - right) > least)
        sonde_base_text_print(out, "%s: %s | %s\n", condition->title,
                              sonde_report_number(left, condition->unit).text,
                              sonde_report_number(right, condition->unit).text);
}

void sonde_report_compare_conditions(const struct compare_source *a,
                                     const struct compare_source *b, struct text *out)
{
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        const struct passport_field *field = field_of(&conditions[i]);

        if (!field)
            continue;
        if (field->number)
            compare_numbers(&conditions[i], field, a, b, out);
        else
            compare_words(&conditions[i], field, a, b, out);
    }
}
