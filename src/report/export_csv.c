/* Findings and declared facts, one a line, by RFC 4180 with plain newlines.
 *
 * The column `origin` says "measured" or "declared". A finding that could not be measured
 * keeps its line, with the reason and an empty value. Numbers are whole where they are,
 * else six digits; the JSON has all of them. */
#include "report/export_kinds.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

static void put_finding(struct text *out, const char *probe,
                        const struct finding *finding)
{
    const double numbers[] = {finding->value, finding->low, finding->high,
                              finding->confidence, finding->declared};

    sonde_base_text_print(out, "measured,");
    sonde_report_put_csv(out, probe);
    sonde_base_text_print(out, ",");
    sonde_report_put_csv(out, finding->name);
    sonde_base_text_print(out, ",");
    sonde_report_put_csv(out, finding->unit);
    sonde_base_text_print(out, ",");
    if (finding->text)
        sonde_report_put_csv(out, finding->text);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        sonde_report_put_csv_number(out, i == 0 && finding->text ? NAN : numbers[i]);
        sonde_base_text_print(out, ",");
    }
    sonde_base_text_print(out, "%s,", sonde_infer_verdict_name(finding->verdict));
    sonde_report_put_csv(out, finding->reason);
    sonde_base_text_print(out, "\n");
}

static void put_fact(struct text *out, const struct fact *fact)
{
    sonde_base_text_print(out, "declared,");
    sonde_report_put_csv(out, fact->source);
    sonde_base_text_print(out, ",");
    sonde_report_put_csv(out, fact->name);
    sonde_base_text_print(out, ",");
    sonde_report_put_csv(out, fact->unit);
    sonde_base_text_print(out, ",");
    if (fact->text)
        sonde_report_put_csv(out, fact->text);
    else
        sonde_report_put_csv_number(out, fact->value);
    sonde_base_text_print(out, ",,,,,%s,",
                          fact->status == FACT_IMPLAUSIBLE ? "implausible" : "");
    sonde_report_put_csv(out, fact->note);
    sonde_base_text_print(out, "\n");
}

int sonde_report_export_csv(const struct passport_list *list, struct text *out,
                            struct message *why)
{
    sonde_base_text_print(out, "passport,host,cpu,kind,origin,source,name,unit,value,low,"
                               "high,confidence,declared,verdict,note\n");
    for (size_t i = 0; i < list->count; i++) {
        const struct passport *passport = &list->rows[i];

        for (size_t p = 0; p < passport->probe_count; p++)
            for (size_t f = 0; f < passport->probes[p].findings.count; f++) {
                sonde_report_put_csv_lead(out, passport, i + 1);
                put_finding(out, passport->probes[p].name,
                            &passport->probes[p].findings.rows[f]);
            }
        for (size_t f = 0; f < passport->facts.count; f++)
            if (passport->facts.rows[f].status != FACT_UNKNOWN) {
                sonde_report_put_csv_lead(out, passport, i + 1);
                put_fact(out, &passport->facts.rows[f]);
            }
    }
    return sonde_report_export_end(out, true, "csv", why);
}
