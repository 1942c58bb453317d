/* The page for a browser that runs no scripts: the machines, what was found, and what to
 * be wary of, as plain tables. */
#include "report/page_parts.h"

#include "infer/names.h"
#include "report/terminal_parts.h"

#include <math.h>
#include <string.h>

static void cell(struct text *out, const char *text)
{
    sonde_base_text_print(out, "<td>");
    sonde_report_page_escape(out, text ? text : "");
    sonde_base_text_print(out, "</td>");
}

static void heading(struct text *out, const struct passport *passport)
{
    sonde_base_text_print(out, "<h2>");
    sonde_report_page_escape(out, passport->machine.host ? passport->machine.host
                                                         : "a machine");
    sonde_base_text_print(out, "</h2>\n<p>");
    sonde_report_page_escape(out, passport->machine.model ? passport->machine.model
                                                          : "model unknown");
    if (passport->machine.date) {
        sonde_base_text_print(out, ", ");
        sonde_report_page_escape(out, passport->machine.date);
    }
    sonde_base_text_print(out, "</p>\n");
}

static void finding_row(struct text *out, const struct finding *finding)
{
    const struct finding_name *name = sonde_infer_name(finding->name);
    const char *unit = finding->unit ? finding->unit : "";
    bool interval = isfinite(finding->low) && isfinite(finding->high) && !finding->text;
    char title[96];

    if (name && strcmp(unit, "ratio") == 0)
        unit = name->unit;
    sonde_base_text_print(out, "<tr>");
    cell(out, sonde_infer_title(finding->name, title, sizeof title));
    cell(out, sonde_report_value(finding).text);
    cell(out,
         interval ? sonde_report_range(finding->low, finding->high, unit).text : NULL);
    cell(out, isfinite(finding->declared)
                  ? sonde_report_number(finding->declared, unit).text
                  : NULL);
    cell(out, finding->verdict == VERDICT_NOT_MEASURABLE
                  ? "not measurable"
                  : sonde_infer_verdict_name(finding->verdict));
    cell(out, finding->method);
    cell(out, finding->reason);
    sonde_base_text_print(out, "</tr>\n");
}

static void findings_table(struct text *out, const struct passport *passport)
{
    sonde_base_text_print(out, "<table><thead><tr><th>finding</th><th>measured</th>"
                               "<th>interval</th><th>declared</th><th>verdict</th>"
                               "<th>method</th><th>reason</th></tr></thead><tbody>\n");
    for (size_t p = 0; p < passport->probe_count; p++)
        for (size_t i = 0; i < passport->probes[p].findings.count; i++)
            finding_row(out, &passport->probes[p].findings.rows[i]);
    sonde_base_text_print(out, "</tbody></table>\n");
}

static void warnings(struct text *out, const struct passport *passport)
{
    if (!passport->warning_count)
        return;
    sonde_base_text_print(out, "<ul>\n");
    for (size_t i = 0; i < passport->warning_count; i++) {
        const struct warning *warning = &passport->warnings[i];

        sonde_base_text_print(out, "<li>");
        sonde_report_page_escape(out, warning->message ? warning->message : "");
        sonde_base_text_print(out, ": ");
        sonde_report_page_escape(out, warning->hint ? warning->hint : "");
        sonde_base_text_print(out, "</li>\n");
    }
    sonde_base_text_print(out, "</ul>\n");
}

void sonde_report_page_plain(const struct passport_list *list, struct text *out)
{
    for (size_t i = 0; i < list->count; i++) {
        heading(out, &list->rows[i]);
        warnings(out, &list->rows[i]);
        findings_table(out, &list->rows[i]);
    }
}
