/* The words of the page: what findings are called, their values as the terminal writes
 * them, the advice, and what each probe asks. The figures on the page come from the
 * passports themselves; no text is written twice, here and in web/. */
#include "report/page_parts.h"

#include "infer/names.h"
#include "passport/json_emit.h"
#include "report/terminal_parts.h"

#include <math.h>
#include <string.h>

static void emit_finding(struct json_emitter *json, const struct finding *finding)
{
    const struct finding_name *name = sonde_infer_name(finding->name);
    const char *unit = finding->unit ? finding->unit : "";
    char title[96];

    if (name && strcmp(unit, "ratio") == 0)
        unit = name->unit;
    sonde_passport_emit_flow(json, finding->name, '{');
    sonde_passport_emit_string(json, "title",
                               sonde_infer_title(finding->name, title, sizeof title));
    sonde_passport_emit_string(json, "meaning", name ? name->meaning : NULL);
    sonde_passport_emit_string(json, "value", sonde_report_value(finding).text);
    sonde_passport_emit_string(
        json, "interval",
        isfinite(finding->low) && isfinite(finding->high) && !finding->text
            ? sonde_report_range(finding->low, finding->high, unit).text
            : NULL);
    sonde_passport_emit_string(json, "declared",
                               isfinite(finding->declared)
                                   ? sonde_report_number(finding->declared, unit).text
                                   : NULL);
    sonde_passport_emit_close(json);
}

static void emit_findings(struct json_emitter *json, const struct passport *passport)
{
    sonde_passport_emit_open(json, "findings", '{');
    for (size_t p = 0; p < passport->probe_count; p++) {
        const struct probe_result *probe = &passport->probes[p];

        sonde_passport_emit_open(json, probe->name, '{');
        for (size_t i = 0; i < probe->findings.count; i++)
            emit_finding(json, &probe->findings.rows[i]);
        sonde_passport_emit_close(json);
    }
    sonde_passport_emit_close(json);
}

static void emit_sentence(void *self, const struct advice_rule *rule,
                          const char *sentence)
{
    (void)rule;
    sonde_passport_emit_string(self, NULL, sentence);
}

static void emit_passport(struct json_emitter *json, const struct passport *passport,
                          const char *source)
{
    sonde_passport_emit_open(json, NULL, '{');
    sonde_passport_emit_string(json, "source", source);
    sonde_passport_emit_string(
        json, "vantage",
        passport->vantage.kind ? sonde_report_vantage(passport).text : NULL);
    sonde_passport_emit_open(json, "advice", '[');
    sonde_report_advice_each(passport, emit_sentence, json);
    sonde_passport_emit_close(json);
    emit_findings(json, passport);
    sonde_passport_emit_close(json);
}

void sonde_report_page_words(const struct passport_list *list,
                             const struct page_options *options, struct text *out)
{
    struct json_emitter json = {.out = out};

    sonde_passport_emit_open(&json, NULL, '{');
    sonde_passport_emit_open(&json, "probes", '{');
    for (size_t i = 0; i < options->probe_count; i++) {
        sonde_passport_emit_flow(&json, options->probes[i].name, '{');
        sonde_passport_emit_string(&json, "summary", options->probes[i].summary);
        sonde_passport_emit_string(&json, "asks", options->probes[i].asks);
        sonde_passport_emit_close(&json);
    }
    sonde_passport_emit_close(&json);
    sonde_passport_emit_open(&json, "passports", '[');
    for (size_t i = 0; i < list->count; i++)
        emit_passport(&json, &list->rows[i],
                      options->sources ? options->sources[i] : NULL);
    sonde_passport_emit_close(&json);
    sonde_passport_emit_close(&json);
}
